"""Questions by the way they are answered: a number, a set of numbers, a choice, a word of moves."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from cube.moves import NotationError
from solver.errors import SolverError
from teaching.worksheets.effects import Judge
from teaching.worksheets.figures import reader
from teaching.worksheets.reading import read_letters, read_number, read_numbers
from teaching.worksheets.worksheet import (
    CUBE,
    AnswerVerdict,
    QuestionKind,
    Result,
    Wording,
    WorksheetTask,
)
from thistlebot.errors import UsageError

Found = Callable[[], Mapping[str, object]]
"""Finds what a text mentions."""


def number(
    key: str,
    compute: Callable[[], int | Fraction],
    *,
    given: Found = dict,
    facts: Found = dict,
    traps: Callable[[], Mapping[int | Fraction, str]] = dict,
) -> WorksheetTask:
    """A question that a number answers, typed as digits or as a formula.

    Args:
        key: Of its text; ``_no`` behind it is the key of what is said to a wrong number.
        compute: Finds the right number.
        given: Finds what the text and the hint mention.
        facts: Finds what the solution mentions besides.
        traps: Wrong numbers whose mistake is known, and the key of what is said to each.
    """

    def check(text: str) -> AnswerVerdict:
        value = read_number(text)
        if value is None:
            return AnswerVerdict(Result.UNREADABLE, Wording("lesson.no_number", {"typed": text}))
        right = compute()
        if value == right:
            return AnswerVerdict(Result.RIGHT, task.solution())
        told = {"typed": value, **given()}
        if value in (known := traps()):
            return AnswerVerdict(Result.WRONG, Wording(known[value], told))
        side = "lesson.too_small" if value < right else "lesson.too_large"
        reason = Wording(f"{key}_no", told)
        return AnswerVerdict(Result.WRONG, Wording(side, {"typed": value, "reason": reason}))

    task = WorksheetTask(key, QuestionKind.NUMBER, check, compute, given, facts)
    return task


def numbers(
    key: str,
    compute: Callable[[], Iterable[int]],
    *,
    given: Found = dict,
    facts: Found = dict,
) -> WorksheetTask:
    """A question that a set of numbers answers; ``_no`` is the key of what is said to a wrong one.

    Args:
        key: Of its text.
        compute: Finds the right set.
        given: Finds what the text and the hint mention.
        facts: Finds what the solution mentions besides.
    """

    def answer() -> tuple[int, ...]:
        return tuple(sorted(set(compute())))

    def check(text: str) -> AnswerVerdict:
        values = read_numbers(text)
        if values is None:
            return AnswerVerdict(Result.UNREADABLE, Wording("lesson.no_numbers", {"typed": text}))
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


def choice(
    key: str,
    count: int,
    holds: Callable[[int], bool],
    reason: Callable[[int], Wording],
    *,
    literal: tuple[str, ...] = (),
    given: Found = dict,
    facts: Found = dict,
) -> WorksheetTask:
    """A question with options; all of them that hold are to be named.

    Args:
        key: Of its text; ``_a``, ``_b`` … behind it are those of the options.
        count: How many options there are.
        holds: Whether an option, by its number from 0, belongs to the answer.
        reason: What an experiment with an option shows.
        literal: The options themselves, where they are the same in every language.
        given: Finds what the text and the hint mention.
        facts: Finds what the solution mentions besides.
    """

    def answer() -> str:
        return " ".join(letter(number) for number in range(count) if holds(number))

    def check(text: str) -> AnswerVerdict:
        chosen = read_letters(text, count)
        if chosen is None:
            told = {"typed": text, "last": letter(count - 1)}
            return AnswerVerdict(Result.UNREADABLE, Wording("lesson.no_choice", told))
        right = {number for number in range(count) if holds(number)}
        if wrong := sorted(chosen - right):
            named = {"letter": letter(wrong[0]), "reason": reason(wrong[0])}
            return AnswerVerdict(Result.WRONG, Wording("lesson.wrong_choice", named))
        if chosen != right:
            return AnswerVerdict(Result.WRONG, Wording("lesson.more_choices"))
        return AnswerVerdict(Result.RIGHT, task.solution())

    keyed = tuple(Wording(f"{key}_{letter(number).lower()}") for number in range(count))
    task = WorksheetTask(key, QuestionKind.CHOICE, check, answer, given, facts, literal or keyed)
    return task


def word(
    key: str,
    judge: Judge,
    sample: str,
    *,
    puzzle: str = CUBE,
    given: Found = dict,
    facts: Found = dict,
) -> WorksheetTask:
    """A question that a word of moves answers; any word that does what is asked is right.

    Args:
        key: Of its text.
        judge: Says why a word is wrong.
        sample: One of the right words.
        puzzle: Whose moves they are.
        given: Finds what the text and the hint mention.
        facts: Finds what the solution mentions besides.
    """

    def check(text: str) -> AnswerVerdict:
        try:
            made = reader(puzzle).read(text)
        except (SolverError, UsageError, NotationError):
            told = {"typed": text, "example": reader(puzzle).puzzle.turns[0].name}
            return AnswerVerdict(Result.UNREADABLE, Wording("lesson.no_word", told))
        wrong = judge(made)
        if wrong is not None:
            return AnswerVerdict(Result.WRONG, wrong)
        return AnswerVerdict(Result.RIGHT, task.solution())

    task = WorksheetTask(key, QuestionKind.WORD, check, lambda: f"`{sample}`", given, facts)
    return task


def letter(number: int) -> str:
    """The letter of an option."""
    return chr(ord("A") + number)
