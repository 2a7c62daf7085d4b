"""Corners calibrated on the virtual rig, whose cube jams, in simulated time."""

import random
from itertools import pairwise

import benches
import msgspec
import pytest
from benches import OpenBench, with_motors
from faulty_rig import FaultyRig

from calibration import corners
from calibration.corners import CornerCalibration, transitions_of
from calibration.errors import CalibrationError
from cube.moves import ALL_MOVES, FACES, MoveSequence
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors import rig_file
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import PAIR_KEYS, SINGLE_KEYS, Corners
from robot.virtual.cubes.slipping_cube import DEFAULT_GEOMETRY, CornerGeometry

PLAIN = default_rig()
NEVER_JAMS = CornerGeometry(cut_deg=60.0)
CUTS_NOTHING = CornerGeometry(cut_deg=5.0, anti_cut_deg=5.0, play_deg=1.0)


class Bench(OpenBench):
    """A virtual rig with a cube of its own, and its calibration."""

    def __init__(
        self,
        rig: FaceMotors = PLAIN,
        geometry: CornerGeometry = DEFAULT_GEOMETRY,
        believed: Corners | None = None,
        lanes: int = 2,
    ) -> None:
        super().__init__(rig, lanes=lanes, geometry=geometry)
        self.driver.connect()
        self.calibration = CornerCalibration(self.driver, rig, self, self, lanes)
        if believed is not None:
            self.calibration.rig = msgspec.structs.replace(rig, corners=believed)


def test_a_trial_makes_transitions_of_its_kind_and_no_other() -> None:
    for key in SINGLE_KEYS + PAIR_KEYS:
        rig = msgspec.structs.replace(PLAIN, corners=Corners(**{key: 20.0}))
        groups = [moves for pair in transitions_of(key) for moves in pair]
        overlapped = 0
        for before, after in pairwise(rig.plan_steps(groups, 4).steps):
            ending, beginning = (
                tuple(rig_file.FaceTurn(turn.part[-1], turn.value) for turn in step.turns)
                for step in (before, after)
            )
            if after.overlap_steps:
                overlapped += 1
                assert rig_file.transition_key(ending, beginning) == key
        assert overlapped >= len(groups) // 2
        for place in (0, 1):
            assert {move.face for group in groups[place::2] for move in group} == set(FACES)
        five = [moves for pair in transitions_of(key, "URFDL") for moves in pair]
        assert {move.face for moves in five for move in moves} <= set("URFDL")


def test_the_widest_safe_angle_is_found_with_a_margin() -> None:
    bench = Bench()
    result = bench.calibration.find("anti_cut")
    assert result.failed_deg == result.widest_deg + corners.STEP_DEG
    assert result.angle_deg == pytest.approx(result.widest_deg - corners.MARGIN_DEG, abs=0.05)
    assert 27 < result.angle_deg < 31 <= result.failed_deg
    assert len(bench.aligned) == 1
    assert set(bench.aligned[0]) <= set(FACES)
    assert bench.calibration.rig.corners == Corners(anti_cut=result.angle_deg)
    (note,) = bench.notes
    assert note.startswith("anti_cut: ")
    assert {f"{result.widest_deg:g}°", f"{result.failed_deg:g}°"} <= set(note.split())


def test_what_never_jams_is_half_a_quarter_turn_or_what_a_slow_motor_allows() -> None:
    bench = Bench(geometry=NEVER_JAMS)
    result = bench.calibration.find("cut", first_deg=36.0)
    assert (result.failed_deg, result.angle_deg) == (None, rig_file.MOST_CORNER_DEG)
    assert (bench.aligned, bench.virtual.state) == ([], SOLVED)
    # One that speeds up half of the way slows down through the other half.
    rig = with_motors(PLAIN, lambda _: {"acceleration_steps_s2": 200_000})
    assert rig.motor("U").turn(1).ramp_steps == 199
    result = Bench(rig, NEVER_JAMS).calibration.find("cut", first_deg=36.0)
    assert (result.failed_deg, result.angle_deg) == (None, 44.8)  # 199 of 400 steps


def test_calibrated_corners_hold_and_wider_ones_jam_and_are_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Found with four lanes, where pairs overlap, too; and turned with two as well."""
    monkeypatch.setattr(corners, "STEP_DEG", 3.0)  # half as many trials
    bench = Bench(lanes=4)
    bench.calibration.find_all()
    rig = bench.calibration.verify()
    wide = msgspec.structs.replace(rig, corners=rig.corners.widened(5))
    for lanes in (2, 4):
        rng = random.Random(lanes)
        jammed = 0
        for _ in range(3):
            drawn = MoveSequence.of(rng.choice(ALL_MOVES) for _ in range(36)).simplified()
            moves = MoveSequence(drawn.moves[:18])
            made = turned(rig, moves, lanes)
            assert (made.jams, made.slips, made.state) == (0, 0, SOLVED.apply(moves))
            made = turned(wide, moves, lanes)
            assert (made.state == SOLVED.apply(moves)) == (made.jams == 0)
            jammed += made.jams > 0
        assert jammed > 1


def turned(rig: FaceMotors, moves: MoveSequence, lanes: int) -> FaultyRig:
    bench = benches.Bench(rig, lanes=lanes).ready()
    bench.driver.run(rig.plan(moves, lanes))
    return bench.virtual


def test_angles_that_jam_together_are_narrowed_until_the_cube_always_jams() -> None:
    wide = Corners(**dict.fromkeys(SINGLE_KEYS, 33.0))
    bench = Bench(believed=wide)
    assert bench.calibration.verify().corners.cut < 33
    assert bench.aligned
    assert bench.notes
    with pytest.raises(CalibrationError):
        Bench(geometry=CUTS_NOTHING, believed=wide).calibration.verify()


def test_what_cannot_be_read_is_an_error_and_what_a_rig_believed_before_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench()
    monkeypatch.setattr(bench, "state", lambda: None)
    with pytest.raises(CalibrationError):
        bench.calibration.find("cut")
    cutting = msgspec.structs.replace(PLAIN, corners=Corners(cut=12.0))
    assert corners.without_corners(cutting) == PLAIN
    assert Bench(cutting).calibration.rig.corners == rig_file.NO_CORNERS
