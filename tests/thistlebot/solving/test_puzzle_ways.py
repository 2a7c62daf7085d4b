"""Which method finds a way from one state of a puzzle to another."""

from pathlib import Path

import numpy as np
import pytest

from solver.groups.analysis import Analysis
from solver.puzzles.catalogue import puzzle_named
from solver.puzzles.puzzle import scrambled
from solver.tables import TableStore
from thistlebot.solving.puzzle_ways import Connection, Way, connect


@pytest.mark.parametrize(
    ("name", "way", "method"),
    [
        ("3x3x3", Way.AUTO, "the cube's solver"),
        ("3x3x3", Way.WORDS, "words"),
        ("RUF", Way.AUTO, "from both ends"),
        ("2x2x2", Way.AUTO, "the table of all states"),
        ("2x2x2", Way.WORDS, "words"),
        ("2x2x2", Way.BIDIRECTIONAL, "bidirectional"),
        ("phi3", Way.AUTO, "from both ends"),
        ("balls-tetrahedron", Way.AUTO, "from both ends"),
    ],
)
def test_a_puzzle_with_a_solver_is_solved_by_it_unless_another_way_is_wanted(
    cache_folder: Path, name: str, way: Way, method: str
) -> None:
    puzzle, rng = puzzle_named(name), np.random.default_rng(4)
    start, _ = scrambled(puzzle, 3, rng)
    store = TableStore(cache_folder / "tables")
    found: Connection = connect(
        Analysis(puzzle), start, puzzle.solved, way, limit=3, store=store, rng=rng
    )
    assert found.method == method
    assert found.moves is not None
    for turn in found.moves:
        start = puzzle.apply(start, turn)
    assert start == puzzle.solved
