"""The verb `init`: a rig file to begin with."""

from pathlib import Path

import pytest

from robot.rigs.catalogue import NAMES, named_rig
from run_thistlebot import record, thistlebot
from thistlebot.config import Folders, load_rig
from thistlebot.exit_codes import ExitCode


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_file_is_its_rig_is_found_from_then_on_and_explains_every_key(here: Path) -> None:
    for name in NAMES:
        assert record("init", "--rig", name) == {"rig": name, "file": "rig.toml"}
        assert load_rig(None, Folders.of_platform()) == named_rig(name)
        assert named_rig(name).name == name
        lines = (here / "rig.toml").read_text().splitlines()
        keys = {line.split(" =")[0] for line in lines if " = " in line and line[0] != "#"}
        remarks = "\n".join(line for line in lines if line.startswith("#"))
        explained = {"name", "kind", "device", "view"}  # beside their tables, in words
        if name in ("six", "five"):
            explained |= {"port", "baud", "parallel", "gap_us", "lanes", "settle_ms"}
            explained |= {"host_timeout_ms", "idle_timeout_ms", "enable_active"}
            explained |= {"enable_settle_ms", "stall_input"}
        else:
            explained |= {"port", "settle_ms"}
            explained |= {*named_rig(name).variables}  # type: ignore[attr-defined]
        assert {key for key in keys - explained if f"#   {key} " not in remarks} == set(), name
        (here / "rig.toml").unlink()


def test_a_file_that_is_there_stays(here: Path) -> None:
    (here / "rig.toml").write_text("mine\n")
    done = thistlebot("init", "--rig", "cubotino")
    assert done.exit_code == ExitCode.USAGE
    assert "rig.toml" in done.stderr
    assert (here / "rig.toml").read_text() == "mine\n"
    other = record("init", "--rig", "cubotino", "--output", "other.toml")
    assert other == {"rig": "cubotino", "file": "other.toml"}
    assert (here / "other.toml").is_file()
