"""The verb `init`: a rig file to begin with."""

import json
from pathlib import Path

import pytest

from robot.rigs.catalogue import NAMES, named_rig
from run_thistlebot import thistlebot
from thistlebot.config import Folders, load_rig


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_the_rig_and_is_found_from_then_on(name: str) -> None:
    done = thistlebot("init", "--rig", name)
    assert done.exit_code == 0, done.stderr
    assert load_rig(None, Folders.of_platform()) == named_rig(name)
    assert named_rig(name).name == name


@pytest.mark.parametrize("name", NAMES)
def test_every_key_of_the_file_is_explained(name: str, here: Path) -> None:
    thistlebot("init", "--rig", name)
    text = (here / "rig.toml").read_text()
    keys = {line.split(" =")[0] for line in text.splitlines() if " = " in line and line[0] != "#"}
    remarks = "\n".join(line for line in text.splitlines() if line.startswith("#"))
    explained = {"name", "kind", "device", "view"}  # beside their tables, in words
    if name in ("six", "five"):
        explained |= {"port", "baud", "parallel", "gap_us", "settle_ms", "host_timeout_ms"}
        explained |= {"idle_timeout_ms", "enable_active", "enable_settle_ms", "stall_input"}
    else:
        explained |= {"port", "settle_ms"}
        explained |= {*named_rig(name).variables}  # type: ignore[attr-defined]
    for key in keys - explained:
        assert f"#   {key} " in remarks, key


def test_a_file_that_is_there_stays(here: Path) -> None:
    (here / "rig.toml").write_text("mine\n")
    done = thistlebot("init", "--rig", "cubotino")
    assert done.exit_code == 2
    assert "rig.toml is there already" in " ".join(done.stderr.split())
    assert (here / "rig.toml").read_text() == "mine\n"
    other = thistlebot("init", "--rig", "cubotino", "--output", "other.toml", "--json")
    assert json.loads(other.stdout) == {"rig": "cubotino", "file": "other.toml"}
    assert (here / "other.toml").is_file()


def test_a_name_that_nobody_knows_is_refused(here: Path) -> None:
    done = thistlebot("init", "--rig", "sixx")
    assert done.exit_code == 2
    assert "choose of six, five, cubotino" in " ".join(done.stderr.split())
    assert list(here.iterdir()) == []
