"""The tables of the four stages, and the coordinates that they are numbered by."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES
from cube.random_states import random_state
from cube.state import SOLVED
from solver import coordinates
from solver.cubies import of_state
from solver.stages.thistlethwaite import MAX_DEPTHS, STATES, StageTables

# notes of the project, found by an independent breadth-first search
MEANS = (4.6089, 7.8031, 8.7993, 10.1343)


def test_each_table_is_complete_with_the_known_depths(stage_tables: StageTables) -> None:
    for stage, distances in enumerate(stage_tables.distances):
        assert distances.shape == (STATES[stage],)
        assert int(distances.max()) == MAX_DEPTHS[stage]
        assert np.count_nonzero(distances == 0) == 1
        assert float(distances.mean()) == pytest.approx(MEANS[stage], abs=5e-5)


@pytest.mark.source("S3.Thistlethwaite")
def test_the_states_of_the_stages_multiply_to_the_order_of_the_group() -> None:
    assert STATES[0] * STATES[1] * STATES[2] * STATES[3] == 43_252_003_274_489_856_000


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_move_tables_agree_with_the_pieces(seed: int) -> None:
    state = random_state(np.random.default_rng(seed))
    cubies = of_state(state)
    for move in ALL_MOVES:
        turned = of_state(state.apply(move))
        for table, coordinate in (
            (coordinates.flip_moves(), coordinates.flip_of),
            (coordinates.twist_moves(), coordinates.twist_of),
            (coordinates.slice_moves(), coordinates.slice_of),
        ):
            assert table[coordinate(cubies), move.index] == coordinate(turned)


@pytest.mark.source("S3.Phi3")
def test_corner_cosets_are_420_of_96_each_and_all_of_the_solved_cube_is_numbered_zero() -> None:
    for coordinate in (coordinates.flip_of, coordinates.twist_of, coordinates.slice_of):
        assert coordinate(of_state(SOLVED)) == 0
    assert coordinates.square_corners()[0] == coordinates.corner_cosets()[0] == 0
    assert np.bincount(coordinates.corner_cosets()).tolist() == [96] * 420
