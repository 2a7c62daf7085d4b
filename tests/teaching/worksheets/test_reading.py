"""Answers as people type them, and what worksheets count, held against other counts."""

from fractions import Fraction
from math import factorial

from hypothesis import given
from hypothesis import strategies as st

from puzzles.kinds.cubes import face_cube
from puzzles.kinds.puzzle import may_follow
from teaching.worksheets.figures import Effect, places, word
from teaching.worksheets.mistakes import words_up_to
from teaching.worksheets.questions import read_letters, read_number, read_numbers

NUMBERS = {
    "8!·3⁷·12!·2^10": factorial(8) * 3**7 * factorial(12) * 2**10,
    "8! * 3**8 × 12! ⋅ 2¹² / 12": factorial(8) * 3**8 * factorial(12) * 2**12 // 12,
    "43 252 003 274 489 856 000": 43252003274489856000,
    "43,252,003,274,489,856,000": 43252003274489856000,
    "43\N{NARROW NO-BREAK SPACE}252": 43252,
    "1/12": Fraction(1, 12),
    "(4!·6!)/4": 4320,
    "2^3^2": 512,
    "-3 + 10 − 2": 5,
    "120°": 120,
    "3!!": 720,
}
NONE = [
    "",
    "  ",
    "x",
    "1/0",
    "(3",
    "3)",
    "3 4",
    "2^",
    "!",
    "999!",
    "2^99999",
    "9^9^9",
    "1,5",
    "4.3",
]
NONE += ["(" * 200 + "1", "(-3)!", "1/2!x", "(1/2)!", "2^(1/2)", "1" * 400, "٣"]


def test_numbers_and_formulas_are_read_and_what_is_none_is_not() -> None:
    assert {text: read_number(text) for text in NUMBERS} == NUMBERS
    assert {text: read_number(text) for text in NONE} == dict.fromkeys(NONE)


@given(st.text(max_size=40))
def test_no_text_breaks_the_readers(text: str) -> None:
    for found in (read_number(text), read_numbers(text), read_letters(text, 4)):
        assert found is None or isinstance(found, (Fraction, frozenset))


def test_sets_and_letters_are_read() -> None:
    assert read_numbers("{5, 7}") == read_numbers("7 5") == read_numbers("5;7;7") == {5, 7}
    assert read_numbers("5, x") is None
    assert read_letters("a C", 3) == read_letters("3,1", 3) == read_letters("А, С", 3) == {0, 2}
    assert read_letters("D", 3) is None
    assert read_letters("", 3) is None


def test_words_are_counted_as_a_search_meets_them() -> None:
    turns = face_cube().turns
    order = {turn.name: number for number, turn in enumerate(turns)}
    found, lasts = [1], [None]
    for _ in range(4):
        lasts = [turn for last in lasts for turn in turns if may_follow(last, turn, order)]
        found.append(found[-1] + len(lasts))
    assert found == [words_up_to(length) for length in range(5)]
    assert found[:4] == [1, 19, 262, 3502]


def test_effects_and_places_are_counted() -> None:
    one = word("R").cube
    two = word("(R' D' R D)2 U (D' R' D R)2 U'").cube
    three = word("(M' U)4 (M' U')4").cube
    assert one is not None
    assert two is not None
    assert three is not None
    assert Effect.of(one) == Effect(corners=4, edges=4)
    assert Effect.of(two) == Effect(twisted=2)
    assert Effect.of(three) == Effect(flipped=2)
    assert (places("3x3x3", "corners"), places("3x3x3", "edges")) == (8, 12)
