"""The structure of a worksheet: texts by their keys, experiments, questions and verdicts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from teaching.wording import Wording

CUBE = "3x3x3"
"""The puzzle of most worksheets."""


class QuestionKind(StrEnum):
    """Kinds of answers."""

    NUMBER = "number"
    NUMBERS = "numbers"
    CHOICE = "choice"
    ORDER = "order"
    WORD = "word"
    PIECES = "pieces"


class Result(StrEnum):
    """Possible verdicts on an answer."""

    RIGHT = "right"
    WRONG = "wrong"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """Whether an answer is right, and why."""

    result: Result
    why: Wording

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.result is Result.RIGHT


Found = Callable[[], Mapping[str, object]]
"""Computes the values in a text."""


@dataclass(frozen=True, slots=True)
class WorksheetTask:
    """One question of a worksheet.

    Attributes:
        key: Key of its text; with the suffixes ``_hint`` and ``_why`` those of its hint and
            solution.
        read: Reads an answer as typed; None if it cannot be read.
        mistake: Returns why an answer is wrong; None if it is right.
        answer: Returns a right answer, computed or checked by our mathematics.
        given: Computes the values in the text and the hint.
        facts: Computes the further values in the solution; may take a second.
        example: Computes the values in the reply to an answer that cannot be read.
    """

    key: str
    kind: QuestionKind
    read: Callable[[str], Any | None]
    mistake: Callable[[Any], Wording | None]
    answer: Callable[[], object]
    given: Found = dict
    facts: Found = dict
    options: tuple[Wording | str, ...] = ()
    example: Found = dict

    def check(self, text: str) -> AnswerVerdict:
        """Return whether an answer is right, and why."""
        typed = self.read(text)
        if typed is None:
            told = {"typed": text, **self.example()}
            return AnswerVerdict(Result.UNREADABLE, Wording(f"lesson.no_{self.kind}", told))
        if (why := self.mistake(typed)) is not None:
            return AnswerVerdict(Result.WRONG, why)
        return AnswerVerdict(Result.RIGHT, self.solution())

    @property
    def question(self) -> Wording:
        """The question."""
        return Wording(self.key, self.given())

    @property
    def hint(self) -> Wording:
        """The hint."""
        return Wording(f"{self.key}_hint", self.given())

    def solution(self) -> Wording:
        """The explanation of the right answer."""
        answer = self.answer()
        if self.kind in {QuestionKind.WORD, QuestionKind.PIECES}:
            answer = f"`{answer}`"
        return Wording(f"{self.key}_why", {"answer": answer, **self.given(), **self.facts()})


Question = Callable[[str], WorksheetTask]
"""Makes a question from the key of its text."""
Questions = tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Experiment:
    """Something to try before answering the questions.

    Attributes:
        key: Key of its text.
        command: A command of this program that shows more, without the program's name.
        state: A cube to look at, as 54 letters, if there are no moves.
        picture: A figure, as SVG.
    """

    key: str
    moves: str = ""
    command: str = ""
    state: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Worksheet:
    """One lesson.

    Attributes:
        level: 1 from age 10, 2 from 14, 3 from 17.
        source: Its source: ``S3.11`` is the eleventh problem of S3.
        page: The file of the catalogue with its texts.
    """

    name: str
    level: int
    source: str
    page: str
    experiments: tuple[Experiment, ...]
    tasks: tuple[WorksheetTask, ...]
    puzzle: str = CUBE

    @property
    def title(self) -> Wording:
        """Its title."""
        return Wording(f"{self.page}.{self.name}_title")

    @property
    def aim(self) -> Wording:
        """What the learner should discover, and why it matters."""
        return Wording(f"{self.page}.{self.name}_aim")
