"""The 2×2×2 cube, held in any of 24 ways."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.moves import ALL_MOVES, MoveSequence
from cube.pocket import PocketState, home, rotations
from cube.state import SOLVED, CubeState

SEQUENCES = st.lists(st.sampled_from(ALL_MOVES), max_size=12).map(MoveSequence.of)


def test_a_cube_lies_in_the_hand_in_24_ways_and_turns_with_opposite_faces() -> None:
    assert len(set(rotations())) == 24
    assert all(rotation.is_solved for rotation in rotations())
    assert rotations()[0].apply(MoveSequence.parse("U D'")).is_solved
    assert not rotations()[0].apply(MoveSequence.parse("U D")).is_solved


@settings(max_examples=20)
@given(SEQUENCES)
def test_letters_and_states_say_the_same(moves: MoveSequence) -> None:
    state = rotations()[0].apply(moves)
    assert PocketState.parse(state.text) == state
    assert state.legal


@settings(max_examples=20)
@given(SEQUENCES, st.integers(0, 23))
def test_any_way_to_hold_a_cube_is_the_same_cube(moves: MoveSequence, number: int) -> None:
    state = rotations()[0].apply(moves)
    assert home(state * rotations()[number])[0] == home(state)[0]


def test_letters_of_faces_are_read_too_but_what_is_no_small_cube_is_not() -> None:
    assert PocketState.parse("UUUURRRRFFFFDDDDLLLLBBBB") == rotations()[0]
    for text in ("", "y" * 24, "yyyybbbbrrrrggggoooowwwx", "U" * 54):
        with pytest.raises(InvalidCubeError):
            PocketState.parse(text)
    twisted = CubeState(
        SOLVED.corner_permutation, (1, *(0,) * 7), SOLVED.edge_permutation, SOLVED.edge_orientation
    )
    assert not PocketState.of(twisted).legal
