"""Answers as people type them: numbers and formulas, sets of numbers, letters of choices."""

import ast
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from math import factorial

_LARGEST_FACTORIAL, _LARGEST_POWER, _MOST_BITS = 500, 2000, 20_000
_MOST_SIGNS = 300
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_GROUPED = re.compile(r"(?<=\d)[\s_'’,](?=\d{3}(?!\d))")
_FORMULA = re.compile(r"[0-9\s+*/^!()-]+")
_SIGNS = str.maketrans({"·": "*", "×": "*", "⋅": "*", ":": "/", "÷": "/", "−": "-", "–": "-"})
_LOOK_ALIKE = str.maketrans("АВСЕавсе", "ABCEabce")


def read_number(text: str) -> Fraction | None:
    """Read a number, optionally as a formula such as ``8!·3⁷·12!·2^10`` or ``1/12``.

    Digits may be in groups of three. Invalid numbers, or those with thousands of digits, are None.
    """
    plain = _GROUPED.sub("", text.strip().rstrip("°").translate(_SIGNS))
    raised = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: f"^{match[0].translate(_SUPERSCRIPTS)}", plain)
    if len(plain) > _MOST_SIGNS or not _FORMULA.fullmatch(raised):
        return None
    # Python's grammar has no sign after a number, but an attribute binds as tightly as a factorial.
    formula = raised.replace("^", "**").replace("!", " .factorial").strip()
    try:
        return _value(ast.parse(formula, mode="eval").body)
    except (ValueError, SyntaxError, MemoryError, ZeroDivisionError, RecursionError):
        return None


def read_numbers(text: str) -> frozenset[int] | None:
    """Read a set of integers, separated by commas, semicolons or spaces."""
    parts = re.split(r"[\s,;]+", text.strip().strip("{}").strip())
    if not all(re.fullmatch(r"\d{1,30}", part) for part in parts):
        return None
    return frozenset(map(int, parts))


def read_letters(text: str, count: int) -> frozenset[int] | None:
    """Read the letters of a choice, A being 0, or their numbers from 1."""
    found = _letters(text)
    return frozenset(found) if found and set(found) <= set(range(count)) else None


def read_order(text: str, count: int) -> list[int] | None:
    """Read the letters of a choice in an order in which each stands once."""
    found = _letters(text)
    return found if sorted(found) == list(range(count)) else None


def _letters(text: str) -> list[int]:
    plain = re.sub(r"[\s,;.()]+", "", text.translate(_LOOK_ALIKE)).upper()
    return [ord(sign) - ord("A" if sign.isalpha() else "1") for sign in plain]


def _value(formula: ast.expr) -> Fraction:
    """Return the value of a formula; raises ValueError if it is invalid or too large."""
    match formula:
        case ast.Constant(value=int(number)):
            return Fraction(number)
        case ast.UnaryOp(op=ast.USub(), operand=number):
            return -_value(number)
        case ast.Attribute(value=number):
            return _factorial(_value(number))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATIONS:
            found = _OPERATIONS[type(sign)](_value(left), _value(right))
            if _bits(found) <= _MOST_BITS:
                return found
    raise ValueError(ast.dump(formula))


def _factorial(number: Fraction) -> Fraction:
    if number.denominator != 1 or not 0 <= number <= _LARGEST_FACTORIAL:
        raise ValueError(str(number))
    return Fraction(factorial(int(number)))


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > _LARGEST_POWER:
        raise ValueError(str(exponent))
    if _bits(base) * abs(exponent) > _MOST_BITS:
        raise ValueError(str(exponent))
    return base ** int(exponent)


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


_OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: _power,
}
