"""The rig file: its default, its times, and what it refuses."""

import tomllib
from typing import Any

import msgspec
import pytest

from robot.errors import RigError
from robot.protocol.messages import NO_MOTOR, BoardKind, Set
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.catalogue import default_rig, default_rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motion import Trapezoid
from robot.rigs.motor import Motor


def changed(path: str, value: object) -> dict[str, Any]:
    data: dict[str, Any] = tomllib.loads(default_rig_text())
    *parents, key = path.split(".")
    table = data
    for parent in parents:
        table = table[parent]
    table[key] = value
    return data


def test_default_rig_has_six_motors_and_two_cameras() -> None:
    rig = default_rig()
    assert sorted(rig.motors) == sorted("URFDLB")
    assert [camera.name for camera in rig.cameras] == ["URF", "DLB"]
    assert rig.motor("U").steps_per_quarter == 400


def test_default_turn_times() -> None:
    times_ms = {quarters: 1e3 * default_rig().turn_time_s("F", quarters) for quarters in (1, -1, 2)}
    assert times_ms == pytest.approx({1: 40.0, -1: 40.0, 2: 63.0}, abs=1e-3)


def test_motion_that_never_reaches_its_rate_is_a_triangle() -> None:
    motion = Trapezoid(steps=100, rate_steps_s=50_000, acceleration_steps_s2=1_000_000)
    assert motion.duration_s == pytest.approx(0.02)
    assert motion.braking_from_s == pytest.approx(0.01)


def test_bad_rig_files_name_the_key() -> None:
    wrong = [
        ("motors.U.channel", 6, "channel is 6"),
        ("motors.U.channel", 1, "1"),
        ("motors.U.gear", 0.333, "gear"),
        ("motors.U.gear", -1.0, "gear is -1"),
        ("motors.U.direction", 0, "direction is 0"),
        ("motors.U.rate_steps_s", 60_000, "rate_steps_s is 60000"),
        ("motors.U.acceleration_steps_s2", 1, "acceleration_steps_s2 is 1"),
        ("motors.U.soft_start_steps", 5, "soft_start_steps is 5"),
        ("motors.U.steps_per_turn", 0, "steps_per_turn is 0"),
        ("motors.U.microsteps", 64, "3200"),
        ("motors.X", {"channel": 5}, "motors.X"),
        ("motors", {}, "motors is {}"),
        ("gap_us", -1, "gap_us is -1"),
        ("enable_active", "up", "enable_active"),
        ("speed", 3, "speed"),
        ("settle_ms", "long", "settle_ms"),
        ("name", "", "name"),
    ]
    for path, value, data in wrong:
        with pytest.raises(msgspec.ValidationError) as caught:
            msgspec.convert(changed(path, value), FaceMotors)
        assert data in str(caught.value)
    for keys in (
        {"driver_address": 4},
        {"driver_address": 0, "driver_line": 2},
        {"driver_address": 0, "microsteps": 10},
        {"driver_address": 0, "chopper": "spread", "stall_threshold": 9},
        {"current_ma": 5000},
    ):
        key, value = list(keys.items())[-1]
        named = "chopper" if "chopper" in keys else f"{key} is {value}"
        with pytest.raises(ValueError, match=named):
            Motor(channel=0, **keys)


def test_a_face_without_a_motor_is_named() -> None:
    data = tomllib.loads(default_rig_text())
    del data["motors"]["B"]
    with pytest.raises(RigError, match="B"):
        msgspec.convert(data, FaceMotors).motor("B")


OF_UART_DRIVERS = {
    Setting.DRIVER_CURRENT_MA,
    Setting.DRIVER_MODE,
    Setting.DRIVER_MICROSTEPS,
    Setting.STALL_THRESHOLD,
}


@pytest.mark.parametrize("uart", [False, True])
def test_settings_cover_every_key_of_the_board_within_its_range(uart: bool) -> None:
    rig = default_rig()
    if uart:
        motors = {
            face: msgspec.structs.replace(
                motor, driver_address=motor.channel % 4, driver_line=motor.channel // 4
            )
            for face, motor in rig.motors.items()
        }
        rig = msgspec.structs.replace(rig, motors=motors)
    settings = rig.settings()
    assert {(item.key, item.motor) for item in settings} == {
        (key, motor)
        for key, spec in SETTING_BY_KEY.items()
        if uart or key not in OF_UART_DRIVERS
        for motor in (range(6) if spec.per_motor else [NO_MOTOR])
    }
    assert all(SETTING_BY_KEY[Setting(item.key)].allows(item.value) for item in settings)


def test_settings_of_a_uart_driver() -> None:
    motor = Motor(channel=2, microsteps=16, driver_address=3, driver_line=1, stall_threshold=70)
    assert Set(Setting.DRIVER_ADDRESS, 2, 8) in motor.settings
    assert Set(Setting.DRIVER_MICROSTEPS, 2, 4) in motor.settings
    assert Set(Setting.STALL_THRESHOLD, 2, 70) in motor.settings
    assert Set(Setting.DRIVER_MODE, 2, 0) in motor.settings
    spread = Motor(channel=2, driver_address=0, chopper="spread", current_ma=1200)
    assert Set(Setting.DRIVER_MODE, 2, 1) in spread.settings
    assert Set(Setting.DRIVER_CURRENT_MA, 2, 1200) in spread.settings
    assert Set(Setting.DRIVER_ADDRESS, 2, 0) in Motor(channel=2).settings


@pytest.mark.parametrize(("steps", "value"), [(0, 0), (4, 1), (16, 2), (64, 3)])
def test_a_soft_start_is_told_to_the_board_and_takes_its_time(steps: int, value: int) -> None:
    motor = Motor(channel=2, soft_start_steps=steps)
    assert Set(Setting.SOFT_START, 2, value) in motor.settings
    assert motor.turn(-2) == Trapezoid(800, 17_391, 1_023_018, steps)


def test_settings_follow_direction_gear_and_polarity() -> None:
    motor = Motor(channel=2, gear=1.5, direction=-1)
    rig = FaceMotors(name="one", motors={"F": motor}, enable_active="high")
    settings = rig.settings()
    assert Set(Setting.STEPS_PER_QUARTER, 2, 600) in settings
    assert Set(Setting.DIRECTION, 2, 1) in settings
    assert Set(Setting.ENABLE_POLARITY, NO_MOTOR, 1) in settings


@pytest.mark.parametrize(("wired", "value"), [("false", 0), ("true", 1), ('"each"', 2)])
def test_stall_inputs_are_told_to_the_board(wired: str, value: int) -> None:
    text = default_rig_text().replace("stall_input = false", f"stall_input = {wired}")
    rig = msgspec.convert(tomllib.loads(text), FaceMotors)
    assert Set(Setting.STALL_INPUT, NO_MOTOR, value) in rig.settings(BoardKind.MEGA)


def test_a_board_without_a_stall_input_for_each_motor_is_refused() -> None:
    rig = msgspec.structs.replace(default_rig(), stall_input="each")
    with pytest.raises(RigError):
        rig.settings(BoardKind.UNO)
