"""The rig file: its default, its times, what the board is told, and what it refuses."""

import tomllib
from typing import Any

import msgspec
import pytest
from benches import on_a_uart, with_motors

from robot.errors import RigError
from robot.protocol.messages import NO_MOTOR, BoardKind, Set
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.catalogue import default_rig, default_rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor, Trapezoid


def changed(path: str, value: object) -> dict[str, Any]:
    data: dict[str, Any] = tomllib.loads(default_rig_text())
    *parents, key = path.split(".")
    table = data
    for parent in parents:
        table = table[parent]
    table[key] = value
    return data


REFUSED: list[tuple[str, object, str]] = [
    # A key, its value, and what the message names.
    ("motors.U.channel", 6, "channel 6"),
    ("motors.U.channel", 1, ".R.channel .U.channel"),
    ("motors.U.gear", 0.333, "gear"),
    ("motors.U.gear", -1.0, "gear -1"),
    ("motors.U.direction", 0, "direction 0"),
    ("motors.U.rate_steps_s", 60_000, "rate_steps_s 60000 50 50000"),
    ("motors.U.acceleration_steps_s2", 1, "acceleration_steps_s2 1"),
    ("motors.U.soft_start_steps", 5, "soft_start_steps 5 0, 4, 16 64"),
    ("motors.U.steps_per_turn", 0, "steps_per_turn 0"),
    ("motors.U.microsteps", 64, "microsteps 3200"),
    ("motors.X", {"channel": 5}, "motors.X"),
    ("motors", {}, "motors {}"),
    ("gap_us", -1, "gap_us -1"),
    ("enable_active", "up", "enable_active"),
    ("speed", 3, "speed"),
    ("settle_ms", "long", "settle_ms"),
    ("name", "", "name"),
    ("motors.U.driver_address", 4, "driver_address 4"),
    ("motors.U.current_ma", 5000, "current_ma 5000"),
]


def test_bad_rig_files_name_the_key_and_the_value() -> None:
    for path, value, told in REFUSED:
        with pytest.raises(msgspec.ValidationError) as caught:
            msgspec.convert(changed(path, value), FaceMotors)
        said = str(caught.value)
        assert [word for word in told.split() if word not in said] == [], said


def test_a_face_without_a_motor_is_named() -> None:
    data = tomllib.loads(default_rig_text())
    del data["motors"]["B"]
    with pytest.raises(RigError, match=r"\bB\b.*\.B\]"):
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
    settings = (with_motors(rig, on_a_uart) if uart else rig).settings()
    assert {(item.key, item.motor) for item in settings} == {
        (key, motor)
        for key, spec in SETTING_BY_KEY.items()
        if uart or key not in OF_UART_DRIVERS
        for motor in (range(6) if spec.per_motor else [NO_MOTOR])
    }
    assert all(SETTING_BY_KEY[Setting(item.key)].allows(item.value) for item in settings)


def test_the_board_is_told_what_the_file_says_of_a_motor() -> None:
    motor = Motor(channel=2, microsteps=16, driver_address=3, driver_line=1, stall_threshold=70)
    spread = Motor(channel=2, driver_address=0, chopper="spread", current_ma=1200)
    for each, key, value in (
        (motor, Setting.DRIVER_ADDRESS, 8),
        (motor, Setting.DRIVER_MICROSTEPS, 4),
        (motor, Setting.STALL_THRESHOLD, 70),
        (motor, Setting.DRIVER_MODE, 0),
        (spread, Setting.DRIVER_MODE, 1),
        (spread, Setting.DRIVER_CURRENT_MA, 1200),
        (Motor(channel=2), Setting.DRIVER_ADDRESS, 0),
        (Motor(channel=2, gear=1.5), Setting.STEPS_PER_QUARTER, 600),
        (Motor(channel=2, direction=-1), Setting.DIRECTION, 1),
    ):
        assert Set(key, 2, value) in each.settings
    for value, steps in enumerate((0, 4, 16, 64)):
        soft = Motor(channel=2, soft_start_steps=steps)
        assert Set(Setting.SOFT_START, 2, value) in soft.settings
        assert soft.turn(-2) == Trapezoid(800, 17_391, 1_023_018, steps)


def test_the_board_is_told_of_its_inputs_and_outputs() -> None:
    rig = FaceMotors(name="one", motors={"F": Motor(channel=2)}, enable_active="high")
    assert Set(Setting.ENABLE_POLARITY, NO_MOTOR, 1) in rig.settings()
    for value, wired in enumerate(("false", "true", '"each"')):
        text = default_rig_text().replace("stall_input = false", f"stall_input = {wired}")
        rig = msgspec.convert(tomllib.loads(text), FaceMotors)
        assert Set(Setting.STALL_INPUT, NO_MOTOR, value) in rig.settings(BoardKind.MEGA)
    with pytest.raises(RigError, match="stall_input = "):
        rig.settings(BoardKind.UNO)  # it has one stall input for all
