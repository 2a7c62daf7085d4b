"""The verb `lesson`: worksheets on the mathematics of the cube, with answers that are checked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from documents.files import write_atomically
from teaching.cli.language import Spoken, chosen_words
from teaching.cli.lesson_text import (
    Attempt,
    Checked,
    answer_record,
    ask_questions,
    check_answers,
    say_answers,
    say_list,
    say_question,
    say_sheet,
    say_solutions,
    say_tried,
    sheet_record,
    tried_record,
)
from teaching.worksheets.catalogue import SETS, all_worksheets, worksheet_named
from teaching.worksheets.figures import reader
from teaching.worksheets.figures import word as read
from teaching.worksheets.html import html as to_html
from teaching.worksheets.html import slides as to_slides
from teaching.worksheets.operations import moves_pieces, read_operations
from teaching.worksheets.sheet import Sheet, sheet_of
from teaching.worksheets.worksheet import CUBE, Worksheet
from thistlebot.cli import options
from thistlebot.cli.options import require_only, require_with
from thistlebot.cli.run import Wishes, perform
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words

Name = Annotated[
    str | None,
    typer.Argument(
        help="Name of the worksheet, or its source such as S3.11. Without it: list them all."
    ),
]
Answers = Annotated[
    list[str] | None,
    typer.Option(
        "--answer", metavar="TEXT", help="An answer; repeat the option for each question, in order."
    ),
]
Tried = Annotated[
    str | None,
    typer.Option(
        "--try",
        metavar="MOVES",
        help="Try these moves, and show the nets, sums and signs. On a cube, URF-ULB swaps two "
        "pieces, URF+ and UR+ turn one in its place.",
    ),
]
Everything = Annotated[bool, typer.Option("--all", help="Show all worksheets.")]
Hours = Annotated[
    int | None,
    typer.Option(help="Show the worksheets for a lesson of 1, 3 or 6 hours.", metavar="1|3|6"),
]
Hint = Annotated[bool, typer.Option("--hint", help="Show the hints.")]
Solutions = Annotated[
    bool, typer.Option("--solutions", help="Add the teacher's sheet: answers and explanations.")
]
Html = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a printable page with drawn nets.")
]
Slides = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a page of slides; Page Down shows the next one."),
]

Turned = Annotated[
    bool,
    typer.Option(
        "--turn",
        help="Make these moves on a rig; without a value, make the moves of the first experiment.",
    ),
]


def lesson(
    context: typer.Context,
    name: Name = None,
    answer: Answers = None,
    hint: Hint = False,
    attempt: Tried = None,
    turn: Turned = False,
    everything: Everything = False,
    hours: Hours = None,
    solutions: Solutions = False,
    html: Html = None,
    slides: Slides = None,
    language: Spoken = None,
    rig: options.Rig = None,
    port: options.Port = None,
    virtual: options.Virtual = False,
    dry_run: options.DryRun = False,
    json: options.Json = False,
) -> None:
    """Show a worksheet on the mathematics of the cube, and check answers to its questions.

    On a terminal it asks one question after another: an empty answer skips the question, ? shows
    the hint. It explains why a wrong answer is wrong; if one stays wrong, the exit code is 7.

    [bold]thistlebot lesson[/]                                  list all worksheets
    [bold]thistlebot lesson theorem[/]                          question, experiment, answer
    [bold]thistlebot lesson theorem --try "R U R' U'"[/]        an experiment on the virtual cube
    [bold]thistlebot lesson delta --try "URF-ULB UF-UB"[/]      swap pieces: what stays the same?
    [bold]thistlebot lesson sums --turn --virtual[/]            turn it on a rig
    [bold]thistlebot lesson --all --html class.html --solutions --language fr[/]
    [bold]thistlebot lesson --hours 3 --slides three-hours.html --solutions[/]
    """
    screen = Screen(quiet=json)
    words = chosen_words(language)
    _require(context, name, everything=everything, hours=hours, turn=turn)
    chosen = _chosen(name, hours)
    if not (name or everything or hours):
        _list(screen, chosen, words, json=json)
        return
    wishes = _Wishes(hint, solutions, json)
    sheets = [sheet_of(each, words, solutions=solutions) for each in chosen]
    files = {html: to_html, slides: to_slides}
    written = _written(screen, sheets, words, wishes, files)
    if not name:
        _say_all(screen, sheets, words, wishes, written=written)
        return
    word = None if attempt is None else _tried(chosen[0], attempt, words)
    said = check_answers(chosen[0], answer or [], words)
    if json:
        _print_records(chosen[0], sheets[0], word, said, words, wishes)
    else:
        if not (written or word or said or turn):
            say_sheet(screen, sheets[0], words)
            said = ask_questions(screen, chosen[0], sheets[0], words, hint=hint)
        else:
            _say_checked(screen, chosen[0], sheets[0], word, said, words)
        if solutions and not written:
            say_solutions(screen, sheets[0], words)
    if turn:
        choices = Choices(rig, None, port, (), virtual)
        perform("lesson", _moves(chosen[0], word), choices, Wishes(dry_run, json, packets=False))
    if any(verdict is not None and not verdict.right for _, verdict in said):
        raise typer.Exit(ExitCode.NOT_VERIFIED)


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What to show besides the worksheet."""

    hint: bool
    solutions: bool
    json: bool


def _chosen(name: str | None, hours: int | None) -> tuple[Worksheet, ...]:
    """The worksheet with a name, those of a lesson of some hours, or all."""
    if name:
        return (worksheet_named(name),)
    return tuple(map(worksheet_named, SETS[hours])) if hours else all_worksheets()


def _require(
    context: typer.Context, name: str | None, *, everything: bool, hours: int | None, turn: bool
) -> None:
    """Refuse options that do not go together."""
    if bool(name) + everything + (hours is not None) > 1:
        raise UsageError("NAME, --all and --hours all select worksheets; give one of them")
    if hours is not None and hours not in SETS:
        raise UsageError(f"there are sets for 1, 3 and 6 hours, not for {hours}")
    if not name and (everything or hours):
        honoured = ("everything", "hours", "solutions", "hint", "html", "slides")
        require_only(context, "--all" if everything else "--hours", (*honoured, "language", "json"))
    elif not name:
        require_only(context, "the list of all lessons, without a NAME,", ("language", "json"))
    rules = ((option, "--turn", turn) for option in ("rig", "port", "virtual", "dry_run"))
    require_with(context, *rules)


def _list(screen: Screen, chosen: Sequence[Worksheet], words: Words, *, json: bool) -> None:
    say_list(screen, chosen, words)
    for each in chosen if json else ():
        record = {"name": each.name, "source": each.source, "title": each.title.text(words)}
        typer.echo(to_line(record | {"questions": len(each.tasks)}))
    screen.note(words("lesson.list").replace("`", ""))


def _written(
    screen: Screen,
    sheets: Sequence[Sheet],
    words: Words,
    wishes: _Wishes,
    files: Mapping[Path | None, Callable[..., str]],
) -> bool:
    """Write worksheets to files; return whether any file was requested."""
    wanted = {file: write for file, write in files.items() if file is not None}
    for file, write in wanted.items():
        write_atomically(file, write(sheets, words, hints=wishes.hint, solutions=wishes.solutions))
        screen.note(words("lesson.wrote", file=file))
    return bool(wanted)


def _say_all(
    screen: Screen, sheets: Sequence[Sheet], words: Words, wishes: _Wishes, *, written: bool
) -> None:
    """Show all worksheets, unless they were written to a file."""
    for sheet in sheets:
        if wishes.json:
            typer.echo(to_line(sheet_record(sheet, words, solutions=wishes.solutions)))
        elif not written:
            say_sheet(screen, sheet, words)
            for asked in sheet.asked:
                say_question(screen, asked, words, hint=wishes.hint)
            if wishes.solutions:
                say_solutions(screen, sheet, words)
            screen.line()


def _say_checked(
    screen: Screen,
    worksheet: Worksheet,
    sheet: Sheet,
    word: Attempt | None,
    said: list[Checked],
    words: Words,
) -> None:
    """Show the moves tried and the answers given."""
    if word is not None:
        say_tried(screen, worksheet, word, words)
    if said:
        say_answers(screen, sheet, said, words)


def _tried(worksheet: Worksheet, text: str, words: Words) -> Attempt:
    """Moves to try, or operations on pieces.

    Raises:
        UsageError: They are not moves of this puzzle.
    """
    try:
        if worksheet.puzzle == CUBE and moves_pieces(text):
            return read_operations(text, lambda moves: read(moves).moves)
        return read(text, worksheet.puzzle)
    except ThistlebotError as error:
        if worksheet.puzzle == CUBE and moves_pieces(text):
            raise UsageError(f"{words('lesson.no_pieces', typed=text)} ({error})") from error
        known = {"typed": text, "example": reader(worksheet.puzzle).puzzle.turns[0].name}
        raise UsageError(words("lesson.no_word", **known)) from error


def _moves(worksheet: Worksheet, word: Attempt | None) -> MoveSequence:
    """The moves for a rig: those tried, or those of the first experiment that has some.

    Raises:
        UsageError: The worksheet is not about the cube, or not all operations are turns.
    """
    if isinstance(word, tuple):
        raise UsageError("--try has operations that no turn can make; leave --turn out")
    given = [each.moves for each in worksheet.experiments if each.moves]
    if worksheet.puzzle != CUBE or not (word or given):
        raise UsageError(f"{worksheet.name}: its experiments turn no cube; leave --turn out")
    return MoveSequence.parse(" ".join((word or read(given[0])).moves))


def _print_records(
    worksheet: Worksheet,
    sheet: Sheet,
    word: Attempt | None,
    said: list[Checked],
    words: Words,
    wishes: _Wishes,
) -> None:
    record = sheet_record(sheet, words, solutions=wishes.solutions)
    if word is not None:
        record["tried"] = tried_record(worksheet, word, words)
    if said:
        record["answers"] = [
            answer_record(number, typed, verdict, words)
            for number, (typed, verdict) in enumerate(said, start=1)
        ]
    typer.echo(to_line(record))
