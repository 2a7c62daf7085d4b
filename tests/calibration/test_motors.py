"""Motors calibrated on the virtual rig, whose rotors slip, in simulated time."""

import re
from dataclasses import replace

import msgspec
import pytest
from benches import OpenBench
from faulty_rig import Faults

from calibration.errors import CalibrationError
from calibration.motors import MARGIN, SLOWER, SLOWEST, MotorCalibration, slowed
from calibration.procedures import finished
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor
from robot.virtual.cubes.course import DEFAULT_MODEL, course

RIG = default_rig()


def calibrating(bench: OpenBench, believed: FaceMotors = RIG) -> MotorCalibration:
    """Calibrate a rig whose wiring a file may describe wrongly."""
    bench.driver.use(believed)
    bench.driver.connect()
    return MotorCalibration(bench.driver, believed, bench, bench)


def rewired(**motors: dict[str, object]) -> FaceMotors:
    changed = {
        face: msgspec.structs.replace(RIG.motors[face], **values) for face, values in motors.items()
    }
    return msgspec.structs.replace(RIG, motors=RIG.motors | changed)


def test_wrong_wiring_is_put_right_and_right_wiring_is_left_as_it_is() -> None:
    bench = OpenBench(RIG)
    assert calibrating(bench).check_wiring() == RIG
    assert (bench.virtual.state, bench.notes) == (SOLVED, [])
    swapped = rewired(U={"channel": 4}, L={"channel": 0, "direction": -1}, B={"direction": -1})
    bench = OpenBench(swapped)
    assert calibrating(bench).check_wiring().motors == swapped.motors
    assert bench.virtual.state == SOLVED
    assert any(re.search(r"\b0\b.*\bL\b", note) for note in bench.notes)
    assert len(bench.notes) == 4  # two channels, two ways round
    halved = OpenBench(rewired(F={"microsteps": 4}))
    assert calibrating(halved).check_wiring().motors["F"].microsteps == 4
    with pytest.raises(CalibrationError, match=r"\bF\b"):  # it hardly turns
        calibrating(OpenBench(rewired(F={"microsteps": 32}))).check_wiring()


def slips(motor: Motor, torque: float = 1.0) -> bool:
    model = replace(DEFAULT_MODEL, holding_nm=DEFAULT_MODEL.holding_nm * torque)
    return any(
        course(motor.turn(turns), model, motor.microsteps).slipped_pulses for turns in (1, 2)
    )


@pytest.mark.parametrize("torque", [1.0, 0.6])
def test_the_fastest_reliable_speed_is_found(torque: float) -> None:
    bench = OpenBench(RIG, faults=Faults(torque=torque))
    trials, result = finished(calibrating(bench).search_speed("R"))
    motor = RIG.motors["R"]
    assert not slips(result.motor, torque)
    (note,) = bench.notes
    assert f" {result.fastest_ms:.1f} ms " in note
    assert f" {result.failed_ms:.1f} ms " in note
    fastest = slowed(result.motor, 1 / MARGIN)
    assert fastest.turn(1).duration_s * 1000 == pytest.approx(result.fastest_ms, rel=1e-3)
    assert not slips(fastest, torque)
    assert slips(slowed(motor, result.failed_ms / 40.0), torque)
    assert (result.quarter_ms > 40.0) == (torque < 1.0)
    assert set(bench.aligned) == {"R"}
    assert [trial.number for trial in trials] == list(range(1, len(trials) + 1))
    if torque == 1.0:  # quicker and quicker, up to the first that fails
        assert [trial.held for trial in trials] == [True] * (len(trials) - 1) + [False]
        times_ms = [trial.quarter_ms for trial in trials]
        assert times_ms == sorted(times_ms, reverse=True)
        assert trials[0].rate_steps_s == motor.rate_steps_s
        assert times_ms[-2:] == [result.fastest_ms, result.failed_ms]


def test_a_motor_without_strength_is_an_error() -> None:
    bench = OpenBench(RIG, faults=Faults(torque=0.12))
    with pytest.raises(CalibrationError, match=r"\bU\b"):
        list(calibrating(bench).search_speed("U"))
    slowest = SLOWER ** (len(bench.aligned) - 1)
    assert slowest <= SLOWEST < slowest * SLOWER  # given up as soon as that says


def test_speeds_that_hold_alone_are_verified_together() -> None:
    assert calibrating(OpenBench(RIG)).verify() == RIG
    steep = rewired(**{face: {"acceleration_steps_s2": 2_600_000} for face in "URFDLB"})
    bench = OpenBench(RIG)
    made = calibrating(bench, steep).verify()
    assert not any(slips(motor) for motor in made.motors.values())
    assert bench.aligned
