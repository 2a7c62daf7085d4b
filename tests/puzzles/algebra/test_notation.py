"""Words as people type them, and what is said where one goes wrong."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.held_moves import is_move, undoing
from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED, CubeState
from puzzles.algebra.notation import Letters, WordError, read_word

CUBE = Letters("the cube", is_move, undoing, "U R F …")
LAYERED = Letters(
    "4×4×4",
    lambda text: text.strip("2'") in {"R", "U"} and text.count("2") <= 2 and text[-1:] != "''",
    lambda move: move.removesuffix("'") if move.endswith("'") else move + "'",
    "R 2R U 2U",
)
MOVES = st.lists(st.sampled_from(ALL_MOVES), min_size=1, max_size=6).map(MoveSequence.of)


def read(text: str) -> str:
    return " ".join(read_word(text, CUBE, 1000))


def effect(text: str) -> CubeState:
    return SOLVED.apply(MoveSequence.parse(read(text)))


def test_words_are_read() -> None:
    for text, moves in (
        ("", ""),
        ("R U R' U'", "R U R' U'"),
        ("RUR'U2", "R U R' U2"),
        ("R’ U′ * F·D", "R' U' F D"),
        ("(R U)3", "R U R U R U"),
        ("(R U)'", "U' R'"),
        ("(R U)2'", "U' R' U' R'"),
        ("(R U2)^-1 F", "U2 R' F"),
        ("(R U)^{−2}", "U' R' U' R'"),
        ("(R U)^0 F", "F"),
        ("R^-2", "R' R'"),
        ("RU^2", "R U U"),
        ("[R, U]", "R U R' U'"),
        ("[R: U]", "R U R'"),
        ("[F: [R,U]]'", "F U R U' R' F'"),
        ("[M' , U2]2", "M' U2 M U2 M' U2 M U2"),
        ("((R)2 Rw)2", "R R Rw R R Rw"),
        ("[R U: D]", "R U D U' R'"),
    ):
        assert read(text) == moves
    assert read_word("RU", LAYERED, 9) == ("R", "U")
    assert read_word("R2", LAYERED, 9) == ("R2",)
    with pytest.raises(WordError):
        read_word("U R2U", LAYERED, 9)


def test_a_mistake_is_found_where_it_is() -> None:
    """By its sign and the number of its character; a tower of powers before it is built."""
    for text, sign, at in (
        ("R U Q'", "Q'", 5),
        ("R Ux2Q F", "Q", 6),
        ("(R U", "(", 1),
        ("R U)", ")", 4),
        ("[R, (U]", "]", 7),
        ("[R U]", "[", 1),
        ("[R U", "[", 1),
        ("R, U", ",", 2),
        ("R: U", ":", 2),
        ("^2", "^", 1),
        ("F (R U)501", "(", 3),
    ):
        with pytest.raises(WordError, match=rf"{re.escape(repr(sign))} \w+ \w+ {at}\b"):
            read(text)
    for text, limit in (
        ("R U F " * 334, 1000),
        ("(" * 60 + "R" + ")" * 60, 50),
        ("((((R)1000)1000)1000)1000", 1_000_000),
    ):
        with pytest.raises(WordError, match=rf"\b{limit}\b"):
            read(text)


@settings(max_examples=25)
@given(MOVES, MOVES)
def test_brackets_are_the_group_operations(a: MoveSequence, b: MoveSequence) -> None:
    one, two = SOLVED.apply(a), SOLVED.apply(b)
    assert effect(f"({a}) * ({b})") == one * two
    assert effect(f"({a})'") == one.inverse()
    assert effect(f"[{a}, {b}]") == one * two * one.inverse() * two.inverse()
    assert effect(f"[{a}: {b}]") == one * two * one.inverse()
    assert effect(f"({a})3") == one * one * one
