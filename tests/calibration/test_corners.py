"""Corners calibrated on the virtual rig, whose cube jams, in simulated time."""

import random
from itertools import pairwise

import msgspec
import pytest

from calibration.corner_benchmark import calibrated, quarter_turns, random_moves, turned
from calibration.corners import (
    MARGIN_DEG,
    STEP_DEG,
    CornerCalibration,
    transitions_of,
    without_corners,
)
from calibration.errors import CalibrationError
from cube.moves import FACES
from cube.state import SOLVED, CubeState
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.corners import (
    MOST_CORNER_DEG,
    NO_CORNERS,
    PAIR_KEYS,
    SINGLE_KEYS,
    Corners,
    FaceTurn,
    transition_key,
)
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor
from robot.running.driver import RigDriver
from robot.virtual.cubes.corner_cutting import DEFAULT_GEOMETRY, CornerGeometry
from robot.virtual.virtual_rig import VirtualRig

PLAIN = default_rig()


class Bench:
    """A virtual rig with a cube of its own; sees through the lid."""

    def __init__(
        self,
        rig: FaceMotors = PLAIN,
        lanes: int = 2,
        geometry: CornerGeometry = DEFAULT_GEOMETRY,
    ) -> None:
        clock = SimulatedClock()
        self.virtual = VirtualRig(rig, clock, lanes=lanes, geometry=geometry)
        self.driver = RigDriver(self.virtual, rig, clock, seed=1)
        self.driver.connect()
        self.aligned = 0
        self.notes: list[str] = []
        self.calibration = CornerCalibration(self.driver, rig, self, self, lanes)

    def state(self) -> CubeState | None:
        return self.virtual.state

    def align(self, face: str) -> None:
        assert set(face) <= set(FACES)
        self.aligned += 1
        self.virtual.state = SOLVED

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture(scope="module")
def two_lanes() -> FaceMotors:
    return calibrated(PLAIN, 2)


@pytest.fixture(scope="module")
def four_lanes() -> FaceMotors:
    return calibrated(PLAIN, 4)


@pytest.mark.parametrize("key", SINGLE_KEYS + PAIR_KEYS)
def test_a_trial_makes_transitions_of_its_kind_and_no_other(key: str) -> None:
    rig = msgspec.structs.replace(PLAIN, corners=Corners(**{key: 20.0}))
    groups = [moves for pair in transitions_of(key) for moves in pair]
    steps = rig.plan_steps(groups, 4).steps
    overlapped = 0
    for before, after in pairwise(steps):
        ending, beginning = (
            tuple(FaceTurn(turn.part[-1], turn.quarter_turns) for turn in step.turns)
            for step in (before, after)
        )
        if after.overlap_steps:
            overlapped += 1
            assert transition_key(ending, beginning) == key
    assert overlapped >= len(groups) // 2
    for place in (0, 1):
        assert {move.face for group in groups[place::2] for move in group} == set(FACES)


def test_a_rig_with_five_motors_is_measured_with_what_it_has() -> None:
    for key in SINGLE_KEYS + PAIR_KEYS:
        faces = {
            move.face for pair in transitions_of(key, "URFDL") for moves in pair for move in moves
        }
        assert faces <= set("URFDL")
    assert {len(moves) for pair in transitions_of("cut_pairs", "URFDL") for moves in pair} == {2}


def test_the_widest_safe_angle_is_found_with_a_margin() -> None:
    bench = Bench()
    result = bench.calibration.find("anti_cut")
    assert result.failed_deg == result.widest_deg + STEP_DEG
    assert result.angle_deg == pytest.approx(result.widest_deg - MARGIN_DEG, abs=0.05)
    assert 27 < result.angle_deg < 31 <= result.failed_deg
    assert bench.aligned == 1
    assert bench.calibration.rig.corners == Corners(anti_cut=result.angle_deg)
    (note,) = bench.notes
    assert note.startswith(f"anti_cut: {result.widest_deg:g}° holds, {result.failed_deg:g}° jams")


def test_what_never_jams_is_half_a_quarter_turn() -> None:
    bench = Bench(geometry=CornerGeometry(cut_deg=60.0))
    result = bench.calibration.find("cut")
    assert (result.failed_deg, result.angle_deg) == (None, MOST_CORNER_DEG)
    assert bench.aligned == 0
    assert bench.virtual.state == SOLVED


def test_no_angle_is_wider_than_a_slow_motor_allows() -> None:
    """One that speeds up half of the way slows down through the other half."""
    slow = {
        face: msgspec.structs.replace(motor, acceleration_steps_s2=200_000)
        for face, motor in PLAIN.motors.items()
    }
    rig = msgspec.structs.replace(PLAIN, motors=slow)
    assert rig.motor("U").turn(1).ramp_steps == 199
    result = Bench(rig, geometry=CornerGeometry(cut_deg=60.0)).calibration.find("cut")
    assert (result.failed_deg, result.angle_deg) == (None, 44.8)  # 199 of 400 steps


def test_a_cut_is_wider_than_an_anti_cut(two_lanes: FaceMotors) -> None:
    """It is wider than the ramp, too, which are 148 of 400 steps."""
    assert two_lanes.corners.anti_cut < 30 < 148 / 400 * 90 < two_lanes.corners.cut < 40


def test_a_worse_cube_gets_narrower_angles() -> None:
    stiff = CornerGeometry(cut_deg=12.0, anti_cut_deg=9.0)
    results = {
        key: Bench(geometry=geometry).calibration.find(key)
        for geometry in (stiff,)
        for key in ("cut", "anti_cut")
    }
    assert results["anti_cut"].angle_deg < results["cut"].angle_deg < 25


def test_a_cube_that_cuts_no_corners_waits() -> None:
    bench = Bench(geometry=CornerGeometry(cut_deg=5.0, anti_cut_deg=5.0, play_deg=1.0))
    result = bench.calibration.find("cut")
    assert (result.angle_deg, result.widest_deg, result.failed_deg) == (0.0, 0.0, 12.0)


def test_pairs_are_measured_on_four_lanes(four_lanes: FaceMotors, two_lanes: FaceMotors) -> None:
    assert all(getattr(four_lanes.corners, key) > 15 for key in SINGLE_KEYS + PAIR_KEYS)
    assert all(getattr(two_lanes.corners, key) == 0 for key in PAIR_KEYS)
    assert four_lanes.corners.anti_cut_pairs < four_lanes.corners.anti_cut
    assert four_lanes.corners.opposite > 30


@pytest.mark.parametrize("lanes", [2, 4])
def test_calibrated_corners_hold_and_wider_ones_jam_and_are_seen(
    lanes: int, two_lanes: FaceMotors, four_lanes: FaceMotors
) -> None:
    rig = two_lanes if lanes == 2 else four_lanes
    wide = msgspec.structs.replace(rig, corners=rig.corners.widened(5))
    rng = random.Random(lanes)
    jammed = 0
    for _ in range(25):
        moves = random_moves(rng, 18)
        made = turned(rig, moves, lanes)
        assert (made.jams, made.lost, made.right) == (0, 0, True)
        made = turned(wide, moves, lanes)
        assert made.right == (made.jams == 0)
        jammed += made.jams > 0
    assert jammed > 20


def test_twenty_quarter_turns_take_half_a_second(two_lanes: FaceMotors) -> None:
    rng = random.Random(3)
    for _ in range(5):
        moves = quarter_turns(rng, 20)
        assert {move.face for move in moves} == set(FACES)
        made = turned(two_lanes, moves, 2)
        assert made.right
        assert made.time_s <= 0.500
        assert without_corners(two_lanes).plan(moves).time_s == pytest.approx(0.8019, abs=1e-4)


def test_angles_that_jam_together_are_narrowed() -> None:
    bench = Bench()
    wide = Corners(**dict.fromkeys(SINGLE_KEYS, 33.0))
    bench.calibration.rig = msgspec.structs.replace(PLAIN, corners=wide)
    made = bench.calibration.verify()
    assert made.corners.cut < 33
    assert bench.aligned
    assert "narrower" in bench.notes[0]


def test_a_cube_that_always_jams_is_an_error() -> None:
    bench = Bench(geometry=CornerGeometry(cut_deg=5.0, anti_cut_deg=5.0, play_deg=1.0))
    wide = Corners(**dict.fromkeys(SINGLE_KEYS, 33.0))
    bench.calibration.rig = msgspec.structs.replace(PLAIN, corners=wide)
    with pytest.raises(CalibrationError, match="leave \\[corners\\] out"):
        bench.calibration.verify()


def test_a_cube_that_cannot_be_read_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    monkeypatch.setattr(bench, "state", lambda: None)
    with pytest.raises(CalibrationError, match="cannot be read"):
        bench.calibration.find("cut")


def test_what_a_rig_believed_before_is_not_believed() -> None:
    old = msgspec.structs.replace(PLAIN, overlap_degrees=12.0)
    assert without_corners(old) == PLAIN
    assert Bench(old).calibration.rig.angles == NO_CORNERS


def test_a_rig_of_two_motors_is_measured() -> None:
    motors = {"U": Motor(channel=0), "R": Motor(channel=1)}
    bench = Bench(FaceMotors(name="two", motors=motors))
    results = {result.key: result for result in bench.calibration.find_all()}
    assert set(results) == {*SINGLE_KEYS, "opposite"}
    assert results["cut"].angle_deg > results["anti_cut"].angle_deg > 0
