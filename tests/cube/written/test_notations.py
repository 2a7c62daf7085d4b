"""Cubes as states, texts and nets, and the 2×2×2 cube in any of 24 ways."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.facelets import SOLVED_FACELETS, Facelets, facelet_index, facelet_name, facelets_text
from cube.laws import ORBITS
from cube.moves import ALL_MOVES, MoveSequence
from cube.net import colour_net, text_net
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from cube.pocket import PocketState, rotations
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from cube.written.written_cube import WrittenCube

S4_CUBE = "grbryoyborbbbbobbbryyyrgrrgggyygrogroyygoogoowwwwwwwww"


def test_the_order_of_s4() -> None:
    """S4: c[:9]+c[36:45]+c[18:27]+c[9:18]+c[45:]+c[27:36] goes from Kociemba's order to S4's."""
    c = WrittenCube.parse(S4_CUBE).facelets.text
    faces = {"U": "y", "L": "b", "F": "r", "R": "g", "B": "o", "D": "w"}
    s4 = c[:9] + c[36:45] + c[18:27] + c[9:18] + c[45:] + c[27:36]
    assert "".join(faces[letter] for letter in s4) == S4_CUBE


def test_nets() -> None:
    net = text_net(SOLVED_FACELETS.text)
    assert net.splitlines()[0] == "      U U U"
    assert net.splitlines()[3] == "L L L F F F R R R B B B"
    assert len(net.split("\n")) == 9
    coloured = colour_net(SOLVED_FACELETS.text)
    assert len(coloured.split("\n")) == 9
    assert coloured.count("\x1b[0m") == 54


SEQUENCES = st.lists(st.sampled_from(ALL_MOVES), max_size=12).map(MoveSequence.of)


@settings(max_examples=20)
@given(SEQUENCES)
def test_letters_and_states_say_the_same(moves: MoveSequence) -> None:
    state = rotations()[0].apply(moves)
    assert PocketState.parse(state.text) == state
    assert state.legal


def test_letters_of_faces_are_read_too_but_what_is_no_small_cube_is_not() -> None:
    assert PocketState.parse("UUUURRRRFFFFDDDDLLLLBBBB") == rotations()[0]
    for text in ("", "y" * 24, "yyyybbbbrrrrggggoooowwwx", "U" * 54):
        with pytest.raises(InvalidCubeError):
            PocketState.parse(text)
    assert not PocketState.of(replace(SOLVED, corner_orientation=(1, *(0,) * 7))).legal


states = st.builds(
    lambda seed, orbit: random_state(np.random.default_rng(seed), orbit),
    st.integers(0, 2**32),
    st.sampled_from(ORBITS),
)


@settings(max_examples=25)
@given(states, st.lists(st.sampled_from(ALL_MOVES), max_size=20).map(MoveSequence.of))
def test_turning_is_composing_and_painting_and_recognising_are_inverse(
    state: CubeState, moves: MoveSequence
) -> None:
    assert CubeState.from_facelets(state.to_facelets()) == state
    assert state.apply(moves) == state * SOLVED.apply(moves)


def test_facelets_have_names_and_belong_to_one_piece_each() -> None:
    used = [i for piece in CORNER_FACELETS + EDGE_FACELETS for i in piece]
    assert sorted(used) == [i for i in range(54) if i % 9 != 4]
    assert [facelet_index(facelet_name(i)) for i in range(54)] == list(range(54))
    assert facelet_name(53) == "B9"
    around = [f"F{cell}" for cell in range(1, 10) if cell != 5]
    for names, told in ((around, "F"), ([*around, "U2"], "F U2"), (["U2", "B1"], "U2 B1")):
        words = re.findall(r"\b[A-Z]\d?\b", facelets_text(names))
        assert " ".join(words) == told


def test_what_is_no_facelet_no_cube_and_no_state_is_refused() -> None:
    for name in ("X1", "U0", "U10"):
        with pytest.raises(InvalidCubeError, match=name):
            facelet_index(name)
    for text, named in (("U" * 53, r"\b53\b"), ("U" * 53 + "X", "'X' .*B9"), ("", r"\b0\b")):
        with pytest.raises(InvalidCubeError, match=named):
            Facelets(text)
    with pytest.raises(InvalidCubeError):
        CubeState((0,) * 8, (0,) * 8, tuple(range(12)), (0,) * 12)
