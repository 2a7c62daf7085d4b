"""Rigs by name: what is known, and a solve on machines that handle the cube."""

from pathlib import Path

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.rigs.board_file import GCodeFile
from robot.rigs.catalogue import NAMES, named_rig
from run_thistlebot import record, records, thistlebot
from thistlebot.config import Folders, load_rig
from thistlebot.exit_codes import ExitCode

SCRAMBLE = MoveSequence.parse("R U F2")
FACELETS = SOLVED.apply(SCRAMBLE).to_facelets().text
PICTURES = Path(__file__).parents[4] / "docs" / "pictures" / "rigs"


def test_the_known_rigs_are_listed_and_drawn_as_in_the_documents(tmp_path: Path) -> None:
    lines = thistlebot("rig", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines[::2]] == list(NAMES)
    assert all(Path(line.strip()).is_file() for line in lines[1::2])
    found = records("rig", "list")
    assert [each["name"] for each in found] == list(NAMES)
    assert {each["name"]: each["faces"] for each in found}["five"] == "RFDLB"
    assert [each["picture"] for each in found] == [line.strip() for line in lines[1::2]]
    cover = {"name": "cover", "servo": 1, "places": ["closed", "open", "flipped"]}
    assert cover in found[2]["parts"]
    for each in records("rig", "draw", *NAMES, "--pictures", tmp_path):
        drawn = Path(each["picture"])
        kept = PICTURES / drawn.name
        assert drawn.read_text() == kept.read_text(), "`make pictures` draws them anew"


def test_a_dry_run_tells_what_the_machine_would_do() -> None:
    asked = ("solve", "--rig", "cubotino", "--facelets", FACELETS, "--dry-run")
    shown = thistlebot(*asked).stdout
    assert "moves     F2 U' R'" in shown
    assert "turn the lowest layer  U'\n" in shown  # as the rig file names its actions
    found = record(*asked)
    actions = found["actions"]
    assert MoveSequence.parse(found["moves"]) == SCRAMBLE.inverse()
    made = MoveSequence.parse(" ".join(each["moves"] for each in actions))
    assert SOLVED.apply(SCRAMBLE).apply(made) == SOLVED
    assert actions[-1]["start_s"] + actions[-1]["time_s"] == pytest.approx(found["time_s"])
    assert sum(each["time_s"] for each in actions) == pytest.approx(found["time_s"])
    six = ("solve", "--rig", "six", "--facelets", FACELETS, "--dry-run")
    assert "actions" not in record(*six)
    run = thistlebot("run", "D", "--rig", "cubotino", "--dry-run").stdout
    assert "    0.00 s  close the cover\n    0.30 s  turn the lowest layer  D\nhold " in run


def test_each_file_is_its_rig_is_found_from_then_on_and_explains_every_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a file that is there stays."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "rig.toml"
    for name in NAMES:
        assert record("rig", "new", name) == {"rig": name, "file": "rig.toml"}
        made = load_rig(None, Folders.of_platform())
        slow = any(motor.rate_steps_s == 4000 for motor in made.motors.values())
        assert slow if name in ("six", "five") else made == named_rig(name)
        assert named_rig(name).name == name
        lines = file.read_text().splitlines()
        keys = {line.split(" =")[0] for line in lines if " = " in line and line[0] != "#"}
        remarks = "\n".join(line for line in lines if line.startswith("#"))
        explained = {"name", "kind", "device", "view"}  # beside their tables, in words
        if name in ("six", "five"):
            explained |= {"port", "baud", "parallel", "gap_us", "lanes", "settle_ms"}
            explained |= {"host_timeout_ms", "idle_timeout_ms", "enable_active"}
            explained |= {"enable_settle_ms", "stall_input"}
        else:
            explained |= {"port", "settle_ms"}
            explained |= {*named_rig(name).variables}
        assert {key for key in keys - explained if f"#   {key} " not in remarks} == set(), name
        file.unlink()
    file.write_text("mine\n")
    done = thistlebot("rig", "new", "cubotino")
    assert done.exit_code == ExitCode.USAGE
    assert "rig.toml" in done.stderr
    assert file.read_text() == "mine\n"
    other = record("rig", "new", "cubotino", "--output", "other.toml")
    assert other == {"rig": "cubotino", "file": "other.toml"}
    assert (tmp_path / "other.toml").is_file()


def test_a_rig_file_for_a_controller_is_written_and_used(tmp_path: Path) -> None:
    for rig, dialect in (("six", "grbl"), ("five", "marlin"), ("three", "grbl")):
        file = tmp_path / f"{rig}.toml"
        thistlebot("rig", "new", rig, "--board", dialect, "--output", file)
        machine = load_rig(file, Folders.of_platform())
        assert machine.port.startswith(f"{dialect}:")
        assert isinstance(machine.board, GCodeFile)
        assert machine.parts == named_rig(rig).parts
    found = thistlebot("doctor", "--virtual", "--rig", tmp_path / "six.toml").stdout
    assert "grbl:virtual rig answers" in found
