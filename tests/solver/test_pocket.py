"""The 2×2×2 cube is solved in the fewest turns."""

import numpy as np
import pytest
from cubes import RANDOM_CUBES, TWISTED
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.pocket import PocketState, rotations
from cube.state import CubeState
from solver.pocket import STATES, PocketSolver, load_pocket
from solver.tables import TableStore


@pytest.fixture(scope="module")
def pocket(store: TableStore) -> PocketSolver:
    return load_pocket(store)


def test_the_distances_of_all_states_are_the_published_ones(pocket: PocketSolver) -> None:
    """Numbers of 2×2×2 states by half-turn distance: J. Scherphuis, jaapsch.net."""
    counts = np.bincount(pocket.distances)
    known = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644]
    assert counts.tolist() == known
    assert counts.sum() == STATES == 3674160


@settings(max_examples=25)
@given(RANDOM_CUBES, st.integers(0, 23))
def test_any_state_is_solved_as_it_is_held(
    pocket: PocketSolver, whole: CubeState, held: int
) -> None:
    state = PocketState.of(whole) * rotations()[held]
    moves = pocket.solve(state)
    assert state.apply(moves) in rotations()
    assert len(moves) <= 11


def test_a_twisted_corner_is_refused(pocket: PocketSolver) -> None:
    with pytest.raises(InvalidCubeError):
        pocket.solve(PocketState.of(TWISTED))
