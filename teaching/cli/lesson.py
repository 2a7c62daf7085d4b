"""The verb `school lesson`: worksheets on the mathematics of the cube, with checked answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from cube.errors import ThistlebotError
from documents.files import write_atomically
from teaching.cli.language import Spoken, chosen_words
from teaching.cli.lesson_answers import answer_record, ask_questions, check_answers, say_answers
from teaching.cli.lesson_text import (
    Attempt,
    say_list,
    say_sheet,
    say_solutions,
    say_tried,
    say_whole,
    tried_record,
)
from teaching.worksheets.catalogue import SETS, all_worksheets, worksheet_named
from teaching.worksheets.figures import reader
from teaching.worksheets.figures import word as read
from teaching.worksheets.html import html as html_sheets
from teaching.worksheets.operations import moves_pieces, read_operations
from teaching.worksheets.sheet import sheet_of
from teaching.worksheets.worksheet import CUBE, Worksheet
from thistlebot.cli import options
from thistlebot.cli.option_rules import require_only
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.records import to_line
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


def lesson(
    context: typer.Context,
    name: Name = None,
    answer: Answers = None,
    hint: Hint = False,
    attempt: Tried = None,
    everything: Everything = False,
    hours: Hours = None,
    solutions: Solutions = False,
    html: Html = None,
    language: Spoken = None,
    json: options.Json = False,
) -> None:
    """Show a worksheet, and check answers.

    On a terminal it asks one question after another: an empty answer skips the question, ? shows
    the hint. It explains why a wrong answer is wrong; if one stays wrong, the exit code is 7.

    [bold]thistlebot school lesson[/]                              list all worksheets
    [bold]thistlebot school lesson theorem[/]                      question, experiment, answer
    [bold]thistlebot school lesson theorem --try "R U R' U'"[/]    an experiment on the virtual cube
    [bold]thistlebot school lesson delta --try "URF-ULB UF-UB"[/]  swap pieces: what stays the same?
    [bold]thistlebot school lesson --all --html class.html --solutions --language fr[/]
    [bold]thistlebot school lesson --hours 3 --html three-hours.html --solutions[/]
    """
    screen, words = Screen(quiet=json), chosen_words(language)
    _require(context, name, everything=everything, hours=hours)
    chosen = _chosen(name, hours)
    if not (name or everything or hours):
        _list(screen, chosen, words, json=json)
        return
    sheets = [sheet_of(each, words, solutions=solutions) for each in chosen]
    if html is not None:
        write_atomically(html, html_sheets(sheets, words, hints=hint, solutions=solutions))
        screen.note(words("lesson.wrote", file=html))
    if not name:
        for sheet in sheets if not html or json else ():
            say_whole(screen, sheet, words, hints=hint, solutions=solutions)
            if json:
                typer.echo(to_line(sheet))
        return
    worksheet, sheet = chosen[0], sheets[0]
    word = None if attempt is None else _tried(worksheet, attempt, words)
    said = check_answers(worksheet, answer or [], words)
    record = msgspec.to_builtins(sheet)
    if word is not None:
        record["tried"] = tried_record(worksheet, word, words)
        say_tried(screen, worksheet, word, record["tried"], words)
    if said:
        record["answers"] = [answer_record(*each, words) for each in enumerate(said, start=1)]
        say_answers(screen, sheet, said, words)
    if json:
        typer.echo(to_line(record))
    elif not (html or word or said):
        say_sheet(screen, sheet, words)
        said = ask_questions(screen, worksheet, sheet, words, hint=hint)
    if solutions and not html:
        say_solutions(screen, sheet, words)
    if any(verdict is not None and not verdict.right for _, verdict in said):
        raise typer.Exit(ExitCode.NOT_VERIFIED)


def _chosen(name: str | None, hours: int | None) -> tuple[Worksheet, ...]:
    """The worksheet with a name, those of a lesson of some hours, or all."""
    if name:
        return (worksheet_named(name),)
    return tuple(map(worksheet_named, SETS[hours])) if hours else all_worksheets()


def _require(
    context: typer.Context, name: str | None, *, everything: bool, hours: int | None
) -> None:
    """Refuse options that do not go together."""
    if bool(name) + everything + (hours is not None) > 1:
        raise UsageError("NAME, --all and --hours all select worksheets; give one of them")
    if hours is not None and hours not in SETS:
        raise UsageError(f"there are sets for 1, 3 and 6 hours, not for {hours}")
    if not name and (everything or hours):
        honoured = ("everything", "hours", "solutions", "hint", "html")
        require_only(context, "--all" if everything else "--hours", (*honoured, "language", "json"))
    elif not name:
        require_only(context, "the list of all lessons, without a NAME,", ("language", "json"))


def _list(screen: Screen, chosen: Sequence[Worksheet], words: Words, *, json: bool) -> None:
    say_list(screen, chosen, words)
    for each in chosen if json else ():
        record = {"name": each.name, "source": each.source, "title": each.title.text(words)}
        moves = next((tried.moves for tried in each.experiments if tried.moves), "")
        shown = {"level": each.level, "moves": moves if each.puzzle == CUBE else ""}
        typer.echo(to_line(record | shown | {"questions": len(each.tasks)}))
    screen.note(words("lesson.list").replace("`", ""))


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
