"""The quickest programme of looks: what to do so that the cameras have seen enough of the cube.

A cube that lies in a machine shows some of its faces to the cameras, others once it is turned. The
programme is a shortest path over where the machine stands, how the cube is held, and which faces
were seen; it turns no layer, so that all pictures show the same state.
"""

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from cube.moves import FACES
from cube.orientation import Orientation, facelet_places
from robot.errors import NotPossibleError
from robot.rigs.action_machine.deeds import Machine, MachineState, Stride
from robot.rigs.action_machine.program import program_of
from robot.rigs.pose import Pose
from robot.rigs.scanning import ScanProgram, ScanStop, Sight


@dataclass(frozen=True, slots=True)
class PlaceSight:
    """What the cameras see in some states of the machine.

    Attributes:
        places: The places of the machine that are in sight, of ``URFDLB``.
        needs: Number of a variable, and the places where it has to stand.
    """

    places: tuple[str, ...]
    needs: tuple[tuple[int, frozenset[int]], ...] = ()

    def open_in(self, state: MachineState) -> bool:
        """Say whether nothing is in the way."""
        return all(state[number] in places for number, places in self.needs)


@dataclass(frozen=True, slots=True)
class Look:
    """A look, once what goes before it is done.

    Attributes:
        strides: What is done first.
        shown: The place of the machine, and the face of the cube that is in sight there.
        held: How the cube is held.
    """

    strides: tuple[Stride, ...]
    shown: tuple[tuple[str, str], ...]
    held: Orientation


@dataclass(frozen=True, slots=True)
class Looking:
    """A programme of looks.

    Attributes:
        looks: One after the other.
        state: Where the machine stands at the end.
        held: How the cube is held then.
        time_ms: How long it takes, the looks included.
    """

    looks: tuple[Look, ...]
    state: MachineState
    held: Orientation
    time_ms: int


_Node = tuple[MachineState, Orientation, frozenset[str]]
_Came = tuple[_Node, Stride | None]
"""From where, and by what; None for a look."""


def plan_looks(
    machine: Machine,
    sights: Sequence[PlaceSight],
    look_ms: int,
    start: MachineState,
    held: Orientation,
    *,
    seen: str = "",
    enough: int = len(FACES),
) -> Looking:
    """Find the quickest programme.

    Args:
        machine: What it can do.
        sights: What the cameras see, and when.
        look_ms: How long a look takes: rest, exposure.
        start: Where the machine stands.
        held: How the cube is held.
        seen: Faces of the cube that have been seen already.
        enough: How many faces have to be seen in the end.

    Raises:
        NotPossibleError: The cameras never see so many; the message says which faces they do see.
    """
    first: _Node = (start, held, frozenset(seen))
    times, came, ahead = {first: 0}, dict[_Node, _Came](), [(0, 0, first)]
    numbers = itertools.count(1)
    most = first[2]
    while ahead:
        time_ms, _, node = heapq.heappop(ahead)
        if time_ms > times[node]:
            continue
        state, lies, faces = node
        most = max(most, faces, key=len)
        if len(faces) >= enough:
            return _traced(node, came, sights, time_ms)
        shown = frozenset(face for _, face in _shown(sights, state, lies))
        following: list[tuple[_Node, int, Stride | None]] = [
            ((stride.after, lies.then(stride.rotation), faces), stride.time_ms, stride)
            for stride in machine.strides[state]
            if not stride.turns
        ]
        if not shown <= faces:
            following.append(((state, lies, faces | shown), look_ms, None))
        for then, takes_ms, by in following:
            if time_ms + takes_ms < times.get(then, 10**9):
                times[then], came[then] = time_ms + takes_ms, (node, by)
                heapq.heappush(ahead, (times[then], next(numbers), then))
    found = " ".join(face for face in FACES if face in most) or "none"
    raise NotPossibleError(
        f"the cameras of this machine see {len(most)} faces at most ({found}), not {enough}: "
        "add a camera to the rig file, or an action that turns the cube"
    )


def plan_scan(
    machine: Machine,
    sights: Sequence[Sight],
    wanted: frozenset[int],
    start: Pose,
    look_ms: int,
    spare_faces: int,
) -> ScanProgram:
    """Find the quickest programme and lay it out for the board; see `Mechanism.plan_scan`."""
    numbers = {name: number for number, name in enumerate(machine.names)}
    places = [
        PlaceSight(
            tuple(
                f for i, f in enumerate(FACES) if {9 * i + at for at in range(9)} <= each.facelets
            ),
            tuple(
                (
                    numbers[name],
                    frozenset(machine.rig.variables[name].places.index(place) for place in at),
                )
                for name, at in each.needs.items()
            ),
        )
        for each in sights
    ]
    seen = "".join(
        face for i, face in enumerate(FACES) if wanted.isdisjoint(range(9 * i, 9 * i + 9))
    )
    found = plan_looks(
        machine, places, look_ms, start.places, start.held, seen=seen, enough=6 - spare_faces
    )
    stops = []
    pose = start
    for look in found.looks:
        program = program_of(machine.rig, look.strides, pose)
        assert program.end is not None
        pose = program.end
        cameras = tuple(i for i, each in enumerate(places) if each.open_in(pose.places))
        stops.append(ScanStop(program, cameras, facelet_places(pose.held)))
    return ScanProgram(tuple(stops), start)


def _shown(
    sights: Sequence[PlaceSight], state: MachineState, held: Orientation
) -> tuple[tuple[str, str], ...]:
    places = {place for sight in sights if sight.open_in(state) for place in sight.places}
    return tuple((place, held.face_at(place)) for place in FACES if place in places)


def _traced(
    end: _Node, came: dict[_Node, _Came], sights: Sequence[PlaceSight], time_ms: int
) -> Looking:
    steps: list[_Came] = []
    node = end
    while node in came:
        steps.append(came[node])
        node = came[node][0]
    looks: list[Look] = []
    strides: list[Stride] = []
    for (state, held, _), by in reversed(steps):
        if by is not None:
            strides.append(by)
            continue
        looks.append(Look(tuple(strides), _shown(sights, state, held), held))
        strides = []
    return Looking(tuple(looks), end[0], end[1], time_ms)
