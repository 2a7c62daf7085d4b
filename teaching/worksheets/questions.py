"""Questions by their kind of answer: numbers, a choice, a word of moves, operations on pieces.

Of all of them, ``given`` computes the values in the text and the hint, ``facts`` the further values
in the solution. The key of a question's text with the suffix ``_no`` is that of the reply to a
wrong answer, with ``_a``, ``_b`` … that of an option.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from cube.errors import NotationError
from cube.state import CubeState
from teaching.puzzles_as_typed import Word
from teaching.wording import Wording
from teaching.worksheets.effects import Judge
from teaching.worksheets.figures import reader
from teaching.worksheets.operations import Wanted, carried_out, missed, read_operations
from teaching.worksheets.typed_answers import read_letters, read_number, read_numbers, read_order
from teaching.worksheets.worksheet import CUBE, Found, Question, QuestionKind, WorksheetTask

Option = TypeVar("Option")


def number(
    compute: Callable[[], int | Fraction],
    *,
    given: Found = dict,
    facts: Found = dict,
    traps: Callable[[], Mapping[int | Fraction, str]] = dict,
) -> Question:
    """Return a question with a number as its answer, typed as digits or as a formula.

    Args:
        compute: Computes the right number.
        given: Computes the values in the text and the hint.
        facts: Computes the further values in the solution.
        traps: Typical wrong numbers, with the suffix of the key of the reply to each.
    """

    def asked(key: str) -> WorksheetTask:
        def mistake(value: Fraction) -> Wording | None:
            right, told = compute(), {"typed": value, **given()}
            if value == right:
                return None
            if value in (known := traps()):
                return Wording(f"{key}_{known[value]}", told)
            side = "lesson.too_small" if value < right else "lesson.too_large"
            return Wording(side, {"typed": value, "reason": Wording(f"{key}_no", told)})

        return WorksheetTask(key, QuestionKind.NUMBER, read_number, mistake, compute, given, facts)

    return asked


def numbers(
    compute: Callable[[], Iterable[int]], *, given: Found = dict, facts: Found = dict
) -> Question:
    """Return a question with a set of numbers as its answer."""

    def answer() -> tuple[int, ...]:
        return tuple(sorted(set(compute())))

    def asked(key: str) -> WorksheetTask:
        def mistake(values: frozenset[int]) -> Wording | None:
            right, reason = set(answer()), Wording(f"{key}_no", given())
            if extra := sorted(values - right):
                return Wording("lesson.not_among", {"typed": extra[0], "reason": reason})
            if values != right:
                return Wording("lesson.more_numbers", {"found": len(values), "reason": reason})
            return None

        return WorksheetTask(key, QuestionKind.NUMBERS, read_numbers, mistake, answer, given, facts)

    return asked


def choice(
    options: Sequence[Option],
    holds: Callable[[Option], bool],
    reason: Callable[[Option], Wording] | None = None,
    *,
    said: Callable[[Option], str] | None = None,
    given: Found = dict,
    facts: Found = dict,
) -> Question:
    """Return a question with options; all right ones must be named.

    Args:
        options: The options.
        holds: Returns whether an option belongs to the answer.
        reason: The result of an experiment with an option; by default the usual reply.
        said: Writes an option, if it is the same in every language.
        given: Computes the values in the text and the hint.
        facts: Computes the further values in the solution.
    """
    count = len(options)

    def right() -> list[int]:
        return [number for number, option in enumerate(options) if holds(option)]

    def asked(key: str) -> WorksheetTask:
        def mistake(chosen: frozenset[int]) -> Wording | None:
            if wrong := sorted(chosen.difference(right())):
                why = Wording(f"{key}_no") if reason is None else reason(options[wrong[0]])
                return Wording("lesson.wrong_choice", {"letter": letter(wrong[0]), "reason": why})
            return None if len(chosen) == len(right()) else Wording("lesson.more_choices")

        return WorksheetTask(
            key,
            QuestionKind.CHOICE,
            lambda text: read_letters(text, count),
            mistake,
            lambda: " ".join(map(letter, right())),
            given,
            facts,
            _keyed(key, count) if said is None else tuple(f"`{said(each)}`" for each in options),
            lambda: {"last": letter(count - 1)},
        )

    return asked


def ordered(count: int, must_precede: Callable[[], Iterable[tuple[int, int]]]) -> Question:
    """Return a question with steps to put into an order; any order without a mistake is right.

    Args:
        count: Number of steps.
        must_precede: Returns pairs of steps, by their numbers from 0, of which the first must come
            before the second.
    """

    def answer() -> str:
        left, made, pairs = list(range(count)), list[int](), tuple(must_precede())
        while left:
            free = next(n for n in left if not any(b == n and a in left for a, b in pairs))
            left.remove(free)
            made.append(free)
        return " ".join(map(letter, made))

    def asked(key: str) -> WorksheetTask:
        def mistake(steps: list[int]) -> Wording | None:
            for first, later in must_precede():
                if steps.index(first) > steps.index(later):
                    told = {"first": letter(first), "later": letter(later)}
                    return Wording("lesson.wrong_order", {**told, "reason": Wording(f"{key}_no")})
            return None

        return WorksheetTask(
            key,
            QuestionKind.ORDER,
            lambda text: read_order(text, count),
            mistake,
            answer,
            options=_keyed(key, count),
            example=lambda: {"last": letter(count - 1)},
        )

    return asked


def word(
    judge: Judge, sample: str, *, puzzle: str = CUBE, given: Found = dict, facts: Found = dict
) -> Question:
    """Return a question with a word of moves as its answer; any correct word is accepted.

    Args:
        judge: Returns why a word is wrong.
        sample: One of the right words.
        puzzle: The puzzle.
        given: Computes the values in the text and the hint.
        facts: Computes the further values in the solution.
    """

    def read(text: str) -> Word | None:
        try:
            return reader(puzzle).read(text)
        except NotationError:
            return None

    return lambda key: WorksheetTask(
        key,
        QuestionKind.WORD,
        read,
        judge,
        lambda: sample,
        given,
        facts,
        example=lambda: {"example": reader(puzzle).puzzle.turns[0].name},
    )


def pieces(wanted: Wanted, sample: str) -> Question:
    """Return a question with operations on pieces as its answer.

    Args:
        wanted: The values that quantities of the state must have.
        sample: Operations that make such a state.
    """

    def read(text: str) -> CubeState | None:
        try:
            return carried_out(read_operations(text, lambda word: reader().read(word).moves))[-1]
        except NotationError:
            return None

    def asked(key: str) -> WorksheetTask:
        def mistake(state: CubeState) -> Wording | None:
            wrong = missed(wanted, state)
            return Wording(f"{key}_no", {"kept": wrong[0]}) if wrong else None

        return WorksheetTask(key, QuestionKind.PIECES, read, mistake, lambda: sample)

    return asked


def _keyed(key: str, count: int) -> tuple[Wording, ...]:
    return tuple(Wording(f"{key}_{letter(number).lower()}") for number in range(count))


def letter(number: int) -> str:
    """Return the letter of an option."""
    return chr(ord("A") + number)
