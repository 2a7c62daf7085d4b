"""Motors calibrated on the virtual rig, whose rotors slip, in simulated time."""

from dataclasses import replace

import msgspec
import pytest

from calibration.errors import CalibrationError
from calibration.motors import MARGIN, SLOWER, SLOWEST, MotorCalibration, slowed
from cube.state import SOLVED, CubeState
from robot.errors import NotPossibleError
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor
from robot.running.driver import RigDriver
from robot.virtual.cubes.rotor import DEFAULT_MODEL, slipped_pulses
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig


class VirtualBench:
    """A virtual rig with the wiring that it really has; sees through the lid."""

    def __init__(self, real: FaceMotors, faults: Faults | None = None) -> None:
        self.clock = SimulatedClock()
        self.virtual = VirtualRig(real, self.clock, faults=faults)
        self.aligned: list[str] = []
        self.notes: list[str] = []

    def calibration(self, believed: FaceMotors) -> MotorCalibration:
        driver = RigDriver(self.virtual, believed, self.clock, seed=1)
        driver.connect()
        return MotorCalibration(driver, believed, self, self)

    def state(self) -> CubeState | None:
        return self.virtual.state

    def align(self, face: str) -> None:
        self.aligned.append(face)
        self.virtual.state = SOLVED

    def note(self, text: str) -> None:
        self.notes.append(text)


def rewired(rig: FaceMotors, **motors: dict[str, object]) -> FaceMotors:
    """The rig with some motors' values replaced."""
    changed = {
        face: msgspec.structs.replace(rig.motors[face], **values) for face, values in motors.items()
    }
    return msgspec.structs.replace(rig, motors=rig.motors | changed)


def test_right_wiring_is_left_as_it_is() -> None:
    bench = VirtualBench(default_rig())
    assert bench.calibration(default_rig()).check_wiring() == default_rig()
    assert bench.virtual.state == SOLVED
    assert bench.notes == []


def test_swapped_channels_and_reversed_motors_are_put_right() -> None:
    real = rewired(
        default_rig(), U={"channel": 4}, L={"channel": 0, "direction": -1}, B={"direction": -1}
    )
    bench = VirtualBench(real)
    assert bench.calibration(default_rig()).check_wiring().motors == real.motors
    assert bench.virtual.state == SOLVED
    assert any("channel 0 turns L" in note for note in bench.notes)
    assert any("wrong way" in note for note in bench.notes)


def test_half_as_many_microsteps_are_seen() -> None:
    real = rewired(default_rig(), F={"microsteps": 4})
    bench = VirtualBench(real)
    assert bench.calibration(default_rig()).check_wiring().motors["F"].microsteps == 4


def test_a_face_that_does_not_turn_is_said() -> None:
    real = rewired(default_rig(), F={"microsteps": 32})
    with pytest.raises(CalibrationError, match="face F did not turn"):
        VirtualBench(real).calibration(default_rig()).check_wiring()


def slips(motor: Motor, torque: float = 1.0) -> bool:
    model = replace(DEFAULT_MODEL, holding_nm=DEFAULT_MODEL.holding_nm * torque)
    return any(slipped_pulses(motor.turn(turns), model, motor.microsteps) for turns in (1, 2))


@pytest.mark.parametrize("torque", [1.0, 0.6])
def test_the_fastest_reliable_speed_is_found(torque: float) -> None:
    bench = VirtualBench(default_rig(), Faults(torque=torque))
    calibration = bench.calibration(default_rig())
    result = calibration.find_speed("R")
    motor = default_rig().motors["R"]
    assert not slips(result.motor, torque)
    assert result.failed_ms is not None
    (note,) = bench.notes
    assert (
        f"{result.fastest_ms:.1f} ms a quarter turn holds, {result.failed_ms:.1f} ms does not"
        in note
    )
    fastest = slowed(result.motor, 1 / MARGIN)
    assert fastest.turn(1).duration_s * 1000 == pytest.approx(result.fastest_ms, rel=1e-3)
    assert not slips(fastest, torque)
    assert slips(slowed(motor, result.failed_ms / 40.0), torque)
    assert (result.quarter_ms > 40.0) == (torque < 1.0)
    assert bench.aligned
    assert set(bench.aligned) == {"R"}


def test_a_speed_that_holds_leaves_the_cube_as_it_was() -> None:
    bench = VirtualBench(default_rig())
    calibration = bench.calibration(default_rig())
    assert calibration._holds("R", default_rig().motors["R"])
    assert bench.virtual.state == SOLVED
    assert bench.aligned == []


def test_a_motor_without_strength_is_an_error() -> None:
    bench = VirtualBench(default_rig(), Faults(torque=0.12))
    with pytest.raises(CalibrationError, match="loses steps even at"):
        bench.calibration(default_rig()).find_speed("U")
    slowest = SLOWER ** (len(bench.aligned) - 1)
    assert slowest <= SLOWEST < slowest * SLOWER  # given up as soon as that says


def test_speeds_that_hold_alone_are_verified_together() -> None:
    bench = VirtualBench(default_rig())
    calibration = bench.calibration(default_rig())
    assert calibration.verify() == default_rig()
    steep = rewired(
        default_rig(),
        **{face: {"acceleration_steps_s2": 2_600_000} for face in "URFDLB"},
    )
    bench = VirtualBench(default_rig())
    made = bench.calibration(steep).verify()
    assert not any(slips(motor) for motor in made.motors.values())
    assert bench.aligned


def test_only_motors_on_the_faces_can_be_measured() -> None:
    class Tilting:
        name = "tilting"

    bench = VirtualBench(default_rig())
    with pytest.raises(NotPossibleError, match="rig 'tilting' has no motor for each face"):
        bench.calibration(Tilting())


def test_a_search_tells_its_trials_one_by_one() -> None:
    bench = VirtualBench(default_rig())
    search = bench.calibration(default_rig()).search_speed("R")
    trials = []
    while True:
        try:
            trials.append(next(search))
        except StopIteration as end:
            result = end.value
            break
    assert [trial.number for trial in trials] == list(range(1, len(trials) + 1))
    assert [trial.held for trial in trials] == [True] * (len(trials) - 1) + [False]
    assert [trial.quarter_ms for trial in trials] == sorted(
        (trial.quarter_ms for trial in trials), reverse=True
    )
    assert trials[0].rate_steps_s == default_rig().motors["R"].rate_steps_s
    assert result.fastest_ms == trials[-2].quarter_ms
    assert result.failed_ms == trials[-1].quarter_ms


def test_a_search_can_be_left_between_two_trials() -> None:
    bench = VirtualBench(default_rig())
    calibration = bench.calibration(default_rig())
    search = calibration.search_speed("R")
    assert next(search).held
    moved = bench.virtual.state
    search.close()
    assert calibration.rig == default_rig()
    assert bench.virtual.state == moved == SOLVED
    assert bench.aligned == []
