import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cube.moves import MoveSequence
from cube.pocket import PocketState
from thistlebot.cli.program import build
from thistlebot.exit_codes import ExitCode


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THISTLEBOT_CACHE_DIR", str(tmp_path))


def solve(*args: str) -> Result:
    return CliRunner().invoke(build(), ["solve", "--cube", "2", *args])


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
    "option", [("--centres",), ("--states", "states.txt"), ("--wait",), ("--resume",)]
)
def test_what_a_small_cube_cannot_do_is_said(option: tuple[str, ...]) -> None:
    result = solve(*option, "--dry-run")
    assert result.exit_code == ExitCode.USAGE
    assert "--cube 2 solves one cube" in str(result.exception) + result.output
