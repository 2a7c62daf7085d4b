"""Which method finds a way from one state of a puzzle to another."""

from pathlib import Path

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.puzzle import scrambled
from solver.tables import TableStore
from teaching.puzzles_as_typed import FoundPath, PuzzleMethod, connect

WAYS = (
    ("3x3x3", PuzzleMethod.AUTO, "the cube's solver"),
    ("3x3x3", PuzzleMethod.WORDS, "words"),
    ("RUF", PuzzleMethod.AUTO, "from both ends"),
    ("2x2x2", PuzzleMethod.AUTO, "the table of all states"),
    ("2x2x2", PuzzleMethod.WORDS, "words"),
    ("2x2x2", PuzzleMethod.BIDIRECTIONAL, "bidirectional"),
)


def test_a_puzzle_with_a_solver_is_solved_by_it_unless_another_way_is_wanted(
    cache_folder: Path,
) -> None:
    store = TableStore(cache_folder / "tables")
    for name, way, method in WAYS:
        puzzle, rng = puzzle_named(name), np.random.default_rng(4)
        state, _ = scrambled(puzzle, 3, rng)
        found: FoundPath = connect(
            Analysis(puzzle), state, puzzle.solved, way, limit=3, store=store, rng=rng
        )
        assert found.method == method
        assert found.moves is not None
        for turn in found.moves:
            state = puzzle.apply(state, turn)
        assert state == puzzle.solved, (name, way)
