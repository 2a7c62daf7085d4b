"""A worksheet in one language: what the terminal and pages show, and as it stands a JSON record."""

import msgspec

from cube.held_moves import read_moves
from cube.state import SOLVED
from teaching.wording import shown
from teaching.worksheets.questions import letter
from teaching.worksheets.worksheet import CUBE, Experiment, QuestionKind, Worksheet, WorksheetTask
from thistlebot.words.words import Words

PROGRAM = "thistlebot"
_HELD = frozenset((CUBE, "supercube", "3x2x3"))
"""Puzzles whose turns have the same names as those of the cube."""


class SheetExperiment(msgspec.Struct, frozen=True, omit_defaults=True):
    """An experiment.

    Attributes:
        commands: Commands of this program that do it, or show more.
        facelets: The cube to look at, after the moves, as 54 letters; empty if there is none.
        picture: A figure for pages, as SVG; empty if there is none.
    """

    text: str
    moves: str
    commands: tuple[str, ...]
    facelets: str = ""
    picture: str = ""


class SheetQuestion(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question.

    Attributes:
        options: The text of each option of a choice, by its letter.
        answer: A right answer; empty if solutions are not wanted.
        solution: The explanation; empty if solutions are not wanted.
    """

    number: int
    kind: QuestionKind
    text: str
    options: dict[str, str]
    hint: str
    answer: str = ""
    solution: str = ""

    @property
    def right(self) -> str:
        """The answer as a text, in which moves are code."""
        return f"`{self.answer}`" if self.kind in {"word", "pieces"} else self.answer


class Sheet(msgspec.Struct, frozen=True):
    """A worksheet in one language; `document` is author and title of the source."""

    name: str
    source: str
    document: str
    language: str
    title: str
    aim: str
    puzzle: str
    experiments: tuple[SheetExperiment, ...]
    questions: tuple[SheetQuestion, ...]

    @property
    def held(self) -> bool:
        """Whether a cube is held in the hand."""
        return self.puzzle in _HELD


def sheet_of(worksheet: Worksheet, words: Words, *, solutions: bool = False) -> Sheet:
    """Return a worksheet in a language; some solutions take a second to compute."""
    return Sheet(
        worksheet.name,
        worksheet.source,
        words(f"lesson.document_{worksheet.source.partition('.')[0]}"),
        words.language,
        worksheet.title.text(words),
        worksheet.aim.text(words),
        worksheet.puzzle,
        tuple(_trial(each, worksheet, words) for each in worksheet.experiments),
        tuple(
            _asked(number, task, words, solutions=solutions)
            for number, task in enumerate(worksheet.tasks, start=1)
        ),
    )


def _trial(experiment: Experiment, worksheet: Worksheet, words: Words) -> SheetExperiment:
    commands, facelets = [], experiment.state
    if experiment.moves:
        commands.append(f'{PROGRAM} school lesson {worksheet.name} --try "{experiment.moves}"')
    if experiment.moves and worksheet.puzzle == CUBE:
        commands.append(f'{PROGRAM} run "{experiment.moves}" --virtual')
        facelets = SOLVED.apply(read_moves(experiment.moves)).to_facelets().text
    if experiment.command:
        commands.append(f"{PROGRAM} {experiment.command}")
    text, several = words(experiment.key), tuple(dict.fromkeys(commands))
    return SheetExperiment(text, experiment.moves, several, facelets, experiment.picture)


def _asked(number: int, task: WorksheetTask, words: Words, *, solutions: bool) -> SheetQuestion:
    options = {letter(n): shown(option, words) for n, option in enumerate(task.options)}
    told = (shown(task.answer(), words), task.solution().text(words)) if solutions else ()
    return SheetQuestion(
        number, task.kind, task.question.text(words), options, task.hint.text(words), *told
    )
