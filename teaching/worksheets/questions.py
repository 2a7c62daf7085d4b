"""Questions by their kind of answer: numbers, a choice, a word of moves, operations on pieces.

It also reads answers as people type them: numbers with formulas, sets of numbers, letters of
choices.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import factorial

from cube.errors import NotationError
from teaching.wording import Wording
from teaching.worksheets.figures import Judge, reader
from teaching.worksheets.operations import Wanted, carried_out, missed, read_operations
from teaching.worksheets.worksheet import (
    CUBE,
    AnswerVerdict,
    Question,
    QuestionKind,
    Result,
    WorksheetTask,
)

_LARGEST_FACTORIAL, _LARGEST_POWER, _MOST_BITS = 500, 2000, 20_000
_MOST_SIGNS = 300
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_GROUPED = re.compile(r"(?<=\d)[\s_'’,](?=\d{3}(?!\d))")
_TOKEN = re.compile(r"\s*(\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\*\*|[-+*/^!()])")
_SIGNS = str.maketrans({"·": "*", "×": "*", "⋅": "*", ":": "/", "÷": "/", "−": "-", "–": "-"})
_LOOK_ALIKE = str.maketrans("АВСЕавсе", "ABCEabce")


def read_number(text: str) -> Fraction | None:
    """Read a number, optionally as a formula such as ``8!·3⁷·12!·2^10`` or ``1/12``.

    Digits may be in groups of three. Invalid numbers, or those with thousands of digits, are None.
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
    """Read a set of integers, separated by commas, semicolons or spaces."""
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

    Every method raises ValueError if the formula is invalid or too large.
    """

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def at_end(self) -> bool:
        return self._at == len(self._tokens)

    def _next(self, among: str) -> str:
        """Consume the next token if it is one of those given; otherwise nothing."""
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


Found = Callable[[], Mapping[str, object]]
"""Computes the values in a text."""


def number(
    compute: Callable[[], int | Fraction],
    *,
    given: Found = dict,
    facts: Found = dict,
    traps: Callable[[], Mapping[int | Fraction, str]] = dict,
) -> Question:
    """Return a question with a number as its answer, typed as digits or as a formula.

    The key of its text with the suffix ``_no`` is that of the reply to a wrong number.

    Args:
        compute: Computes the right number.
        given: Computes the values in the text and the hint.
        facts: Computes the further values in the solution.
        traps: Typical wrong numbers, with the suffix of the key of the reply to each.
    """

    def asked(key: str) -> WorksheetTask:
        def check(text: str) -> AnswerVerdict:
            value = read_number(text)
            if value is None:
                return AnswerVerdict(
                    Result.UNREADABLE, Wording("lesson.no_number", {"typed": text})
                )
            right = compute()
            if value == right:
                return AnswerVerdict(Result.RIGHT, task.solution())
            told = {"typed": value, **given()}
            if value in (known := traps()):
                return AnswerVerdict(Result.WRONG, Wording(f"{key}_{known[value]}", told))
            side = "lesson.too_small" if value < right else "lesson.too_large"
            reason = Wording(f"{key}_no", told)
            return AnswerVerdict(Result.WRONG, Wording(side, {"typed": value, "reason": reason}))

        task = WorksheetTask(key, QuestionKind.NUMBER, check, compute, given, facts)
        return task

    return asked


def numbers(
    compute: Callable[[], Iterable[int]],
    *,
    given: Found = dict,
    facts: Found = dict,
) -> Question:
    """Return a question with a set of numbers as its answer; ``_no`` is the suffix for a wrong one.

    Args:
        compute: Computes the right set.
        given: Computes the values in the text and the hint.
        facts: Computes the further values in the solution.
    """

    def asked(key: str) -> WorksheetTask:
        def answer() -> tuple[int, ...]:
            return tuple(sorted(set(compute())))

        def check(text: str) -> AnswerVerdict:
            values = read_numbers(text)
            if values is None:
                return AnswerVerdict(
                    Result.UNREADABLE, Wording("lesson.no_numbers", {"typed": text})
                )
            right = set(answer())
            if values == right:
                return AnswerVerdict(Result.RIGHT, task.solution())
            reason = Wording(f"{key}_no", given())
            if extra := sorted(values - right):
                told = {"typed": extra[0], "reason": reason}
                return AnswerVerdict(Result.WRONG, Wording("lesson.not_among", told))
            told = {"found": len(values), "reason": reason}
            return AnswerVerdict(Result.WRONG, Wording("lesson.more_numbers", told))

        task = WorksheetTask(key, QuestionKind.NUMBERS, check, answer, given, facts)
        return task

    return asked


def choice(
    count: int,
    holds: Callable[[int], bool],
    reason: Callable[[int], Wording] | None = None,
    *,
    literal: tuple[str, ...] = (),
    given: Found = dict,
    facts: Found = dict,
) -> Question:
    """Return a question with options; all right ones must be named.

    The key of its text with the suffixes ``_a``, ``_b`` … is that of the options.

    Args:
        count: Number of options.
        holds: Returns whether an option, by its number from 0, belongs to the answer.
        reason: The result of an experiment with an option; by default the text with the suffix
            ``_no``.
        literal: The options themselves, if they are the same in every language.
        given: Computes the values in the text and the hint.
        facts: Computes the further values in the solution.
    """

    def asked(key: str) -> WorksheetTask:
        def answer() -> str:
            return " ".join(letter(number) for number in range(count) if holds(number))

        def check(text: str) -> AnswerVerdict:
            chosen = read_letters(text, count)
            if chosen is None:
                told = {"typed": text, "last": letter(count - 1)}
                return AnswerVerdict(Result.UNREADABLE, Wording("lesson.no_choice", told))
            right = {number for number in range(count) if holds(number)}
            if wrong := sorted(chosen - right):
                why = Wording(f"{key}_no") if reason is None else reason(wrong[0])
                named = {"letter": letter(wrong[0]), "reason": why}
                return AnswerVerdict(Result.WRONG, Wording("lesson.wrong_choice", named))
            if chosen != right:
                return AnswerVerdict(Result.WRONG, Wording("lesson.more_choices"))
            return AnswerVerdict(Result.RIGHT, task.solution())

        keyed = tuple(Wording(f"{key}_{letter(number).lower()}") for number in range(count))
        task = WorksheetTask(
            key, QuestionKind.CHOICE, check, answer, given, facts, literal or keyed
        )
        return task

    return asked


def ordered(count: int, must_precede: Callable[[], Iterable[tuple[int, int]]]) -> Question:
    """Return a question with steps to put into an order; any order without a mistake is right.

    The key of its text with the suffixes ``_a``, ``_b`` … is that of the steps.

    Args:
        count: Number of steps.
        must_precede: Returns pairs of steps, by their numbers from 0, of which the first must come
            before the second.
    """

    def asked(key: str) -> WorksheetTask:
        def answer() -> str:
            left, made, pairs = list(range(count)), list[int](), tuple(must_precede())
            while left:
                free = next(n for n in left if not any(b == n and a in left for a, b in pairs))
                left.remove(free)
                made.append(free)
            return " ".join(map(letter, made))

        def check(text: str) -> AnswerVerdict:
            typed = [read_letters(sign, count) for sign in re.sub(r"[\s,;.()]+", "", text)]
            steps = [next(iter(found)) for found in typed if found]
            if sorted(steps) != list(range(count)):
                told = {"typed": text, "last": letter(count - 1)}
                return AnswerVerdict(Result.UNREADABLE, Wording("lesson.no_order", told))
            for first, later in must_precede():
                if steps.index(first) > steps.index(later):
                    told = {"first": letter(first), "later": letter(later)}
                    reason = told | {"reason": Wording(f"{key}_no")}
                    return AnswerVerdict(Result.WRONG, Wording("lesson.wrong_order", reason))
            return AnswerVerdict(Result.RIGHT, task.solution())

        keyed = tuple(Wording(f"{key}_{letter(number).lower()}") for number in range(count))
        task = WorksheetTask(key, QuestionKind.ORDER, check, answer, options=keyed)
        return task

    return asked


def word(
    judge: Judge,
    sample: str,
    *,
    puzzle: str = CUBE,
    given: Found = dict,
    facts: Found = dict,
) -> Question:
    """Return a question with a word of moves as its answer; any correct word is accepted.

    Args:
        judge: Returns why a word is wrong.
        sample: One of the right words.
        puzzle: The puzzle.
        given: Computes the values in the text and the hint.
        facts: Computes the further values in the solution.
    """

    def asked(key: str) -> WorksheetTask:
        def check(text: str) -> AnswerVerdict:
            try:
                made = reader(puzzle).read(text)
            except NotationError:
                told = {"typed": text, "example": reader(puzzle).puzzle.turns[0].name}
                return AnswerVerdict(Result.UNREADABLE, Wording("lesson.no_word", told))
            wrong = judge(made)
            if wrong is not None:
                return AnswerVerdict(Result.WRONG, wrong)
            return AnswerVerdict(Result.RIGHT, task.solution())

        task = WorksheetTask(key, QuestionKind.WORD, check, lambda: f"`{sample}`", given, facts)
        return task

    return asked


def pieces(wanted: Wanted, sample: str) -> Question:
    """Return a question with operations on pieces as its answer.

    All that make a state with the wanted values are right.

    Args:
        wanted: The values that quantities of the state must have.
        sample: Operations that make one.
    """

    def asked(key: str) -> WorksheetTask:
        def check(text: str) -> AnswerVerdict:
            try:
                made = read_operations(text, lambda word: reader().read(word).moves)
            except NotationError:
                return AnswerVerdict(
                    Result.UNREADABLE, Wording("lesson.no_pieces", {"typed": text})
                )
            states = carried_out(made)
            if wrong := missed(wanted, states[-1]):
                return AnswerVerdict(Result.WRONG, Wording(f"{key}_no", {"kept": wrong[0]}))
            return AnswerVerdict(Result.RIGHT, task.solution())

        task = WorksheetTask(key, QuestionKind.PIECES, check, lambda: f"`{sample}`")
        return task

    return asked


def letter(number: int) -> str:
    """Return the letter of an option."""
    return chr(ord("A") + number)
