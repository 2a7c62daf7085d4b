"""Groups for GAP and Sage: read back as text, they have the order of the puzzle."""

import re
from pathlib import Path

import pytest
from sympy.combinatorics import Permutation, PermutationGroup

from puzzles.groups.analysis import Analysis
from puzzles.groups.export import ENDINGS, exported
from puzzles.kinds.catalogue import puzzle_named
from solver.errors import SolverError


def read_back(text: str) -> PermutationGroup:
    """The group that the lines of turns describe, without our permutations."""
    lines = [line for line in text.splitlines() if line.lstrip().startswith(("(", "["))]
    turns = []
    for line in lines:
        cycles = [list(map(int, each.split(","))) for each in re.findall(r"\(([\d,]+)\)", line)]
        turns.append(Permutation([[number - 1 for number in cycle] for cycle in cycles]))
    return PermutationGroup(turns)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["3x3x3", "phi3", "RU", "2x2x2", "slice"])
def test_the_exported_group_has_the_order_of_the_puzzle(name: str, ending: str) -> None:
    puzzle = puzzle_named(name)
    text = exported(puzzle, Path(f"group{ending}"))
    assert read_back(text).order() == Analysis(puzzle).group_order


def test_other_endings_are_refused() -> None:
    with pytest.raises(SolverError):
        exported(puzzle_named("RU"), Path("group.txt"))
