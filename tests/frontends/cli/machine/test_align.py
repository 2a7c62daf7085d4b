"""Turns that were cut off between two detents: nothing turns across a face that stands askew."""

import pytest
from faulty_rig import Faults

from robot.errors import EmergencyStopError
from run_thistlebot import record, thistlebot, told
from thistlebot.exit_codes import ExitCode
from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine

TURNING = (
    ("run", "U"),
    ("scramble", "--seed", "1"),
    ("try", "U"),
    ("calibrate", "motors", "--faces", "U"),
    ("solve", "--scramble", "R U", "--no-verify"),
)
FAULTS = {
    "reset": (Faults(reset_at_move=2), "BoardResetError", ""),
    "stall": (Faults(stall_at_move=2), "AbortedError", "face U"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_nothing_turns_after_a_turn_was_interrupted_until_somebody_says_it_may(
    name: str, pty_rig
) -> None:
    """Which turns leave a face askew is told by tests/robot/running."""
    faults, error, data = FAULTS[name]
    port, rig = pty_rig(faults)
    cut_off = thistlebot("run", "R U F", "--port", port, "--json")
    assert cut_off.exit_code == ExitCode.NOT_VERIFIED
    assert (told(cut_off).type, data in told(cut_off).text) == (error, True)
    before = rig.moves
    for verb in TURNING:
        result = thistlebot(*verb, "--port", port, "--json")
        assert told(result).type == "NotAlignedError", verb
        assert result.exit_code == ExitCode.NOT_VERIFIED
    assert thistlebot("stop", "--port", port).exit_code == 0  # which says nothing of the faces
    assert thistlebot("run", "U", "--port", port).exit_code == ExitCode.NOT_VERIFIED
    assert thistlebot("align", "--port", port).exit_code == ExitCode.USAGE  # nobody is there
    assert rig.moves == before
    by_verb = name == "reset"
    if by_verb:  # as a script may
        assert thistlebot("run", "U", "--port", port, "--aligned").exit_code == 0
    else:
        assert record("align", "--port", port, "--aligned")["cut_off"]
    assert not record("align", "--port", port)["cut_off"]
    turned = len(rig.moves)
    assert turned == len(before) + by_verb
    assert thistlebot("run", "F", "--port", port).exit_code == 0
    assert len(rig.moves) == turned + 1


def test_a_confirmation_is_not_used_up_by_a_run_that_was_refused(pty_rig) -> None:
    port, rig = pty_rig(Faults(stall_at_move=2))
    assert thistlebot("run", "R U F", "--port", port).exit_code == ExitCode.NOT_VERIFIED
    before = rig.moves
    rig.board.press_estop()
    refused = thistlebot("try", "U", "--port", port, "--aligned", "--json")
    assert told(refused).type == "EmergencyStopError"
    rig.board.release_estop()
    assert told(thistlebot("try", "U", "--port", port, "--json")).type == "NotAlignedError"
    assert rig.moves == before
    with open_machine(Choices(port=port, aligned=True)) as machine:
        rig.board.press_estop()
        for refuse in (machine.require_aligned, machine.driver):
            with pytest.raises(EmergencyStopError):
                refuse()
        rig.board.release_estop()
        machine.driver()
        assert not machine.why_askew()
