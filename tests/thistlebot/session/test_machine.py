"""What stands behind the serial port, told to the user, and where a rig file's views lie."""

from pathlib import Path

import pytest
import serial
from typer.testing import Result

from robot.protocol.messages import PROTOCOL_VERSION
from robot.rigs.catalogue import default_rig_text
from robot.virtual.faults import Faults, Impostor
from run_thistlebot import thistlebot, told
from thistlebot.exit_codes import ExitCode


def run(port: object, moves: str = "R U") -> Result:
    return thistlebot("run", moves, "--port", port, "--json")


def test_a_board_of_another_version_is_named_with_it(pty_rig) -> None:
    """What is silent, or no board of ours, is told apart in tests/robot/running."""
    path, rig = pty_rig(Faults(impostor=Impostor.OTHER_VERSION))
    result = run(path)
    assert result.exit_code == ExitCode.NO_DEVICE
    assert told(result).type == "ProtocolVersionError"
    assert path in told(result).text
    assert str(PROTOCOL_VERSION + 1) in told(result).text
    assert rig.moves == ()


def test_a_port_that_is_busy_or_missing(pty_rig, tmp_path: Path) -> None:
    path, rig = pty_rig()
    with serial.Serial(path, exclusive=True):
        busy = run(path)
    assert rig.moves == ()
    missing = run(tmp_path / "nowhere")
    assert (busy.exit_code, missing.exit_code) == (ExitCode.NO_DEVICE, ExitCode.NO_DEVICE)
    assert told(busy).type != told(missing).type == "PortMissingError"
    assert path in told(busy).text
    assert str(tmp_path / "nowhere") in told(missing).text


@pytest.mark.parametrize(
    ("faults", "error", "data"),
    [
        (Faults(reset_at_move=3), "BoardResetError", ""),
        (Faults(stall_at_move=2), "AbortedError", "face U"),
    ],
)
def test_a_board_that_restarts_or_stalls_is_not_trusted(
    pty_rig, faults: Faults, error: str, data: str
) -> None:
    result = run(pty_rig(faults)[0], "R U F2 D' L B R U")
    assert result.exit_code == ExitCode.NOT_VERIFIED
    assert told(result).type == error
    assert data in told(result).text


def test_a_view_is_looked_for_beside_the_rig_file_that_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    folder.mkdir()
    camera = '[[cameras]]\nname = "upper"\ndevice = 0\nview = "upper.toml"\n'
    (folder / "rig.toml").write_text(default_rig_text() + camera)
    result = thistlebot("scan", "--rig", folder / "rig.toml", "--json")
    assert result.exit_code == ExitCode.USAGE
    assert str(folder / "upper.toml") in told(result).text
