import json
from pathlib import Path

import pytest
from typer.testing import Result

from cube.moves import MoveSequence
from cube.pocket import PocketState
from run_thistlebot import thistlebot
from thistlebot.exit_codes import ExitCode

COLOURS = (
    [230, 230, 225],
    [190, 20, 30],
    [20, 140, 60],
    [235, 210, 20],
    [250, 110, 20],
    [20, 60, 170],
)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))


def solve(*args: str) -> Result:
    return thistlebot("solve", "--cube", "2", *args)


def test_a_small_cube_is_solved_on_paper() -> None:
    text = "yrgyryborgyrobgwwbgobwwo"
    result = solve("--facelets", text, "--dry-run", "--json")
    assert result.exit_code == ExitCode.DONE, result.output
    record = json.loads(result.stdout)
    moves = MoveSequence.parse(record["moves"])
    assert record["metrics"]["htm"] == len(moves) == 10
    assert PocketState.parse(text).apply(moves).is_solved


def test_a_rig_does_not_turn_small_cubes() -> None:
    result = solve("--scramble", "R U F")
    assert result.exit_code == ExitCode.USAGE
    assert "--dry-run" in str(result.exception) + result.output


def test_a_small_cube_has_to_be_given() -> None:
    result = solve("--dry-run")
    assert result.exit_code == ExitCode.USAGE


@pytest.mark.parametrize(
    "option",
    [("--centres",), ("--states", "states.txt"), ("--wait",), ("--threads", "-3"), ("--learn",)],
)
def test_what_a_small_cube_cannot_do_is_said(option: tuple[str, ...]) -> None:
    result = solve(*option, "--dry-run")
    assert result.exit_code == ExitCode.USAGE
    said = str(result.exception) + result.output
    assert "--cube 2 does not go with" in said
    assert option[0] in said


def test_one_small_cube_is_solved_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "scans.jsonl"
    solved = json.dumps({"rgb": [colour for colour in COLOURS for _ in range(4)]}) + "\n"
    for text, said in (("", "no scan"), (2 * solved, "several scans")):
        file.write_text(text)
        result = solve("--rgb", str(file), "--dry-run")
        assert result.exit_code == ExitCode.USAGE
        assert said in str(result.exception) + result.output
