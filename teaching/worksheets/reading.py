"""Answers as people type them: numbers with formulas, sets of numbers, letters of choices."""

import re
from fractions import Fraction
from math import factorial

_LARGEST_FACTORIAL, _LARGEST_POWER, _MOST_BITS = 500, 2000, 20_000
_MOST_SIGNS = 300
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_GROUPED = re.compile(r"(?<=\d)[\s_'’,](?=\d{3}(?!\d))")
_TOKEN = re.compile(r"\s*(\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\*\*|[-+*/^!()])")
_SIGNS = str.maketrans({"·": "*", "×": "*", "⋅": "*", ":": "/", "÷": "/", "−": "-", "–": "-"})
_LOOK_ALIKE = str.maketrans("АВСЕавсе", "ABCEabce")


def read_number(text: str) -> Fraction | None:
    """Read a number, also as a formula such as ``8!·3⁷·12!·2^10`` or ``1/12``.

    Digits may stand in groups of three. What is no number, or one with thousands of digits, is
    None.
    """
    plain = _GROUPED.sub("", text.strip().rstrip("°").translate(_SIGNS))
    if not plain or len(plain) > _MOST_SIGNS:
        return None
    tokens, position = list[str](), 0
    while position < len(plain):
        match = _TOKEN.match(plain, position)
        if match is None:
            return None
        tokens.append(match[1])
        position = match.end()
    try:
        formula = _Formula(tokens)
        value = formula.sum()
    except (ValueError, ZeroDivisionError, RecursionError):
        return None
    return value if formula.at_end() else None


def read_numbers(text: str) -> frozenset[int] | None:
    """Read a set of whole numbers, written with commas, semicolons or blanks between them."""
    parts = re.split(r"[\s,;]+", text.strip().strip("{}").strip())
    if not all(re.fullmatch(r"\d{1,30}", part) for part in parts):
        return None
    return frozenset(map(int, parts))


def read_letters(text: str, count: int) -> frozenset[int] | None:
    """Read the letters of a choice, A being 0, or their numbers from 1."""
    plain = re.sub(r"[\s,;.()]+", "", text.translate(_LOOK_ALIKE)).upper()
    found = {ord(sign) - ord("A") if sign.isalpha() else ord(sign) - ord("1") for sign in plain}
    return frozenset(found) if plain and found <= set(range(count)) else None


class _Formula:
    """A formula that is being read.

    Every method raises ValueError where the formula is none, or too large.
    """

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def at_end(self) -> bool:
        return self._at == len(self._tokens)

    def _next(self, among: str) -> str:
        """Take the next token if it is one of those given, else nothing."""
        token = "" if self.at_end() else self._tokens[self._at]
        if token in among.split():
            self._at += 1
            return token
        return ""

    def sum(self) -> Fraction:
        value = self._product()
        while sign := self._next("+ -"):
            term = self._product()
            value = value + term if sign == "+" else value - term
        return value

    def _product(self) -> Fraction:
        value = self._power()
        while sign := self._next("* /"):
            factor = self._power()
            value = value * factor if sign == "*" else value / factor
            if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
                raise ValueError(sign)
        return value

    def _power(self) -> Fraction:
        base = self._factorial()
        token = "" if self.at_end() else self._tokens[self._at]
        if token[:1] in _SUPERSCRIPT_SIGNS and token:
            self._at += 1
            return _raised(base, Fraction(int(token.translate(_SUPERSCRIPTS))))
        return _raised(base, self._power()) if self._next("^ **") else base

    def _factorial(self) -> Fraction:
        value = self._atom()
        while self._next("!"):
            if value.denominator != 1 or not 0 <= value <= _LARGEST_FACTORIAL:
                raise ValueError(str(value))
            value = Fraction(factorial(int(value)))
        return value

    def _atom(self) -> Fraction:
        if self._next("("):
            value = self.sum()
            if not self._next(")"):
                raise ValueError("no bracket closes")
            return value
        if self._next("-"):
            return -self._atom()
        if self.at_end() or not self._tokens[self._at].isascii():
            raise ValueError("no number")
        self._at += 1
        return Fraction(int(self._tokens[self._at - 1]))


_SUPERSCRIPT_SIGNS = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > _LARGEST_POWER:
        raise ValueError(str(exponent))
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if size * abs(exponent) > _MOST_BITS:
        raise ValueError(str(exponent))
    return base ** int(exponent)
