"""Whose camera is lent, where views are looked for, what calibrations write and processes cost."""

from pathlib import Path

import pytest
from cubes import cube
from hand_video import record

from calibration.rig_file import with_flipped
from documents.errors import ConfigError
from robot.errors import NotPossibleError
from robot.rigs.catalogue import default_rig, default_rig_text
from run_thistlebot import thistlebot, told
from thistlebot.config import Folders, load_rig, load_view
from thistlebot.exit_codes import ExitCode
from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine
from thistlebot.session.measured_file import (
    measured_file,
    rig_target,
    save_rig,
    save_view,
    write_measured,
)
from vision.errors import CameraError
from vision.virtual.viewpoints import default_views


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


def test_a_virtual_machine_says_which_named_devices_it_does_not_use() -> None:
    notes: list[str] = []
    choices = Choices(port="/dev/ttyACM7", cameras=("7",), virtual=True)
    with open_machine(choices, Folders.of_platform(), note=notes.append) as machine:
        machine.hurry()
        machine.view_reader(moving=False)
        machine.connected_driver()
    assert [text.split()[-1] for text in notes] == ["7", "/dev/ttyACM7"]


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
    assert backup.read_bytes() == b"\xff\xfe\r\na"


def test_the_users_own_files_are_made_where_there_are_none() -> None:
    """And none for a virtual machine, or beside a rig that comes with the program."""
    folders, view = Folders.of_platform(), default_views()[0]
    with open_machine(Choices(virtual=True), folders) as machine:
        assert save_rig(machine, with_flipped(machine.rig, "U")).file is None
    with (
        open_machine(Choices(rig=Path("claws")), folders) as machine,
        pytest.raises(NotPossibleError, match="rig new claws"),
    ):
        rig_target(machine)
    with open_machine(Choices(), folders) as machine:
        written = save_rig(machine, with_flipped(machine.rig, "U"))
        seen = save_view(machine, 0, view)
    assert written.file == folders.config / "rig.toml"
    assert load_rig(None, folders).motors["U"].direction == -default_rig().motors["U"].direction
    assert seen.file.is_relative_to(folders.config)
    assert load_view(seen.file).names() == view.names()
