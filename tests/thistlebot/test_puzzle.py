import json

import pytest
from typer.testing import CliRunner, Result

from solver.puzzles.box import Box
from solver.puzzles.puzzle import turned
from thistlebot.cli.program import build
from thistlebot.exit_codes import ExitCode


def puzzle(*args: str) -> Result:
    return CliRunner().invoke(build(), ["puzzle", *args])


@pytest.mark.parametrize("method", ["backtracking", "bidirectional"])
def test_a_scramble_is_undone(method: str) -> None:
    result = puzzle("4x4x4", "--scramble", "R 2U2", "--solve", method, "--limit", "2", "--json")
    assert result.exit_code == ExitCode.DONE, result.output
    record = json.loads(result.stdout)
    box = Box(4, 4, 4)
    assert box.is_solved(turned(box, tuple(record["state"]), record["moves"]))
    assert len(record["moves"].split()) == 2


def test_a_box_is_shown_with_its_turns() -> None:
    result = puzzle("3x2x3")
    assert "3×2×3: 12 turns" in result.output
    assert "U U U" in result.output


def test_the_limit_is_said() -> None:
    result = puzzle("2x2x2", "--scramble", "R U F", "--solve", "backtracking", "--limit", "1")
    assert result.exit_code == ExitCode.UNSOLVABLE
    assert "--limit" in result.output


@pytest.mark.parametrize(
    "args",
    [
        ("tetrahedron",),
        ("0x2x2",),
        ("2x2x2", "--scramble", "L"),
        ("2x2x2", "--scramble", "R", "--random", "3"),
    ],
)
def test_what_is_no_puzzle_is_refused(args: tuple[str, ...]) -> None:
    assert puzzle(*args).exit_code == ExitCode.USAGE
