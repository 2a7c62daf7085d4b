"""Programmes of looks: possible, complete, and none quicker."""

import heapq
import itertools
from collections.abc import Sequence

import pytest
from benches import machine

from cube.moves import FACES, MoveSequence
from cube.orientation import Orientation, facelet_places, orientations
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.mechanism import ScanProgram, Sight
from robot.rigs.program import Pose

ALL = frozenset(range(54))


def faces(names: str) -> frozenset[int]:
    return frozenset(9 * FACES.index(face) + at for face in names for at in range(9))


def sight(places: str, **needs: str) -> Sight:
    return Sight(faces(places), {name: tuple(at.split()) for name, at in needs.items()})


ABOVE = sight("U", cover="open")
MACHINES: dict[str, list[Sight]] = {
    "cubotino": [ABOVE],
    "mindcub3r": [sight("U", arm="away")],
    "claws": [sight("U")],
    "four-claws": [sight("U")],
    "three": [sight("ULB"), sight("D")],
}
RIGS = {name: machine(name) for name in MACHINES}


def is_open(rig: ActionMachine, sight: Sight, state: tuple[int, ...]) -> bool:
    stands = {
        name: variable.places[at]
        for (name, variable), at in zip(rig.variables.items(), state, strict=True)
        if variable.places
    }
    return all(stands[name] in places for name, places in sight.needs.items())


def shown(
    rig: ActionMachine, sights: Sequence[Sight], state: tuple[int, ...], held: Orientation
) -> frozenset[int]:
    at = facelet_places(held)
    every = (each.facelets for each in sights if is_open(rig, each, state))
    return frozenset(at[place] for places in every for place in places)


def replayed(rig: ActionMachine, sights: Sequence[Sight], scan: ScanProgram) -> frozenset[int]:
    """Do what a programme says, as far as the machine can, and return what the cameras saw."""
    assert scan.start is not None
    state, held, seen = scan.start.places, scan.start.held, frozenset[int]()
    for stop in scan.stops:
        for step in stop.program.steps:
            assert step.pose is not None
            assert step.moves == MoveSequence()
            (stride,) = {
                (stride.rotation, stride.after, stride.time_ms)
                for stride in rig.planning.machine.strides[state]
                if stride.after == step.pose.places
                and held.then(stride.rotation) == step.pose.held
                and ", ".join(deed.rule.name for deed in stride.deeds) == step.does
            }
            assert stride[2] == pytest.approx(1000 * step.duration_s)
            state, held = step.pose.places, step.pose.held
        assert stop.facelets == facelet_places(held)
        assert stop.cameras == tuple(
            number for number, each in enumerate(sights) if is_open(rig, each, state)
        )
        seen |= shown(rig, sights, state, held)
    return seen


def enough(seen: frozenset[int], wanted: frozenset[int], spare: int) -> bool:
    return len({facelet // 9 for facelet in wanted - seen}) <= spare


def least(
    rig: ActionMachine, sights: Sequence[Sight], wanted: frozenset[int], start: Pose, spare: int
) -> tuple[int, int]:
    """Search everything, one stride or look after the other.

    Returns: The least time, and of that the least sum of when the looks begin; milliseconds.
    """
    first = (start.places, start.held, frozenset[int]())
    best, numbers = {first: (0, 0)}, itertools.count(1)
    ahead = [((0, 0), 0, first)]
    while ahead:
        key, _, node = heapq.heappop(ahead)
        if key > best[node]:
            continue
        state, held, seen = node
        if enough(seen, wanted, spare):
            return key
        now_ms, sum_ms = key
        looked = (state, held, seen | (shown(rig, sights, state, held) & wanted))
        following = [((now_ms + rig.settle_ms, sum_ms + now_ms), looked)]
        for stride in rig.planning.machine.strides[state]:
            if not stride.turns:
                then = (stride.after, held.then(stride.rotation), seen)
                following.append(((now_ms + stride.time_ms, sum_ms), then))
        for takes, then in following:
            if takes < best.get(then, (10**9, 0)):
                best[then] = takes
                heapq.heappush(ahead, (takes, next(numbers), then))
    raise AssertionError("no way")


def taken(rig: ActionMachine, scan: ScanProgram) -> tuple[int, int]:
    """Return how long a programme takes with its looks, and the sum of when these begin."""
    now_ms = sum_ms = 0
    for stop in scan.stops:
        now_ms += round(1000 * stop.program.time_s)
        sum_ms += now_ms
        now_ms += rig.settle_ms
    return now_ms, sum_ms


@pytest.mark.parametrize(
    ("name", "spare"), [("cubotino", 0), ("mindcub3r", 1), ("claws", 0), ("four-claws", 1)]
)
def test_a_machine_shows_enough(name: str, spare: int) -> None:
    rig, sights = RIGS[name], MACHINES[name]
    scan = rig.plan_scan(sights, ALL, spare_faces=spare)
    assert enough(replayed(rig, sights, scan), ALL, spare)
    assert scan.stops[0].program.steps == ()
    assert scan == rig.plan_scan(sights, ALL, spare_faces=spare)


QUICKEST = [
    ("cubotino", 7, 0),
    ("cubotino", 14, 3),
    ("mindcub3r", 0, 1),
    ("three", 0, 0),
    ("three", 21, 1),
]


@pytest.mark.parametrize(("name", "start", "spare"), QUICKEST)
def test_no_programme_is_quicker(name: str, start: int, spare: int) -> None:
    rig, sights = RIGS[name], MACHINES[name]
    pose = Pose(rig.planning.start.places, orientations()[start])
    scan = rig.plan_scan(sights, ALL, pose, spare_faces=spare)
    assert taken(rig, scan) == least(rig, sights, ALL, pose, spare)


def test_facelets_that_no_camera_ever_sees_are_told() -> None:
    rig, sides = RIGS["three"], [sight("FB")]
    with pytest.raises(NotPossibleError, match=r"\bU, D\b"):
        rig.plan_scan(sides, ALL - set(range(4, 54, 9)))
    scan = rig.plan_scan(sides, ALL, spare_faces=2)
    assert replayed(rig, sides, scan) == faces("RFLB")
    with pytest.raises(NotPossibleError, match="U8"):  # turning makes no corner of an edge
        RIGS["cubotino"].plan_scan([Sight(frozenset({0, 6}))], frozenset({0, 7}))
