"""A 2×2×2 cube is solved on paper."""

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


def test_what_a_small_cube_cannot_do_is_said(tmp_path: Path) -> None:
    """A rig does not turn it, it has to be given, and one is solved at a time."""
    none, two = tmp_path / "none.jsonl", tmp_path / "two.jsonl"
    none.write_text("")
    two.write_text(2 * (json.dumps({"rgb": [one for one in COLOURS for _ in range(4)]}) + "\n"))
    wrong = []
    for options, data in (
        (("--scramble", "R U F"), "--dry-run"),
        (("--dry-run",), ""),
        (("--dry-run", "--centres"), "--centres"),
        (("--dry-run", "--states", "states.txt"), "--states"),
        (("--dry-run", "--wait"), "--wait"),
        (("--dry-run", "--threads", "-3"), "--threads"),
        (("--dry-run", "--learn"), "--learn"),
        (("--dry-run", "--rgb", str(none)), "none.jsonl"),
        (("--dry-run", "--rgb", str(two)), "two.jsonl"),
    ):
        result = solve(*options)
        said = str(result.exception) + result.output
        if result.exit_code != ExitCode.USAGE or data not in said:
            wrong.append((options, said))
    assert not wrong
