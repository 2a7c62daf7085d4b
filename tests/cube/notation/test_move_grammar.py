"""Texts of moves: what they mean, and what is refused."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_moves import written_moves

from cube.errors import NotationError
from cube.held_moves import read_moves
from cube.moves import ALL_MOVES, FACES, MoveSequence
from cube.notation.cube_alphabet import CUBE_MOVES, FACE_TURNS, CubeMove
from cube.notation.move_grammar import parse_moves
from cube.state import SOLVED, CubeState

SEQUENCES = st.lists(st.sampled_from(ALL_MOVES), min_size=1, max_size=6).map(MoveSequence.of)
NAMES = [*FACES, *(f"{face}w" for face in FACES), *"MESxyz"]
SINGLE = st.builds(CubeMove, st.sampled_from(NAMES), st.integers(1, 3))


def effect(text: str) -> CubeState:
    return SOLVED.apply(read_moves(text))


def refused(read: object, text: str) -> bool:
    assert callable(read)
    try:
        read(text)
    except NotationError:
        return True
    return False


def test_every_written_form_is_read_rightly_or_refused() -> None:
    rows = written_moves()
    assert len(rows) >= 150
    wrong = []
    for text, moves in rows:
        if moves is None:
            ok = refused(read_moves, text) and refused(MoveSequence.parse, text)
        else:
            try:
                ok = read_moves(text).simplified() == read_moves(moves).simplified()
            except NotationError:
                ok = False
            ok = ok and (
                refused(MoveSequence.parse, text) or MoveSequence.parse(text) == read_moves(text)
            )
        if not ok:
            wrong.append(text)
    assert not wrong


def test_a_mistake_is_found_where_it_is() -> None:
    """By its sign and its place; a tower of powers before it is built."""
    for text, sign, place in (
        ("R U Q'", "Q'", "5"),
        ("R UR'Q F", "Q", "6"),
        ("R U\nF M5", "M5", r"3 of line 2"),
        ("(R U", "(", "1"),
        ("R U)", ")", "4"),
        ("[R, (U]", "]", "7"),
        ("[R\n (U]", "]", r"4 of line 2"),
        ("[R U]", "[", "1"),
        ("[R U", "[", "1"),
        ("R U, F", ",", "4"),
        ("R: U", ":", "2"),
        ("^2", "^", "1"),
        ("F (R U)5001", "(", "3"),
        ("R // U\n Р", "Р", "2 of line 2"),
        ("1. 12.34   R Q", "Q", "14"),
    ):
        with pytest.raises(NotationError, match=rf"{re.escape(repr(sign))} \w+ \w+ {place}\b"):
            read_moves(text)
    for text, limit in (
        ("R U F " * 3334, 10_000),
        ("(" * 60 + "R" + ")" * 60, 50),
        ("[" * 40 + "R" + ", U]" * 40, 10_000),
        ("((((R)9999)9999)9999)9999", 10_000),
        ("R" * 300_000, 200_000),
        ("csTimer" * 30_000, 200_000),
    ):
        with pytest.raises(NotationError, match=rf"\b{limit}\b"):
            read_moves(text)


@settings(max_examples=25)
@given(SEQUENCES, SEQUENCES)
def test_brackets_are_the_group_operations(a: MoveSequence, b: MoveSequence) -> None:
    one, two = SOLVED.apply(a), SOLVED.apply(b)
    assert effect(f"({a}) * ({b})") == one * two
    assert effect(f"({a})'") == one.inverse()
    assert effect(f"[{a}, {b}]") == one * two * one.inverse() * two.inverse()
    assert effect(f"[{a}: {b}]") == one * two * one.inverse()
    assert effect(f"({a})x3") == one * one * one


@settings(max_examples=50)
@given(st.lists(SINGLE, max_size=8))
def test_print_and_parse_round_trip_and_the_inverse_undoes(moves: list[CubeMove]) -> None:
    text = " ".join(map(str, moves))
    assert parse_moves(text, CUBE_MOVES) == tuple(moves)
    assert parse_moves(f"({text})'" if text else "", CUBE_MOVES) == tuple(
        move.inverse() for move in reversed(moves)
    )
    undone = " ".join(str(move.inverse()) for move in reversed(moves))
    assert effect(f"{text} {undone}") == SOLVED


PIECES = [
    *("R", "U2", "F'", "Rw", "r", "M", "x", "T", "2R", "3Rw", "x2", "6", "2", "'", "’", "i", "-"),
    *("(", ")", "[", "]", ",", ":", "*", "^", "|", ".", "//", "\n", " ", " ", "\u00a0", "1. ", "s"),
]


@settings(max_examples=300)
@given(st.one_of(st.lists(st.sampled_from(PIECES), max_size=10).map("".join), st.text(max_size=9)))
def test_any_text_means_one_thing_in_both_alphabets(text: str) -> None:
    """The narrower one only refuses more, and spaces around a text change nothing."""
    try:
        faces = parse_moves(text, FACE_TURNS)
    except NotationError:
        pass
    else:
        assert parse_moves(text, CUBE_MOVES) == faces
    assert refused(read_moves, text) == refused(read_moves, f"\n {text} \n")
    if not refused(read_moves, text):
        assert read_moves(str(read_moves(text))) == read_moves(text)
        if "//" not in text and "." not in text and text.strip(" \n\u00a0,"):
            grouped = f"({text})2"
            assert refused(read_moves, grouped) or len(parse_moves(grouped, CUBE_MOVES)) == 2 * len(
                parse_moves(text, CUBE_MOVES)
            )
