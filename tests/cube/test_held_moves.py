"""Slices, wide moves and turns of the whole cube become turns of faces, seen from the centres."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.held_moves import is_move, read_moves, undoing
from cube.moves import MoveSequence, NotationError
from cube.state import SOLVED


def test_moves_of_slices_and_the_cube_become_turns_of_faces() -> None:
    for text, faces in (
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
    ):
        assert read_moves(text).simplified() == MoveSequence.parse(faces).simplified()
    # M4 is nothing, M then x is R L': the cube is looked at from its centres.
    assert SOLVED.apply(read_moves("M M M M")) == SOLVED
    assert str(read_moves("M")) == "R L'"
    assert SOLVED.apply(read_moves("M x")) == SOLVED.apply(read_moves("R L'"))


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["M", "E2", "S'", "Rw", "u'", "x", "y2", "z'", "F", "L2"])))
def test_undoing_undoes(words: list[str]) -> None:
    swap = {"": "'", "'": "", "2": "2"}
    undone = [w.rstrip("'2") + swap[w[len(w.rstrip("'2")) :]] for w in reversed(words)]
    assert SOLVED.apply(read_moves(" ".join(words + undone))) == SOLVED


def test_spaces_brackets_and_primes_are_free_and_what_is_no_move_is_named() -> None:
    for text, faces in (
        ("RUR’U′", "R U R' U'"),
        ("(R U) | R3, T2'", "R U R' U2"),
        ("M2E", "R2 L2 U' D"),
        ("", ""),
    ):
        assert read_moves(text) == MoveSequence.parse(faces)
    for text, named in (
        ("R Q", "Q"),
        ("R4", "4"),
        ("m", "m"),
        ("Mw", "w"),
        ("xw", "w"),
        ("R U X", "X"),
        ("R''", "'"),
        ("1", "1"),
    ):
        with pytest.raises(NotationError, match=named):
            read_moves(text)


def test_a_single_move_is_undone() -> None:
    for move in ("R", "U2", "F'", "M", "E2", "x'", "Rw", "r2", "T", "R2'", "R3"):
        assert is_move(move)
        assert not read_moves(f"{move} {undoing(move)} R").simplified().moves[1:]
    for text in ("", "R U", "RU", "Q", "R4", "w", "'"):
        assert not is_move(text)
        with pytest.raises(NotationError):
            undoing(text)
