"""Words of any puzzle, beside the states that its turns make."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import NotationError
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import CATALOGUE, puzzle_named
from puzzles.kinds.puzzle import scrambled, turned
from solver.tables import TableStore
from teaching.puzzles_as_typed import FoundPath, PathSearch, PuzzleMethod, WordReader, connect

NAMES = [listed.name for listed in CATALOGUE if listed.make]
READERS = {name: WordReader(puzzle_named(name)) for name in ("3x3x3", "4x4x4", "megaminx", "phi3")}


def test_words_of_every_puzzle_are_read() -> None:
    for name in NAMES:
        puzzle = puzzle_named(name)
        reader = WordReader(puzzle)
        one, two = puzzle.turns[0].name, puzzle.turns[-1].name
        word = reader.read(f"[{one}, {two}] ({two})^-1")
        inverse = {turn.name: turn.inverse for turn in puzzle.turns}
        flat = f"{one} {two} {inverse[one]} {inverse[two]} {inverse[two]}"
        assert word.moves == tuple(flat.split()), name
        assert word.state == turned(puzzle, puzzle.solved, flat), name
        assert puzzle.pieces.looks(word.element.arrangement) == puzzle.pieces.looks(
            puzzle.arrangement(word.state)
        ), name
        undone = reader.read(f"({word.text}) {reader.both_ways(word)[1]}")
        assert undone.element.order == 1, name
        with pytest.raises(NotationError, match="%"):
            reader.read(f"{one} %")


@settings(max_examples=25)
@given(st.sampled_from(sorted(READERS)), st.lists(st.integers(0, 2**20), max_size=12))
def test_a_shortened_word_does_the_same(name: str, numbers: list[int]) -> None:
    reader = READERS[name]
    turns = reader.puzzle.turns
    word = reader.read(" ".join(turns[number % len(turns)].name for number in numbers))
    short, back = reader.both_ways(word)
    assert len(short.split()) <= len(word.moves)
    again = reader.read(short)
    assert (again.element.arrangement == word.element.arrangement).all()
    assert reader.read(f"({word.text}) ({back})").element.order == 1


WAYS = (
    ("3x3x3", PuzzleMethod.AUTO, "the cube's solver"),
    ("3x3x3", PuzzleMethod.WORDS, "words"),
    ("RUF", PuzzleMethod.AUTO, "from both ends"),
    ("2x2x2", PuzzleMethod.AUTO, "the table of all states"),
    ("2x2x2", PuzzleMethod.WORDS, "words"),
    ("2x2x2", PuzzleMethod.BIDIRECTIONAL, "bidirectional"),
)


def test_a_puzzle_with_a_solver_is_solved_by_it_unless_another_way_is_wanted(
    store: TableStore,
) -> None:
    for name, way, method in WAYS:
        puzzle, rng = puzzle_named(name), np.random.default_rng(4)
        state, _ = scrambled(puzzle, 3, rng)
        found: FoundPath = connect(
            Analysis(puzzle), state, puzzle.solved, PathSearch(way, 3), store=store, rng=rng
        )
        assert found.method == method
        assert found.moves is not None
        for turn in found.moves:
            state = puzzle.apply(state, turn)
        assert state == puzzle.solved, (name, way)
