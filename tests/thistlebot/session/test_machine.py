"""What stands behind the serial port, told to the user: each case one message and exit code 5.

And where the files lie that a rig file names.
"""

from pathlib import Path

import pytest
import serial
from typer.testing import Result

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.protocol.messages import PROTOCOL_VERSION
from robot.rigs.catalogue import default_rig_text
from robot.virtual.faults import Faults, Impostor
from run_thistlebot import thistlebot


def run(port: object, moves: str = "R U") -> Result:
    return thistlebot("run", moves, "--port", port)


@pytest.mark.parametrize(
    ("impostor", "said"),
    [
        (Impostor.SILENT, "nothing answers on"),
        (Impostor.NOISE, "is no packet of ours"),
        (Impostor.OTHER_VERSION, f"speaks version {PROTOCOL_VERSION + 1} of the protocol"),
    ],
)
def test_whatever_is_no_board_of_ours(pty_rig, impostor: Impostor, said: str) -> None:
    path, rig = pty_rig(Faults(impostor=impostor))
    result = run(path)
    assert result.exit_code == 5
    assert said in " ".join(result.stderr.split())
    assert path in result.stderr
    assert rig.moves == ()


def test_a_busy_port(pty_rig) -> None:
    path, rig = pty_rig()
    with serial.Serial(path, exclusive=True):
        result = run(path)
    assert result.exit_code == 5
    assert "in use" in " ".join(result.stderr.split())
    assert rig.moves == ()


def test_a_missing_port(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere")
    assert result.exit_code == 5
    assert "nowhere" in result.stderr


def test_a_board_that_turns(pty_rig) -> None:
    path, rig = pty_rig()
    result = run(path, "R U F2 D'")
    assert result.exit_code == 0, result.stderr
    assert rig.state == SOLVED.apply(MoveSequence.parse("R U F2 D'"))


def test_a_board_that_restarts_is_not_trusted(pty_rig) -> None:
    path, _ = pty_rig(Faults(reset_at_move=3))
    result = run(path, "R U F2 D' L B R U")
    assert result.exit_code == 7
    assert "scan again" in " ".join(result.stderr.split())


def test_a_stalled_motor(pty_rig) -> None:
    path, _ = pty_rig(Faults(stall_at_move=2))
    result = run(path, "R U F2 D'")
    assert result.exit_code == 7
    assert "the motor of face U stalled" in " ".join(result.stderr.split())


def test_a_view_is_looked_for_beside_the_rig_file_that_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    folder.mkdir()
    camera = '[[cameras]]\nname = "upper"\ndevice = 0\nview = "upper.toml"\n'
    (folder / "rig.toml").write_text(default_rig_text() + camera)
    result = thistlebot("scan", "--rig", folder / "rig.toml")
    assert result.exit_code == 2
    assert str(folder / "upper.toml") in "".join(result.stderr.split())
