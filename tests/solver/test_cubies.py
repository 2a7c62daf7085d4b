"""The cube as arrays, and its 48 symmetries."""

import numpy as np
import pytest
from cubes import RANDOM_CUBES
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES
from cube.state import CubeState
from solver.cubies import conjugate_moves, move_cubies, of_state, symmetries


def test_there_are_48_symmetries_and_each_has_an_inverse() -> None:
    """Even ones are rotations that keep the sense of turns; the first 16 keep the vertical axis."""
    one = symmetries()[0]
    assert len({symmetry.row().tobytes() for symmetry in symmetries()}) == 48
    assert all(np.array_equal((s * s.inverse()).row(), one.row()) for s in symmetries())
    turned = conjugate_moves()
    quarter = [move.index for move in ALL_MOVES if move.turns == 1]
    assert np.all(turned[::2, quarter] % 3 == 0)
    assert np.all(turned[1::2, quarter] % 3 == 2)
    assert np.flatnonzero(turned[:, 0] // 3 % 3 == 0).tolist() == list(range(16))
    with pytest.raises(ValueError, match="read-only"):  # numpy's word: the array is shared
        turned[0, 0] = 1


@settings(max_examples=25)
@given(RANDOM_CUBES, st.integers(0, 47), st.integers(0, 17))
def test_turning_and_looking_through_a_symmetry_commute(
    state: CubeState, number: int, turn: int
) -> None:
    symmetry = symmetries()[number]
    seen = symmetry * of_state(state) * symmetry.inverse()
    turned = of_state(state) * move_cubies()[turn]
    expected = symmetry * turned * symmetry.inverse()
    turned = seen * move_cubies()[conjugate_moves()[number, turn]]
    assert np.array_equal(turned.row(), expected.row())
