"""States of the cube are a group; facelets and pieces tell the same of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.facelets import SOLVED_FACELETS, Facelets, facelet_index, facelet_name
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
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


@pytest.mark.parametrize("face", FACES)
def test_quarter_turns_by_geometry(face: str) -> None:
    """Turn a painted cube in space and compare with the cubie-level definition of the move."""
    assert SOLVED.apply(Move(face, 1)).to_facelets().text == _turned_in_space(face)
    assert SOLVED.apply(Move(face, 2)) == SOLVED.apply(Move(face, 1)).apply(Move(face, 1))
    assert SOLVED.apply(Move(face, 1)).apply(Move(face, 3)) == SOLVED


def _turned_in_space(face: str) -> str:
    normals = {"U": (0, 1, 0), "R": (1, 0, 0), "F": (0, 0, 1)}
    normals |= {"D": (0, -1, 0), "L": (-1, 0, 0), "B": (0, 0, -1)}
    right = {"U": (1, 0, 0), "R": (0, 0, -1), "F": (1, 0, 0), "D": (1, 0, 0)}
    right |= {"L": (0, 0, 1), "B": (-1, 0, 0)}
    spots = []
    for name in FACES:
        normal, along = np.array(normals[name]), np.array(right[name])
        down = np.cross(along, normal)
        spots.extend(
            (normal, normal + (cell % 3 - 1) * along + (cell // 3 - 1) * down) for cell in range(9)
        )
    axis = np.array(normals[face])
    index = {(tuple(n), tuple(p)): i for i, (n, p) in enumerate(spots)}
    text = list(SOLVED_FACELETS.text)

    def turned(vector: np.ndarray) -> tuple[int, ...]:
        return tuple(int(x) for x in axis * (axis @ vector) + np.cross(vector, axis))

    for i, (normal, place) in enumerate(spots):
        if place @ axis == 1:
            text[index[turned(normal), turned(place)]] = SOLVED_FACELETS.text[i]
    return "".join(text)


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
