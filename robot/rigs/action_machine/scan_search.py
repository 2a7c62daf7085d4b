"""A quick scan program: how to show the cameras enough of the cube.

A cube in a machine shows some of its facelets to the cameras, and others after it is moved. A scan
turns no layer, so all pictures show the same state. The search looks at once, goes to the nearest
pose of machine and cube that shows more, looks again, and so on. On the machines of the catalogue
this takes as long as the quickest scan, or up to a second longer.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from cube.facelets import facelet_name, facelets_text
from cube.moves import FACES
from cube.orientation import facelet_places, orientations
from robot.errors import NotPossibleError
from robot.rigs.action_machine.paths import COUNT, Holding
from robot.rigs.action_machine.program import program_of
from robot.rigs.action_machine.transitions import MachineState, StateGraph
from robot.rigs.mechanism import ScanProgram, ScanStop, Sight
from robot.rigs.program import Pose

Masks = npt.NDArray[np.int64]
"""Sets of facelets: bit 0 for U1 to bit 53 for B9."""


def plan_scan(
    holding: Holding,
    sights: Sequence[Sight],
    wanted: frozenset[int],
    start: Pose,
    *,
    spare_faces: int = 0,
) -> ScanProgram:
    """Find a scan program and convert it for the board; see `Mechanism.plan_scan`.

    The places of the start are one of the machine's states.
    """
    machine = holding.machine
    shown = _shown(holding, sights)
    left, pose = _mask(wanted), start
    node = holding.numbers[start.places] * COUNT + start.held.index
    stops: list[ScanStop] = []
    while sum(left & face != 0 for face in _FACES) > spare_faces:
        times_ms, before = holding.quickest([node])
        fresh = np.bitwise_count(shown & left)
        nearest = np.where(fresh > 0, times_ms[0], np.inf)
        # Of equally near poses, the one that shows most.
        last = int(np.lexsort((-fresh.astype(int), nearest))[0])
        if not np.isfinite(nearest[last]):
            raise _never(left)
        program = program_of(machine.rig, holding.strides(before[0], node, last), pose)
        pose, node = program.end or pose, last
        left &= ~int(shown[node])
        cameras = tuple(
            number for number, sight in enumerate(sights) if _open(machine, sight, pose.places)
        )
        stops.append(ScanStop(program, cameras, facelet_places(pose.held)))
    return ScanProgram(tuple(stops), start)


def _shown(holding: Holding, sights: Sequence[Sight]) -> Masks:
    """Return the facelets of the cube that are in sight at each node."""
    shown = np.zeros(holding.nodes, dtype=np.int64)
    for state, number in holding.numbers.items():
        sets = (sight.facelets for sight in sights if _open(holding.machine, sight, state))
        in_sight = frozenset[int]().union(*sets)
        for held in orientations():
            at = facelet_places(held)
            shown[number * COUNT + held.index] = _mask(at[place] for place in in_sight)
    return shown


def _open(machine: StateGraph, sight: Sight, state: MachineState) -> bool:
    """Return whether a camera has a clear view."""
    stands = dict(zip(machine.names, state, strict=True))
    variables = machine.rig.variables
    return all(variables[name].places[stands[name]] in at for name, at in sight.needs.items())


def _mask(facelets: Iterable[int]) -> int:
    return sum(1 << facelet for facelet in facelets)


_FACES = [_mask(range(9 * face, 9 * face + 9)) for face in range(len(FACES))]


def _never(facelets: int) -> NotPossibleError:
    names = facelets_text([facelet_name(at) for at in range(54) if facelets >> at & 1])
    return NotPossibleError(
        f"the cameras of this machine never see {names}: add a camera to the rig file, or an "
        "action that turns the cube"
    )
