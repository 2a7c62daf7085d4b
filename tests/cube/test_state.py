"""States of the cube are a group; facelets and pieces tell the same of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.captions import sticker_cube
from cube.errors import InvalidCubeError
from cube.facelets import SOLVED_FACELETS, Facelets, facelet_index, facelet_name
from cube.moves import ALL_MOVES, MoveSequence
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from cube.random_states import random_reassembly
from cube.state import SOLVED, CubeState

states = st.integers(0, 2**32).map(lambda seed: random_reassembly(np.random.default_rng(seed)))


@settings(max_examples=25)
@given(states, st.lists(st.sampled_from(ALL_MOVES), max_size=20).map(MoveSequence.of))
def test_turning_is_composing_and_painting_and_recognising_are_inverse(
    state: CubeState, moves: MoveSequence
) -> None:
    assert CubeState.from_facelets(state.to_facelets()) == state
    assert state.apply(moves) == state * SOLVED.apply(moves)


def test_every_move_turns_the_stickers_of_a_cube_in_space() -> None:
    for move in ALL_MOVES:
        text = SOLVED.apply(move).to_facelets().text
        assert sticker_cube.read(text) == sticker_cube.after(sticker_cube.SOLVED, str(move))


def test_facelets_have_names_and_belong_to_one_piece_each() -> None:
    used = [i for piece in CORNER_FACELETS + EDGE_FACELETS for i in piece]
    assert sorted(used) == [i for i in range(54) if i % 9 != 4]
    assert [facelet_index(facelet_name(i)) for i in range(54)] == list(range(54))
    assert facelet_name(53) == "B9"


def test_what_is_no_facelet_no_cube_and_no_state_is_refused() -> None:
    with pytest.raises(InvalidCubeError, match="X1"):
        facelet_index("X1")
    for text, named in (("U" * 53, r"\b53\b"), ("U" * 53 + "X", "'X' .*B9"), ("", r"\b0\b")):
        with pytest.raises(InvalidCubeError, match=named):
            Facelets(text)
    with pytest.raises(InvalidCubeError):
        CubeState((0,) * 8, (0,) * 8, tuple(range(12)), (0,) * 12)


def test_french_top() -> None:
    """The French sources write T for U."""
    assert Facelets.parse(SOLVED_FACELETS.text.replace("U", "t")) == SOLVED_FACELETS
