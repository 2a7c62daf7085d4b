"""Searching with S5's backtracking, and from both ends."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.pocket import PocketState
from solver.errors import SolverError
from solver.groups.backtracking import solutions
from solver.groups.bidirectional import shortest
from solver.pocket import PocketSolver, load_pocket
from solver.puzzles.box import Box
from solver.puzzles.puzzle import Turn, scrambled, turned
from solver.tables import TableStore

POCKET = Box(2, 2, 2, fixed=True)
SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def pocket(store: TableStore) -> PocketSolver:
    return load_pocket(store)


def names(turns: tuple[Turn, ...]) -> str:
    return " ".join(turn.name for turn in turns)


@pytest.mark.source("S5.backtracking")
@settings(max_examples=3, deadline=None)
@given(SEEDS)
def test_backtracking_finds_the_fewest_moves(pocket: PocketSolver, seed: int) -> None:
    """S5: a pocket cube scrambled by six moves."""
    state, _ = scrambled(POCKET, 6, np.random.default_rng(seed))
    found = next(solutions(POCKET, state, 6))
    assert POCKET.is_solved(turned(POCKET, state, names(found)))
    assert len(found) == pocket.distance(PocketState.parse("".join(state)))


@settings(max_examples=8, deadline=None)
@given(SEEDS, st.integers(0, 8))
def test_both_ends_meet_after_the_fewest_moves(
    pocket: PocketSolver, seed: int, length: int
) -> None:
    state, _ = scrambled(POCKET, length, np.random.default_rng(seed))
    found = shortest(POCKET, state, 8)
    assert found is not None
    assert turned(POCKET, state, names(found)) == POCKET.solved
    assert len(found) == pocket.distance(PocketState.parse("".join(state)))


@pytest.mark.source("S5.backtracking")
def test_longer_solutions_are_kept_when_wanted() -> None:
    small = Box(2, 2, 1, fixed=True)  # two half turns that come round after a while
    state = turned(small, small.solved, "R2")
    assert [names(found) for found in solutions(small, state, 3)] == ["R2"]
    lengths = [len(found) for found in solutions(small, state, 12, longer=True)]
    assert lengths[0] == 1
    assert len(lengths) > 1
    assert lengths == sorted(lengths)


@pytest.mark.source("S5.model")
def test_slice_turns_are_moves_like_others() -> None:
    """S5 turns any layer: the checkerboard takes three slice turns."""
    cube = Box(3, 3, 3)
    state = turned(cube, cube.solved, "2R2 2U2 2F2")
    found = next(solutions(cube, state, 3))
    assert len(found) == 3
    assert all(turn.name.startswith("2") for turn in found)


def test_what_is_out_of_reach_is_not_found() -> None:
    state = turned(POCKET, POCKET.solved, "R U F R U F")
    assert shortest(POCKET, state, 3) is None
    assert not list(solutions(POCKET, state, 2))
    with pytest.raises(SolverError):
        next(solutions(POCKET, POCKET.solved, -1))
    with pytest.raises(SolverError):
        shortest(POCKET, POCKET.solved, -1)
