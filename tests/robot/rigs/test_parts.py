"""What the parts of each shipped machine are for, where they are, and which boards have them."""

from dataclasses import replace

import pytest
from link_peer import reply

from robot.errors import NotPossibleError
from robot.protocol.messages import BoardKind, HelloReply
from robot.rigs.board_fit import require_board
from robot.rigs.catalogue import NAMES, named_rig
from robot.rigs.part import Part

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
BOARDS = {  # motors, servos, outputs: the table of the firmware
    BoardKind.UNO: (6, 2, 2),
    BoardKind.CNC_SHIELD: (4, 0, 1),
    BoardKind.MEGA: (6, 6, 3),
    BoardKind.RAMPS: (6, 2, 4),
    BoardKind.MKS_GEN_L: (5, 2, 5),
}
FITTING = {
    BoardKind.UNO: set(NAMES) - {"four-claws"},
    BoardKind.CNC_SHIELD: {"claws", "three"},
    BoardKind.MEGA: set(NAMES) - {"four-claws"},
    BoardKind.RAMPS: set(NAMES) - {"four-claws"},
    BoardKind.MKS_GEN_L: set(NAMES) - {"four-claws", "six", "five"},
}


def board(kind: BoardKind) -> HelloReply:
    motors, servos, outputs = BOARDS[kind]
    return replace(reply(), board=kind, motors=motors, servos=servos, outputs=outputs)


def test_every_part_is_known_by_what_the_actions_do() -> None:
    for name in NAMES:
        parts = named_rig(name).parts
        assert {part.name: (part.role, part.side) for part in parts} == ROLES[name]
        assert len({(part.drive, part.channel) for part in parts}) == len(parts)


def fits(name: str, kind: BoardKind) -> bool:
    try:
        require_board(name, named_rig(name).parts, board(kind))
    except NotPossibleError:
        return False
    return True


def test_each_rig_fits_the_boards_that_have_all_of_it() -> None:
    for kind, fitting in FITTING.items():
        assert {name for name in NAMES if fits(name, kind)} == fitting


def test_all_that_is_missing_is_named_at_once_with_its_keys() -> None:
    rig = named_rig("four-claws")
    told = r"\b6\b.*'four-claws'.*variables\.B-angle\.servo.* 6 .*variables\.B-claw\.servo.* 7\b"
    with pytest.raises(NotPossibleError, match=told):
        require_board(rig.name, rig.parts, board(BoardKind.MEGA))
    rig = named_rig("mindcub3r")
    with pytest.raises(NotPossibleError, match=r"variables\.arm\.servo"):
        require_board(rig.name, rig.parts, board(BoardKind.CNC_SHIELD))


def test_what_takes_the_pins_of_a_motor_on_an_uno_is_told() -> None:
    parts = (
        Part("table", "variables.table.motor.channel", "motor", 1, "shaft", "D"),
        Part("arm", "variables.arm.servo", "servo", 0, "arm", "B"),
    )
    told = r"variables\.arm\.servo.*variables\.table\.motor\.channel"
    with pytest.raises(NotPossibleError, match=told):
        require_board("mine", parts, board(BoardKind.UNO))
    require_board("mine", parts, board(BoardKind.MEGA))
