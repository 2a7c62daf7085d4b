"""Where a calibration writes what it measured, and what it keeps of what was there."""

from pathlib import Path

import pytest

from documents.errors import ConfigError
from run_thistlebot import thistlebot
from thistlebot.session.measured_file import measured_file, write_measured


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
