"""Answers as people type them."""

from fractions import Fraction
from math import factorial

from hypothesis import given
from hypothesis import strategies as st

from teaching.worksheets.reading import read_letters, read_number, read_numbers

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
