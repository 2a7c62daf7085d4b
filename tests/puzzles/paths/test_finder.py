"""Ways between states of the catalogue's puzzles: they lead where they should, and are short."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cube.errors import ThistlebotError
from puzzles.groups.analysis import Analysis, UndecidedError
from puzzles.groups.searches import shortest
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import scrambled, turned
from puzzles.paths.finder import PathFinder
from puzzles.paths.way import Finder, WrongPathError
from solver.tables import TableStore


def test_a_path_that_leads_elsewhere_is_a_bug_and_never_returned(
    store: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = puzzle_named("RU")
    state = scrambled(puzzle, 10, np.random.default_rng(1))[0]
    ways = PathFinder(Analysis(puzzle), store, np.random.default_rng(4))
    path = ways.between(state, puzzle.solved)
    assert path is not None
    wrong = replace(path, turns=(*path.turns, puzzle.turns[0]))
    monkeypatch.setattr(ways, "_met", lambda _one, _other: wrong)
    with pytest.raises(WrongPathError):
        ways.between(state, puzzle.solved)
    assert not issubclass(WrongPathError, ThistlebotError)  # a bug: exit code 1, with a traceback


MOST = {
    "3x3x3": 30,
    "2x2x2": 11,
    "supercube": 105,
    "phi2": 18,
    "phi3": 12,
    "RU": 20,
    "slice": 8,
    "antislice": 12,
    "3x2x3": 18,
    "balls-tetrahedron": 20,
    "RUF": 60,
    "URFDL": 23,
    "three-colour": 20,
    "balls-cube": 20,
}
"""The most turns that a way of these has: where ways are shortest, the diameter or above."""


@pytest.fixture(scope="module")
def finders(store: TableStore) -> dict[str, tuple[AnyPuzzle, Finder[Any]]]:
    found: dict[str, tuple[AnyPuzzle, Finder[Any]]] = {}
    for name in MOST:
        puzzle = puzzle_named(name)
        found[name] = puzzle, PathFinder(Analysis(puzzle), store, np.random.default_rng(4))
    return found


@pytest.mark.parametrize("name", MOST)
def test_a_way_leads_from_one_state_to_the_other(
    finders: dict[str, tuple[AnyPuzzle, Finder[Any]]], name: str
) -> None:
    (puzzle, ways), rng = finders[name], np.random.default_rng(3)
    one, other = (scrambled(puzzle, 30, rng)[0] for _ in range(2))
    way = ways.between(one, other)
    assert way is not None
    assert turned(puzzle, one, " ".join(turn.name for turn in way.turns)) == other
    assert len(way.turns) <= MOST[name]


LARGE = {
    "octahedron": 30,
    "phi1": 45,
    "3x3x5": 100,
    "4x4x4": 80,
}
"""Puzzles whose ways are found by chains, quickly."""
LARGER = {
    "pyraminx": 25,
    "icosahedron": 140,
    "balls-dodecahedron": 300,
    "balls-icosahedron": 300,
    "4x4x5": 160,
    "5x5x5": 150,
    "6x6x6": 280,
    "7x7x7": 400,
    "8x8x8": 700,
    "9x9x9": 950,
    "3x8x8": 900,
    "megaminx": 180,
    "3x3x3x3": 420,
}
"""In each run, those above, `test_big_cubes` and `test_chained` protect these."""
_SLOW = (pytest.mark.exhaustive, pytest.mark.timeout(3600))


@pytest.mark.parametrize("name", [*LARGE, *(pytest.param(name, marks=_SLOW) for name in LARGER)])
def test_ways_of_large_puzzles(store: TableStore, name: str) -> None:
    """Home from a random state, and between two of them."""
    puzzle = puzzle_named(name)
    ways = PathFinder(Analysis(puzzle), store, np.random.default_rng(4))
    rng = np.random.default_rng(5)
    one, two = (scrambled(puzzle, 100, rng)[0] for _ in range(2))
    for start, end, factor in ((one, puzzle.solved, 1), (one, two, 2)):
        way = ways.between(start, end)
        assert way is not None
        assert turned(puzzle, start, " ".join(turn.name for turn in way.turns)) == end
        assert way.method != "words"
        assert len(way.turns) <= factor * (LARGE | LARGER)[name]


def test_a_state_that_cannot_be_decided_is_told_in_one_line(store: TableStore) -> None:
    """Half turns of layers leave too many pieces that look alike."""
    puzzle = puzzle_named("4x5x6")
    state = scrambled(puzzle, 100, np.random.default_rng(1))[0]
    ways = PathFinder(Analysis(puzzle), store, np.random.default_rng(4), memory=1000)
    with pytest.raises(UndecidedError):
        ways.between(state, puzzle.solved)


def test_near_states_have_a_shortest_way_although_pieces_look_alike(store: TableStore) -> None:
    """Many elements lead to the other state; one of them is near."""
    puzzle = puzzle_named("three-colour")
    ways = PathFinder(Analysis(puzzle), store, np.random.default_rng(4))
    for seed in range(5):
        state, made = scrambled(puzzle, 5, np.random.default_rng(seed))
        way = ways.between(state, puzzle.solved)
        assert way is not None
        assert way.shortest
        assert len(way.turns) <= len(made)


@pytest.mark.parametrize(("name", "depth"), [("phi3", 10), ("phi2", 5), ("RU", 8)])
def test_ways_are_shortest_where_they_say_so(
    finders: dict[str, tuple[AnyPuzzle, Finder[Any]]], name: str, depth: int
) -> None:
    """Against a search that knows nothing of how states are packed."""
    puzzle, ways = finders[name]
    for seed in range(4):
        state = scrambled(puzzle, depth, np.random.default_rng(seed))[0]
        way = ways.between(state, puzzle.solved)
        known = shortest(puzzle, state, depth)
        assert way is not None
        assert known is not None
        assert way.shortest
        assert len(way.turns) == len(known)


def test_states_of_two_orbits_have_no_way_and_little_memory_gives_longer_ones(
    store: TableStore,
) -> None:
    puzzle = puzzle_named("phi2")
    ways = PathFinder(Analysis(puzzle), store, np.random.default_rng(0))
    assert ways.between(turned(puzzle_named("3x3x3"), puzzle.solved, "R F"), puzzle.solved) is None
    puzzle = puzzle_named("RU")
    state = scrambled(puzzle, 60, np.random.default_rng(2))[0]
    made = [
        PathFinder(Analysis(puzzle), store, np.random.default_rng(0), memory).between(
            state, puzzle.solved
        )
        for memory in (1000, 100_000_000)
    ]
    few, many = (way for way in made if way is not None)
    assert many.shortest
    assert not few.shortest
    assert len(few.turns) >= len(many.turns)
