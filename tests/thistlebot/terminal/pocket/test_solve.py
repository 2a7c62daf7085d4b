"""A 2×2×2 cube on the command line: solved on paper, and nothing else."""

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


def test_what_a_small_cube_cannot_do_is_refused(tmp_path: Path) -> None:
    one = json.dumps({"rgb": [colour for colour in COLOURS for _ in range(4)]}) + "\n"
    empty, two = tmp_path / "empty.jsonl", tmp_path / "two.jsonl"
    empty.write_text("")
    two.write_text(2 * one)
    refused = {
        ("--scramble", "R U F"): "--dry-run",
        ("--dry-run",): "",
        ("--centres", "--dry-run"): "--centres",
        ("--states", "states.txt", "--dry-run"): "--states",
        ("--wait", "--dry-run"): "--wait",
        ("--threads", "-3", "--dry-run"): "--threads",
        ("--learn", "--dry-run"): "--learn",
        ("--rgb", str(empty), "--dry-run"): "empty.jsonl",
        ("--rgb", str(two), "--dry-run"): "two.jsonl",
    }
    wrong = []
    for options, named in refused.items():
        result = solve(*options)
        said = "".join((str(result.exception) + result.output).split())
        if result.exit_code != ExitCode.USAGE or named not in said:
            wrong.append((options, result.exit_code, said))
    assert not wrong
