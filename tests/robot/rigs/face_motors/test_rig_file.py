"""The rig file: its default, its times, its angles, what the board is told, and what it refuses."""

import itertools
import math
import tomllib
from typing import Any

import msgspec
import pytest
from benches import on_a_uart, with_motors

from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.errors import RigError
from robot.protocol.messages import NO_MOTOR, BoardKind, Set
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.catalogue import default_rig, default_rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import Corners, FaceTurn, Turns, transition_key
from robot.rigs.motor import Motor
from robot.rigs.program import motor_remedy
from robot.rigs.trapezoid import Trapezoid


def changed(path: str, value: object) -> dict[str, Any]:
    data: dict[str, Any] = tomllib.loads(default_rig_text())
    *parents, key = path.split(".")
    table = data
    for parent in parents:
        table = table[parent]
    table[key] = value
    return data


REFUSED: list[tuple[str, object, str]] = [
    # A key, its value, and what the message says: the key, and what is possible.
    ("motors.U.channel", 6, "channel 5"),
    ("motors.U.channel", 1, ".R.channel .U.channel"),
    ("motors.U.gear", 0.333, "gear"),
    ("motors.U.gear", -1.0, "gear > 0"),
    ("motors.U.gear", math.inf, "gear"),
    ("motors.U.gear", math.nan, "gear"),
    ("motors.U.steps_per_turn", 10**400, "steps_per_turn"),
    ("motors.U.direction", 0, "direction"),
    ("motors.U.rate_steps_s", 60_000, "rate_steps_s 50000"),
    ("motors.U.acceleration_steps_s2", 1, "acceleration_steps_s2"),
    ("motors.U.steps_per_turn", 0, "steps_per_turn >= 1"),
    ("motors.U.microsteps", 64, "microsteps 3200"),
    ("motors.U.microsteps", 3, "microsteps 3"),
    ("motors.X", {"channel": 5}, "motors.X"),
    ("motors", {}, "motors 1"),
    ("gap_us", -1, "gap_us >= 16"),
    ("enable_active", "up", "enable_active"),
    ("speed", 3, "speed"),
    ("settle_ms", "long", "settle_ms"),
    ("name", "", "name"),
    ("motors.U.driver_address", 4, "driver_address 3"),
    ("motors.U.current_ma", 5000, "current_ma"),
]


def test_bad_rig_files_name_the_key_and_what_is_possible() -> None:
    for path, value, told in REFUSED:
        with pytest.raises(msgspec.ValidationError) as caught:
            msgspec.convert(changed(path, value), FaceMotors)
        said = str(caught.value)
        assert [word for word in told.split() if word not in said] == [], said


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
    assert Motor(channel=2).turn(-2) == Trapezoid(800, 17_391, 1_023_018)


def test_the_board_is_told_of_its_inputs_and_outputs() -> None:
    rig = FaceMotors(name="one", motors={"F": Motor(channel=2)}, enable_active="high")
    assert Set(Setting.ENABLE_POLARITY, NO_MOTOR, 1) in rig.settings()
    for value, wired in enumerate(("false", "true", '"each"')):
        text = default_rig_text().replace("stall_input = false", f"stall_input = {wired}")
        rig = msgspec.convert(tomllib.loads(text), FaceMotors)
        assert Set(Setting.STALL_INPUT, NO_MOTOR, value) in rig.settings(BoardKind.MEGA)
    with pytest.raises(RigError, match="stall_input = "):
        rig.settings(BoardKind.UNO)  # it has one stall input for all


KEYS = Corners.__struct_fields__
PAIRED = [
    (way, pair + half)
    for way in ("", "anti_", "part_")
    for pair in ("_to_pair", "_from_pair", "_pairs")
    for half in ("", "_after_half")
]
TRANSITIONS = {
    "R+1 to U-1": "cut",
    "R-1 to U+2": "cut",
    "R+1 to U+1": "anti_cut",
    "R-2 to U-2": "anti_cut",
    "R+1 to U-1 D-2": "cut_pairs",
    "R+1 L+1 to U-1": "cut_pairs",
    "R+1 to U+1 D-1": "anti_cut_pairs",
    "R+1 L-1 to U-1": "anti_cut_pairs",
    "R-2 L-2 to U-1 D-1": "anti_cut_pairs",
}


def turns(text: str, sign: int = 1) -> Turns:
    """Read turns such as "R+1 L-2"."""
    return tuple(FaceTurn(part[0], sign * int(part[1:])) for part in text.split())


def test_each_transition_has_its_key_and_its_mirror_the_same() -> None:
    for sign in (1, -1):
        assert {
            text: transition_key(*(turns(side, sign) for side in text.split(" to ")))
            for text in TRANSITIONS
        } == TRANSITIONS


def test_faces_of_one_axis_have_an_angle_of_their_own() -> None:
    corners = Corners(cut=30.0, anti_cut=30.0, opposite=40.0)
    assert corners.angle_deg(turns("U+1"), turns("D-1")) == 40.0
    assert corners.angle_deg(turns("U+1"), turns("U+1")) == 0.0
    assert corners.angle_deg(turns("U+1 D+1"), turns("D+1")) == 0.0


def rig_text(table: str, before: str = "") -> str:
    return f"{before}\n" + default_rig_text().replace("[corners]\n", "") + table


@pytest.mark.parametrize(
    ("table", "before", "angles", "replaced"),
    [
        ("cut = 33\nanti_cut_pairs = 7.5", "", Corners(cut=33.0, anti_cut_pairs=7.5), ""),
        ("", "overlap_degrees = 12", Corners(cut=12.0, anti_cut=12.0), "overlap_degrees"),
        ("cut = 33\ncut_after_half = 30", "", Corners(cut=30.0), "cut_after_half"),
        (
            "\n".join(f"{way}cut{pair} = {at}" for at, (way, pair) in enumerate(PAIRED, start=20)),
            "",
            Corners(cut_pairs=20.0, anti_cut_pairs=26.0),
            "cut_to_pair",
        ),
        # What was left out had to wait: one key for both must not make it begin earlier.
        ("cut_to_pair = 33\nanti_cut = 20", "", Corners(anti_cut=20.0), "cut_to_pair"),
    ],
)
def test_a_rig_file_keeps_its_angles_also_those_of_older_keys(
    table: str, before: str, angles: Corners, replaced: str
) -> None:
    text = rig_text(f"\n[corners]\n{table}\n" if table else "", before)
    assert parse_document(text, FaceMotors, "rig").corners == angles
    hint = FaceMotors.renewed(tomllib.loads(text))[1]
    assert replaced in hint
    assert bool(hint) == bool(replaced)


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_document(text, FaceMotors, "rig")
    return str(caught.value)


def test_wrong_angles_are_told_with_their_key() -> None:
    for key, angle in itertools.product(KEYS, (-1, 45.1, "nan")):
        text = rig_text(f"\n[corners]\n{key} = {angle}\n")
        said = refusal(text)
        assert said.startswith(
            (f"rig, corners: {key} ", f"rig, corners.{key}", f"rig: corners.{key}")
        )
        assert angle == "nan" or "at least 0" in said or "at most 45" in said
    said = refusal(rig_text("\n[corners]\nanticut = 3\n"))
    assert "corners.anticut" in said
    assert "anti_cut" in said


def test_a_motor_that_loses_steps_gets_less_speed_and_more_current() -> None:
    for motor, has_key in ((Motor(channel=2), False), (Motor(channel=2, driver_address=0), True)):
        remedy = motor_remedy("motors.R", motor)
        assert "motors.R.rate_steps_s" in remedy
        assert ("motors.R.current_ma" in remedy) == has_key
