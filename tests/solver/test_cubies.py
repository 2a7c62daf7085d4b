import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cube.moves import ALL_MOVES
from cube.random_states import random_state
from cube.state import CubeState
from solver.cubies import Cubies, conjugate_moves, move_cubies, of_state, symmetries


def to_state(cubies: Cubies) -> CubeState:
    """The arrays as a state of the cube (not for symmetries)."""
    return CubeState(
        tuple(cubies.corners.tolist()),
        tuple(cubies.twists.tolist()),
        tuple(cubies.edges.tolist()),
        tuple(cubies.flips.tolist()),
    )


def states() -> st.SearchStrategy[CubeState]:
    return st.integers(0, 2**32).map(lambda seed: random_state(np.random.default_rng(seed)))


@given(states(), states())
def test_arrays_multiply_and_invert_like_states(a: CubeState, b: CubeState) -> None:
    assert to_state(of_state(a) * of_state(b)) == a * b
    assert to_state(of_state(a).inverse()) == a.inverse()


def test_there_are_48_symmetries_and_each_has_an_inverse() -> None:
    one = symmetries()[0]
    assert len({symmetry.row().tobytes() for symmetry in symmetries()}) == 48
    assert all((s * s.inverse()).same_as(one) for s in symmetries())


def test_even_symmetries_are_rotations_that_keep_the_sense_of_turns() -> None:
    turned = conjugate_moves()
    quarter = [move.index for move in ALL_MOVES if move.turns == 1]
    assert np.all(turned[::2, quarter] % 3 == 0)
    assert np.all(turned[1::2, quarter] % 3 == 2)


def test_the_first_sixteen_symmetries_keep_the_vertical_axis() -> None:
    vertical = conjugate_moves()[:, 0] // 3 % 3 == 0
    assert np.flatnonzero(vertical).tolist() == list(range(16))


@given(states(), st.integers(0, 47), st.integers(0, 17))
def test_turning_and_looking_through_a_symmetry_commute(
    state: CubeState, number: int, turn: int
) -> None:
    symmetry = symmetries()[number]
    seen = symmetry * of_state(state) * symmetry.inverse()
    turned = of_state(state) * move_cubies()[turn]
    expected = symmetry * turned * symmetry.inverse()
    assert (seen * move_cubies()[conjugate_moves()[number, turn]]).same_as(expected)


def test_the_shared_array_of_turns_is_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        conjugate_moves()[0, 0] = 1
