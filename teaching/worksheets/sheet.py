"""A worksheet in one language, for terminal and HTML."""

from dataclasses import dataclass

from cube.held_moves import read_moves
from cube.state import SOLVED
from teaching.wording import shown
from teaching.worksheets.questions import letter
from teaching.worksheets.worksheet import CUBE, Experiment, Worksheet, WorksheetTask
from thistlebot.words.words import Words

PROGRAM = "thistlebot"
_HELD = frozenset((CUBE, "supercube", "3x2x3"))
"""Puzzles whose turns have the same names as those of the cube."""


@dataclass(frozen=True, slots=True)
class SheetExperiment:
    """An experiment.

    Attributes:
        commands: Commands of this program that do it, or show more.
        facelets: The cube to look at, after the moves, as 54 letters; empty if there is none.
        picture: A figure for pages, as SVG; empty if there is none.
    """

    text: str
    moves: str
    commands: tuple[str, ...]
    facelets: str
    picture: str = ""


@dataclass(frozen=True, slots=True)
class SheetQuestion:
    """A question.

    Attributes:
        kind: Kind of answer: ``number``, ``numbers``, ``choice`` or ``word``.
        way: How to answer, in one sentence.
        options: Letter and text of each option of a choice.
        answer: A right answer; empty if solutions are not wanted.
        solution: The explanation; empty if solutions are not wanted.
    """

    number: int
    kind: str
    text: str
    way: str
    options: tuple[tuple[str, str], ...]
    hint: str
    answer: str
    solution: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A worksheet in one language.

    Attributes:
        document: Author and title of the source.
        held: Whether a cube is held in the hand.
    """

    name: str
    source: str
    document: str
    held: bool
    title: str
    aim: str
    trials: tuple[SheetExperiment, ...]
    asked: tuple[SheetQuestion, ...]


def sheet_of(worksheet: Worksheet, words: Words, *, solutions: bool = False) -> Sheet:
    """Return a worksheet in a language; some solutions take a second to compute."""
    return Sheet(
        worksheet.name,
        worksheet.source,
        words(f"lesson.document_{worksheet.source.partition('.')[0]}"),
        worksheet.puzzle in _HELD,
        worksheet.title.text(words),
        worksheet.aim.text(words),
        tuple(_trial(each, worksheet, words) for each in worksheet.experiments),
        tuple(
            _asked(number, task, words, solutions=solutions)
            for number, task in enumerate(worksheet.tasks, start=1)
        ),
    )


def _trial(experiment: Experiment, worksheet: Worksheet, words: Words) -> SheetExperiment:
    commands, facelets = [], experiment.state
    if experiment.moves:
        commands.append(f'{PROGRAM} lesson {worksheet.name} --try "{experiment.moves}"')
    if experiment.moves and worksheet.puzzle == CUBE:
        commands.append(f'{PROGRAM} run "{experiment.moves}" --virtual')
        facelets = SOLVED.apply(read_moves(experiment.moves)).to_facelets().text
    if experiment.command:
        commands.append(f"{PROGRAM} {experiment.command}")
    text = words(experiment.key)
    return SheetExperiment(
        text, experiment.moves, tuple(dict.fromkeys(commands)), facelets, experiment.picture
    )


def _asked(number: int, task: WorksheetTask, words: Words, *, solutions: bool) -> SheetQuestion:
    options = tuple((letter(i), shown(option, words)) for i, option in enumerate(task.options))
    return SheetQuestion(
        number,
        task.kind,
        task.question.text(words),
        words(f"lesson.way_{task.kind}"),
        options,
        task.hint.text(words),
        shown(task.answer(), words) if solutions else "",
        task.solution().text(words) if solutions else "",
    )
