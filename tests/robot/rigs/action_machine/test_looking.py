"""Programmes of looks: possible, complete, and as quick as can be."""

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
                for stride in rig.states.strides[state]
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


QUICKEST_S = {
    ("cubotino", 0): 7.3,
    ("cubotino", 3): 2.45,
    ("mindcub3r", 1): 4.14,
    ("claws", 0): 2.93,
    ("four-claws", 1): 5.25,
    ("three", 0): 0.383,
    ("three", 1): 0.351,
}
"""The quickest scans with their looks, found by a search through all of them."""


@pytest.mark.parametrize(("name", "spare"), QUICKEST_S)
def test_a_machine_shows_enough_as_soon_as_it_can(name: str, spare: int) -> None:
    rig, sights = RIGS[name], MACHINES[name]
    pose = Pose(rig.states.start, orientations()[7])
    scan = rig.plan_scan(sights, ALL, pose, spare_faces=spare)
    assert enough(replayed(rig, sights, scan), ALL, spare)
    assert scan.stops[0].program.steps == ()
    takes_s = scan.time_s + len(scan.stops) * rig.settle_ms / 1000
    assert takes_s == pytest.approx(QUICKEST_S[name, spare])


def test_facelets_that_no_camera_ever_sees_are_told() -> None:
    rig, sides = RIGS["three"], [sight("FB")]
    with pytest.raises(NotPossibleError, match=r"\bU, D\b"):
        rig.plan_scan(sides, ALL - set(range(4, 54, 9)))
    scan = rig.plan_scan(sides, ALL, spare_faces=2)
    assert replayed(rig, sides, scan) == faces("RFLB")
    with pytest.raises(NotPossibleError, match="U8"):  # turning makes no corner of an edge
        RIGS["cubotino"].plan_scan([Sight(frozenset({0, 6}))], frozenset({0, 7}))
