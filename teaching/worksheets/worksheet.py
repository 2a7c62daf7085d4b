"""What a worksheet is: texts by their keys, experiments, questions and verdicts on answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from thistlebot.words.words import Words

CUBE = "3x3x3"
"""The puzzle that most worksheets are about."""


def shown(value: object, words: Words) -> str:
    """A value as a text has it: whole numbers in groups of three, texts in the language."""
    if isinstance(value, Wording):
        return value.text(words)
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, (int, Fraction)):
        return f"{int(value):,}".replace(",", "\N{NO-BREAK SPACE}")
    if isinstance(value, tuple):
        return ", ".join(shown(each, words) for each in value)
    return str(value)


@dataclass(frozen=True, slots=True)
class Wording:
    """A text that has yet to get its language.

    Attributes:
        key: Its key in the catalogue.
        values: What its placeholders stand for: numbers, names, or texts like this.
    """

    key: str
    values: Mapping[str, object] = field(default_factory=dict)

    def text(self, words: Words) -> str:
        """The text in a language."""
        return words(self.key, **{name: shown(v, words) for name, v in self.values.items()})


class QuestionKind(StrEnum):
    """How a question is answered."""

    NUMBER = "number"
    NUMBERS = "numbers"
    CHOICE = "choice"
    WORD = "word"


class Result(StrEnum):
    """What an answer is found to be."""

    RIGHT = "right"
    WRONG = "wrong"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """What is found of an answer.

    Attributes:
        result: Whether it is right.
        why: Why it is, or is not.
    """

    result: Result
    why: Wording

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.result is Result.RIGHT


@dataclass(frozen=True, slots=True)
class WorksheetTask:
    """One question of a worksheet.

    Attributes:
        key: Of its text; ``_hint`` and ``_why`` behind it are the keys of its hint and solution.
        kind: How it is answered.
        check: Says of an answer, as it was typed, whether it is right.
        answer: A right answer, found by our mathematics or checked by it.
        given: Finds what the text and the hint mention.
        facts: Finds what the solution mentions besides; it may take a second.
        options: What there is to choose from, of a choice.
    """

    key: str
    kind: QuestionKind
    check: Callable[[str], AnswerVerdict]
    answer: Callable[[], object]
    given: Callable[[], Mapping[str, object]] = dict
    facts: Callable[[], Mapping[str, object]] = dict
    options: tuple[Wording | str, ...] = ()

    @property
    def question(self) -> Wording:
        """What is asked."""
        return Wording(self.key, self.given())

    @property
    def hint(self) -> Wording:
        """What helps."""
        return Wording(f"{self.key}_hint", self.given())

    def solution(self) -> Wording:
        """Why the right answer is right."""
        return Wording(f"{self.key}_why", {"answer": self.answer(), **self.given(), **self.facts()})


@dataclass(frozen=True, slots=True)
class Experiment:
    """Something to try before the questions are answered.

    Attributes:
        key: Of its text.
        moves: What is turned, from the solved puzzle; empty when nothing is.
        command: A command of this program that shows more, without its name.
        state: A cube to look at that no moves were given for, as 54 letters.
    """

    key: str
    moves: str = ""
    command: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class Worksheet:
    """One lesson.

    Attributes:
        name: What people type.
        source: Where it comes from: ``S3.11`` is the eleventh problem of S3.
        page: The file of the catalogue that has its texts.
        experiments: What to try.
        tasks: What is asked, in this order.
        puzzle: What is turned.
    """

    name: str
    source: str
    page: str
    experiments: tuple[Experiment, ...]
    tasks: tuple[WorksheetTask, ...]
    puzzle: str = CUBE

    @property
    def title(self) -> Wording:
        """What it is called."""
        return Wording(f"{self.page}.{self.name}_title")

    @property
    def aim(self) -> Wording:
        """What is to be discovered, and why that is worth knowing."""
        return Wording(f"{self.page}.{self.name}_aim")
