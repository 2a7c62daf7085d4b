"""The parts of each shipped machine, the boards that have them, and kinds of machines."""

import contextlib
from dataclasses import replace

import pytest
from link_peer import reply

from documents.errors import ConfigError
from documents.typed_toml import parse_document
from robot.errors import NotPossibleError
from robot.protocol.messages import BoardKind, HelloReply
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import NAMES, default_rig, default_rig_text, mechanism_type, named_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Motor
from robot.rigs.parts import Part, require_board

ROLES = {
    "six": {face: ("shaft", face) for face in "URFDLB"},
    "five": {face: ("shaft", face) for face in "RFDLB"},
    "cubotino": {"holder": ("shaft", "D"), "cover": ("arm", "B")},
    "cubotino-fast": {"holder": ("shaft", "D"), "cover": ("arm", "B")},
    "mindcub3r": {"table": ("shaft", "D"), "arm": ("arm", "B")},
    "claws": {f"{s}-angle": ("shaft", s) for s in "RF"}
    | {f"{s}-fingers": ("claw", s) for s in "RF"},
    "four-claws": {f"{s}-angle": ("shaft", s) for s in "RFLB"}
    | {f"{s}-claw": ("claw", s) for s in "RFLB"},
    "three": {"upper": ("shaft", "U"), "lower": ("shaft", "D"), "front": ("shaft", "F")},
}
ROLES |= {f"{name}-pi": ROLES[name] for name in ("cubotino", "four-claws")}
BOARDS = {  # motors, servos, outputs: the table of the firmware
    BoardKind.UNO: (6, 2, 2),
    BoardKind.CNC_SHIELD: (4, 0, 1),
    BoardKind.MEGA: (6, 6, 3),
    BoardKind.RAMPS: (6, 2, 4),
    BoardKind.MKS_GEN_L: (5, 2, 5),
}
LARGE = {"four-claws", "four-claws-pi"}
FITTING = {
    BoardKind.UNO: set(NAMES) - LARGE,
    BoardKind.CNC_SHIELD: {"claws", "three"},
    BoardKind.MEGA: set(NAMES) - LARGE,
    BoardKind.RAMPS: set(NAMES) - LARGE,
    BoardKind.MKS_GEN_L: set(NAMES) - LARGE - {"six", "five"},
}


def board(kind: BoardKind) -> HelloReply:
    motors, servos, outputs = BOARDS[kind]
    return replace(reply(), board=kind, motors=motors, servos=servos, outputs=outputs)


def test_every_part_is_known_by_what_the_actions_do() -> None:
    for name in NAMES:
        parts = named_rig(name).parts
        assert {part.name: (part.role, part.side) for part in parts} == ROLES[name]
        assert len({(part.drive, part.channel) for part in parts}) == len(parts)


def test_each_rig_fits_the_boards_that_have_all_of_it() -> None:
    for kind, fitting in FITTING.items():
        for name in NAMES:
            unfit = contextlib.nullcontext() if name in fitting else pytest.raises(NotPossibleError)
            with unfit:
                require_board(name, named_rig(name).parts, board(kind))


def test_all_that_is_missing_is_named_at_once_with_its_keys() -> None:
    rig = named_rig("four-claws")
    told = r"\b6\b.*'four-claws'.*variables\.B-angle\.servo.* 6 .*variables\.B-claw\.servo.* 7\b"
    with pytest.raises(NotPossibleError, match=told):
        require_board(rig.name, rig.parts, board(BoardKind.MEGA))


def test_what_takes_the_pins_of_a_motor_on_an_uno_is_told() -> None:
    parts = (
        Part("table", "variables.table.motor.channel", "motor", 1, "shaft", "D"),
        Part("arm", "variables.arm.servo", "servo", 0, "arm", "B"),
    )
    told = r"variables\.arm\.servo.*variables\.table\.motor\.channel"
    with pytest.raises(NotPossibleError, match=told):
        require_board("mine", parts, board(BoardKind.UNO))
    require_board("mine", parts, board(BoardKind.MEGA))


def test_a_rig_file_is_read_as_what_its_kind_says() -> None:
    assert mechanism_type({"name": "mine"}) is FaceMotors
    assert mechanism_type({"kind": "actions"}) is ActionMachine
    for kind in ('"cradle"', "3", "[]", "{}"):
        text = f"kind = {kind}\n" + default_rig_text()
        found = mechanism_type(parse_document(text, dict, "rig.toml"))
        with pytest.raises(ConfigError, match=r"^rig.toml, kind: .*\bname\b"):
            parse_document(text, found, "rig.toml")
    for kind in ({}, {"kind": "action"}):
        with pytest.raises(ConfigError, match='write kind = "actions"'):
            mechanism_type({**kind, "variables": {}})


def test_a_face_without_a_motor_turns_like_the_slowest_one() -> None:
    rig = default_rig()
    slow = Motor(channel=0, rate_steps_s=1000)
    times = FaceMotors(name="two", motors={"U": slow, "R": rig.motors["R"]}).turn_times
    quarter_ms = 1000 * slow.turn(1).duration_s
    assert times.quarter_ms[0] == times.quarter_ms[2] == quarter_ms
    assert times.quarter_ms[1] == pytest.approx(40.0, abs=1e-3)
    assert times.half_ms[3] == 1000 * slow.turn(2).duration_s
