"""Shortest ways without quarter turns of F and B (S3's Φ1)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.groups.bidirectional import shortest
from solver.puzzles.catalogue import puzzle_named
from solver.puzzles.cubes import Cube
from solver.puzzles.puzzle import scrambled
from solver.tables import TableStore
from solver.ways.phi_chain import PhiChain
from solver.ways.phi_one import is_phi_one, load_phi_one
from solver.ways.phi_one_tables import group_moves, group_numbers, groups, ranked_pairs

CHAIN = PhiChain()


def test_only_phi_one_is_phi_one() -> None:
    assert is_phi_one(puzzle_named("phi1"))
    assert not any(is_phi_one(puzzle_named(name)) for name in ("3x3x3", "phi2", "4x4x4", "RUDL"))


@given(st.permutations(range(12)))
def test_three_groups_of_edges_have_one_number_each(order: list[int]) -> None:
    """Set and rank of the second group lead back to it, and to the set that the third is in."""
    ranks, seconds, thirds = ranked_pairs()
    first, second, third = group_numbers(np.array(order).reshape(3, 4)).tolist()
    assert [sorted(groups()[number].tolist()) for number in (first, second, third)] == [
        sorted(order[at : at + 4]) for at in (0, 4, 8)
    ]
    rank = int(ranks[first // 24, second])
    assert seconds[first // 24, rank] == second
    assert thirds[first // 24, rank] == third // 24


def test_four_equal_turns_move_no_group() -> None:
    moves = group_moves()
    for turn in range(moves.shape[1]):
        there = np.arange(len(moves))
        for _ in range(4):
            there = moves[there, turn]
        assert (there == np.arange(len(moves))).all()


@settings(max_examples=5)
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
    assert isinstance(puzzle, Cube)
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
