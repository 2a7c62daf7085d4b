"""What stands behind the serial port, whose camera is lent, and where measures are written."""

from pathlib import Path

import pytest
import serial
from hand_video import record
from typer.testing import Result
from world import cube

from documents.errors import ConfigError
from robot.protocol.messages import PROTOCOL_VERSION
from robot.rigs.catalogue import default_rig_text
from robot.virtual.faults import Faults, Impostor
from run_thistlebot import thistlebot, told
from thistlebot.config import Folders
from thistlebot.exit_codes import ExitCode
from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine
from thistlebot.session.measured_file import measured_file, write_measured
from vision.errors import CameraError


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


def test_a_view_is_looked_for_beside_the_rig_file_that_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    folder.mkdir()
    camera = '[[cameras]]\nname = "upper"\ndevice = 0\nview = "upper.toml"\n'
    (folder / "rig.toml").write_text(default_rig_text() + camera)
    result = thistlebot("scan", "--rig", folder / "rig.toml", "--json")
    assert result.exit_code == ExitCode.USAGE
    assert str(folder / "upper.toml") in told(result).text


def test_the_rigs_cameras_are_closed_before_and_the_lent_one_afterwards(tmp_path: Path) -> None:
    video = tmp_path / "faces.avi"
    record(video, cube(1), "F")
    choices = Choices(cameras=(str(video),))
    with open_machine(choices, Folders.of_platform()) as machine:
        own = machine.open_camera(str(video))
        own.read()
        with machine.lend_camera(str(video)) as lent:
            assert lent.read().size == (640, 480)
            with pytest.raises(CameraError):
                own.read()
        with pytest.raises(CameraError):
            lent.read()
        assert machine.board is None


def test_a_virtual_measurement_goes_where_it_is_told_to_and_nowhere_else(tmp_path: Path) -> None:
    usual, named = tmp_path / "rig.toml", tmp_path / "named.toml"
    assert measured_file(usual, None, virtual=False) == usual
    assert measured_file(usual, None, virtual=True) is None
    assert measured_file(usual, named, virtual=True) == named
    assert write_measured(None, "a = 1").record() == {"file": None, "backup": None}
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError):  # a place that cannot be written is known first
        measured_file(tmp_path / "file" / "rig.toml", None, virtual=False)


def test_every_calibration_keeps_what_it_replaces(tmp_path: Path) -> None:
    file = tmp_path / "rig.toml"
    assert write_measured(file, "a = 1\nb = 2\n").backup is None
    assert write_measured(file, "a = 1\nb = 2\n").backup is None  # nothing changed
    first = write_measured(file, "a = 1\nb = 3\n")
    second = write_measured(file, "a = 9\n")
    assert file.read_text() == "a = 9\n"
    names = [written.backup and written.backup.name for written in (first, second)]
    assert names == ["rig.toml.1.bak", "rig.toml.2.bak"]
    assert (tmp_path / "rig.toml.1.bak").read_text() == "a = 1\nb = 2\n"
    assert first.differences == ("-b = 2", "+b = 3")
    assert str(file) in first.text().splitlines()[-1]
    file.write_bytes(b"\xff\xfe\r\na")  # no text is kept to the byte
    backup = write_measured(file, "a = 1\n").backup
    assert backup is not None
    assert backup.read_bytes() == b"\xff\xfe\r\na"


@pytest.mark.usefixtures("simulated_time")
@pytest.mark.parametrize(
    "verb", ["motors --faces U --no-corners", "colours", "camera --yes --state "]
)
def test_calibrating_the_virtual_machine_changes_no_file(verb: str, tmp_path: Path) -> None:
    state = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB" * verb.endswith("--state ")
    result = thistlebot("calibrate", *(verb + state).split(), "--virtual")
    assert result.exit_code == 0, result.output
    assert not list((tmp_path / "config").rglob("*"))
