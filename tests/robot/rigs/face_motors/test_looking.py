"""Scans by turning layers: everything is in sight, and none takes much longer than it must."""

from collections.abc import Iterable

import pytest

from cube.facelets import facelet_index
from cube.moves import FACES, MoveSequence
from cube.state import SOLVED
from robot.errors import NotPossibleError
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.scan_search import longer, quickest_looks, turn_ways
from robot.rigs.mechanism import ScanProgram, Sight

CENTRES = frozenset(range(4, 54, 9))
ALL = frozenset(range(54)) - CENTRES
SIX = default_rig()
FIVE = FaceMotors(name="five", motors={face: SIX.motors[face] for face in "RFDLB"})


def faces(names: str) -> frozenset[int]:
    return frozenset(9 * FACES.index(face) + at for face in names for at in range(9)) - CENTRES


def facelets(names: str) -> frozenset[int]:
    return frozenset(map(facelet_index, names.split()))


def seen_in_replay(scan: ScanProgram, sights: Iterable[Sight]) -> frozenset[int]:
    """Do what a scan says, and return the facelets that were at a place in sight at some look."""
    sights = list(sights)
    state, seen = SOLVED, set[int]()
    for stop in scan.stops:
        state = state.apply(stop.program.moves)
        at = state.facelet_places()
        assert stop.facelets == tuple(at)
        seen |= {at[place] for camera in stop.cameras for place in sights[camera].facelets}
    return frozenset(seen)


@pytest.mark.parametrize(("rig", "face"), [(SIX, "U"), (FIVE, "D")], ids=["six", "five"])
def test_one_camera_on_a_face_sees_48_facelets(rig: FaceMotors, face: str) -> None:
    """By ten quarter turns of an axis and six looks; fewer do not suffice.

    No turn about one axis, or about that of the camera's face, brings more than two facelets of
    edges into sight: a layer beside the face shares one edge with it, and there are two such layers
    about an axis. Of 24, four are there from the start. And a look shows 8 of 48 facelets.
    """
    sights = [Sight(faces(face))]
    edges = {9 * FACES.index(face) + at for at in (1, 3, 5, 7)}
    for turn in turn_ways(SIX, 2):
        assert sum(int(turn.origins[place]) not in edges for place in edges) <= 2
    scan = rig.plan_scan(sights, ALL)
    assert seen_in_replay(scan, sights) >= ALL
    steps = [step for stop in scan.stops for step in stop.program.steps]
    assert len(steps) == (24 - 4) // 2
    assert all(move.turns != 2 for move in scan.moves)
    assert len(scan.stops) == 48 // 8
    quarter_s, gap_s = rig.turn_time_s("R", 1), rig.gap_us * 1e-6
    assert scan.time_s == pytest.approx(10 * quarter_s + 5 * gap_s)


@pytest.mark.parametrize(("rig", "places"), [(SIX, "URF"), (FIVE, "UR")])
def test_what_is_told_to_be_seen_is_seen(rig: FaceMotors, places: str) -> None:
    sights = [Sight(faces(place)) for place in places]
    scan = rig.plan_scan(sights, ALL)
    assert seen_in_replay(scan, sights) >= ALL
    assert rig is FIVE or scan == rig.plan_scan(sights, ALL)


RUF = FaceMotors(name="ruf", motors={face: SIX.motors[face] for face in "RUF"})
SMALL = [
    (SIX, "URF", "D8", 30_000, 70_100),
    (SIX, "URF", "D9 L9 B9", 10_000, 90_200),
    (SIX, "URF", "L4 B4 D4", 30_000, 110_200),
    (FIVE, "U", "F2 B8", 10_000, 92_000),
    (RUF, "U", "B1 L3", 10_000, 102_000),
    (RUF, "F", "L6 R6", 30_000, 194_000),
    (RUF, "LD", "U9 R1 F3 U8 F2", 10_000, 166_001),
]
"""The last number is the duration of the quickest scan: a search through all of them found it."""


@pytest.mark.parametrize(("rig", "places", "names", "look_us", "least_us"), SMALL)
def test_a_scan_takes_at_most_twice_as_long_as_the_quickest(
    rig: FaceMotors, places: str, names: str, look_us: int, least_us: int
) -> None:
    turns = turn_ways(rig, 2)
    pairs = longer(turns, turns)
    ways = quickest_looks(turns, pairs, faces(places), facelets(names), look_us)
    assert least_us <= sum(way.time_us + look_us for way in ways) <= 2 * least_us


def test_facelets_that_never_come_into_sight_are_told() -> None:
    with pytest.raises(NotPossibleError, match=r"\bR5 F5 D5 L5 B5\b"):
        SIX.plan_scan([Sight(faces("U") | {4})], frozenset(range(54)))
    two = FaceMotors(name="two", motors={face: SIX.motors[face] for face in "RL"})
    with pytest.raises(NotPossibleError, match=r"\bR, L\b.* F2 F8 D2 D8 B2 B8\b"):
        two.plan_scan([Sight(faces("U"))], ALL)
    wanted = faces("UD") - facelets("D2 D8")
    scan = two.plan_scan([Sight(faces("U"))], wanted)
    assert seen_in_replay(scan, [Sight(faces("U"))]) >= wanted
    assert MoveSequence.of(scan.moves).simplified() != MoveSequence()
