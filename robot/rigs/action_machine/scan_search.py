"""A quick scan program: how to show the cameras enough of the cube.

A cube in a machine shows some of its facelets to the cameras, and others after it is moved. A scan
turns no layer, so all pictures show the same state. The search looks at once, goes to the nearest
pose of machine and cube that shows more, looks again, and so on; for the second and the third look
it tries each set of facelets that comes into sight. On the machines of the catalogue this takes as
long as the quickest scan, or up to half a second longer.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from cube.facelets import facelet_name, facelets_text
from cube.moves import FACES
from cube.orientation import facelet_places, orientations
from robot.errors import NotPossibleError
from robot.rigs.action_machine.paths import COUNT, Holding, Numbers, Times
from robot.rigs.action_machine.program import program_of
from robot.rigs.action_machine.transitions import MachineState, StateGraph, Stride
from robot.rigs.mechanism import ScanProgram, ScanStop, Sight
from robot.rigs.program import Pose

_TRIED = (1, 2)
"""The numbers of looks after which every next one is tried."""
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
    looking, machine, pose = _Looking(holding, sights, spare_faces), holding.machine, start
    node, left = holding.numbers[start.places] * COUNT + start.held.index, _mask(wanted)
    _, looks = looking.quickest(node, left)
    if left and not looks:
        raise _never(left & ~looking.reachable(node))
    stops: list[ScanStop] = []
    for last in looks:
        program = program_of(machine.rig, looking.way(node, last), pose)
        pose, node = program.end or pose, last
        cameras = tuple(
            number for number, sight in enumerate(sights) if _open(machine, sight, pose.places)
        )
        stops.append(ScanStop(program, cameras, facelet_places(pose.held)))
    return ScanProgram(tuple(stops), start)


class _Looking:
    """The search for one machine and its cameras."""

    def __init__(self, holding: Holding, sights: Sequence[Sight], spare_faces: int) -> None:
        self._holding = holding
        self._shown = _shown(holding, sights)
        self._spare = spare_faces
        self._paths: dict[int, tuple[Times, Numbers]] = {}

    def quickest(self, node: int, left: int, looks: int = 0) -> tuple[float, list[int]]:
        """Return the time until enough is seen, and the nodes of the looks.

        The time is infinite if enough is never seen.

        Args:
            node: Where the machine and the cube are.
            left: The facelets to be seen.
            looks: Number of looks so far.
        """
        if sum(left & face != 0 for face in _FACES) <= self._spare:
            return 0.0, []
        times_ms = self._from(node)[0]
        fresh = self._shown & left
        order = np.lexsort((-np.bitwise_count(fresh).astype(int), times_ms))
        order = order[(fresh[order] != 0) & np.isfinite(times_ms[order])]
        _, nearest = np.unique(fresh[order], return_index=True)
        tried = order[np.sort(nearest)] if looks in _TRIED else order[:1]
        best: tuple[float, list[int]] = (np.inf, [])
        for then in map(int, tried):
            rest_ms, others = self.quickest(then, left & ~int(fresh[then]), looks + 1)
            if times_ms[then] + rest_ms < best[0]:
                best = float(times_ms[then]) + rest_ms, [then, *others]
        return best

    def reachable(self, node: int) -> int:
        """Return the facelets that ever come into sight."""
        return int(np.bitwise_or.reduce(self._shown[np.isfinite(self._from(node)[0])]))

    def way(self, first: int, last: int) -> list[Stride]:
        """Return the strides between two looks."""
        return self._holding.strides(self._from(first)[1], first, last)

    def _from(self, node: int) -> tuple[Times, Numbers]:
        """Return the times to all nodes, and the predecessor of each."""
        if node not in self._paths:
            times_ms, before = self._holding.quickest([node])
            self._paths[node] = times_ms[0], before[0]
        return self._paths[node]


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
