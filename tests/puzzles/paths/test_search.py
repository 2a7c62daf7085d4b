"""Shortest ways without quarter turns of F and B (S3's Φ1)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.groups.searches import shortest
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.puzzle import scrambled
from puzzles.paths.phi_one_search import PhiChain, is_phi_one, load_phi_one
from solver.tables import TableStore

CHAIN = PhiChain()


def test_only_phi_one_is_phi_one() -> None:
    assert is_phi_one(puzzle_named("phi1"))
    assert not any(is_phi_one(puzzle_named(name)) for name in ("3x3x3", "phi2", "4x4x4", "RUDL"))


@settings(max_examples=2)
@given(seed=st.integers(0, 2**32))
def test_the_chain_through_phi_two_leads_home(seed: int) -> None:
    puzzle = puzzle_named("phi1")
    state = scrambled(puzzle, 60, np.random.default_rng(seed))[0]
    moves = CHAIN.moves(state, 800_000_000)
    assert moves is not None
    assert state.apply(moves) == puzzle.solved
    assert {str(move) for move in moves} <= {turn.name for turn in puzzle.turns}
    assert len(moves) <= 12 + 18


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_ways_are_shortest(store: TableStore) -> None:
    """Against a search that knows nothing of tables; and of far states none is too long."""
    puzzle = puzzle_named("phi1")
    assert isinstance(puzzle, CubePuzzle)
    ways = load_phi_one(puzzle, store)
    for seed in range(12):
        state = scrambled(puzzle, 1 + seed % 6, np.random.default_rng(seed))[0]
        way, known = ways.between(state, puzzle.solved), shortest(puzzle, state, 6)
        assert way is not None
        assert known is not None
        assert len(way.turns) == len(known)
    state = scrambled(puzzle, 12, np.random.default_rng(1))[0]
    way = ways.between(state, puzzle.solved)
    assert way is not None
    assert len(way.turns) <= 12
    for turn in way.turns:
        state = puzzle.apply(state, turn)
    assert state == puzzle.solved
