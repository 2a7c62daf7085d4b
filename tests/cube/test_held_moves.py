"""Slices, wide moves and turns of the whole cube become turns of faces, seen from the centres."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cube.held_moves import is_move, read_moves, undoing
from cube.moves import ALL_MOVES, MoveSequence, NotationError
from cube.state import SOLVED


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("R U' F2", "R U' F2"),
        ("M", "R L'"),
        ("M U", "R L' B"),
        ("x U", "F"),
        ("y R", "B"),
        ("z U", "L"),
        ("Rw U", "L F"),
        ("r2", "L2"),
        ("E S", "U D' R L'"),
        ("x y z x' y' z' x y' z' y", ""),
    ],
)
def test_moves_of_slices_and_the_cube_become_turns_of_faces(text: str, faces: str) -> None:
    assert read_moves(text).simplified() == MoveSequence.parse(faces).simplified()


@given(st.lists(st.sampled_from(["M", "E2", "S'", "Rw", "u'", "x", "y2", "z'", "F", "L2"])))
def test_undoing_undoes(words: list[str]) -> None:
    swap = {"": "'", "'": "", "2": "2"}
    undone = [w.rstrip("'2") + swap[w[len(w.rstrip("'2")) :]] for w in reversed(words)]
    assert SOLVED.apply(read_moves(" ".join(words + undone))) == SOLVED


def test_what_is_no_move_is_named() -> None:
    with pytest.raises(NotationError, match="'Q'"):
        read_moves("R Q")


@given(st.lists(st.sampled_from(ALL_MOVES)))
def test_moves_of_faces_are_read_as_they_are_written(moves: list) -> None:
    text = " ".join(map(str, moves))
    assert read_moves(text) == MoveSequence.parse(text) == MoveSequence(tuple(moves))


@pytest.mark.parametrize(
    ("text", "faces"),
    [("RUR’U′", "R U R' U'"), ("(R U) | R3, T2'", "R U R' U2"), ("M2E", "R2 L2 U' D"), ("", "")],
)
def test_spaces_brackets_and_primes_are_free(text: str, faces: str) -> None:
    assert read_moves(text) == MoveSequence.parse(faces)


@pytest.mark.parametrize("text", ["R4", "m", "Mw", "xw", "R U X", "R''", "1"])
def test_a_wrong_move_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="is no move"):
        read_moves(text)


def test_slices_pass_through_a_fixed_hold() -> None:
    """M4 is nothing, M then x is R L': the cube is looked at from its centres."""
    assert SOLVED.apply(read_moves("M M M M")) == SOLVED
    assert str(read_moves("M")) == "R L'"
    assert SOLVED.apply(read_moves("M x")) == SOLVED.apply(read_moves("R L'"))


@pytest.mark.parametrize("move", ["R", "U2", "F'", "M", "E2", "x'", "Rw", "r2", "T", "R2'", "R3"])
def test_a_typed_move_is_undone(move: str) -> None:
    assert is_move(move)
    assert not read_moves(f"{move} {undoing(move)} R").simplified().moves[1:]


@pytest.mark.parametrize("text", ["", "R U", "RU", "Q", "R4", "w", "'"])
def test_what_is_no_single_move(text: str) -> None:
    assert not is_move(text)
    with pytest.raises(NotationError):
        undoing(text)
