"""Boards that lack something of a rig are refused by name, and those that have it are not."""

from dataclasses import replace

import pytest
from link_peer import reply

from robot.errors import NotPossibleError
from robot.ports.clock import SimulatedClock
from robot.protocol.messages import BoardKind, HelloReply, State
from robot.rigs.board_fit import require_board
from robot.rigs.catalogue import NAMES, default_rig, named_rig
from robot.rigs.part import Part
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig

BOARDS = {  # motors, servos, outputs: the table of the firmware
    BoardKind.UNO: (6, 2, 2),
    BoardKind.CNC_SHIELD: (4, 0, 1),
    BoardKind.MEGA: (6, 6, 3),
    BoardKind.RAMPS: (6, 2, 4),
    BoardKind.MKS_GEN_L: (5, 2, 5),
}
FITTING = {
    BoardKind.UNO: {"six", "five", "cubotino", "cubotino-fast", "mindcub3r", "claws", "three"},
    BoardKind.CNC_SHIELD: {"claws", "three"},
    BoardKind.MEGA: set(NAMES) - {"four-claws"},
    BoardKind.RAMPS: set(NAMES) - {"four-claws"},
    BoardKind.MKS_GEN_L: set(NAMES) - {"four-claws", "six", "five"},
}


def board(kind: BoardKind) -> HelloReply:
    motors, servos, outputs = BOARDS[kind]
    has = {"motors": motors, "servos": servos, "outputs": outputs, "switches": 1}
    return replace(reply(), board=kind, **has)


@pytest.mark.parametrize("kind", BOARDS)
def test_each_rig_fits_the_boards_that_have_all_of_it(kind: BoardKind) -> None:
    fitting = set()
    for name in NAMES:
        rig = named_rig(name)
        try:
            require_board(rig.name, rig.parts, board(kind))
        except NotPossibleError:
            continue
        fitting.add(name)
    assert fitting == FITTING[kind]


def test_all_that_is_missing_is_named_at_once_with_its_keys() -> None:
    rig = named_rig("four-claws")
    told = r"6.*'four-claws' variables\.B-angle\.servo is 6 .*variables\.B-claw\.servo is 7"
    with pytest.raises(NotPossibleError, match=told):
        require_board(rig.name, rig.parts, board(BoardKind.MEGA))
    rig = named_rig("mindcub3r")
    with pytest.raises(NotPossibleError, match=r"variables\.arm\.servo is 0"):
        require_board(rig.name, rig.parts, board(BoardKind.CNC_SHIELD))


def test_what_takes_the_pins_of_a_motor_on_an_uno_is_told() -> None:
    parts = (
        Part("table", "variables.table.motor.channel", "motor", 1, "shaft", "D"),
        Part("arm", "variables.arm.servo", "servo", 0, "arm", "B"),
    )
    with pytest.raises(NotPossibleError, match=r"0 .*1"):
        require_board("mine", parts, board(BoardKind.UNO))
    require_board("mine", parts, board(BoardKind.MEGA))


def test_nothing_is_sent_to_a_board_that_lacks_something() -> None:
    clock = SimulatedClock()
    virtual = VirtualRig(default_rig(), clock)  # six servos, as a Mega has
    driver = RigDriver(virtual, named_rig("four-claws"), clock, seed=1)
    driver.connect()
    for refused in (driver.settings, driver.prepare):
        with pytest.raises(NotPossibleError, match=r"variables\.B-angle\.servo is 6"):
            refused()
    assert virtual.board.state is State.DISABLED
    assert virtual.board.accepted == 0
    assert not any(arm.pulse_us for arm in virtual.parts.servos)
