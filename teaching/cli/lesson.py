"""The verb `lesson`: worksheets on the mathematics of the cube, with answers that are checked."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cube.errors import ThistlebotError
from cube.moves import MoveSequence
from documents.files import write_atomically
from teaching.cli.lesson_answers import (
    Checked,
    ask_questions,
    check_answers,
    say_answers,
)
from teaching.cli.lesson_text import (
    answer_record,
    say_list,
    say_question,
    say_sheet,
    say_solutions,
    say_tried,
    sheet_record,
    tried_record,
)
from teaching.puzzles.words import Word
from teaching.worksheets.catalogue import all_worksheets, worksheet_named
from teaching.worksheets.figures import reader
from teaching.worksheets.figures import word as read
from teaching.worksheets.html import html as to_html
from teaching.worksheets.markdown import markdown as to_markdown
from teaching.worksheets.sheet import Sheet, sheet_of
from teaching.worksheets.worksheet import CUBE, Worksheet
from thistlebot.cli.options import declared as options
from thistlebot.cli.options.rules import require_only, require_with
from thistlebot.cli.run import Wishes, perform
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import LANGUAGES, Words, load_words, spoken_language

# mypy wants the members of an enumeration spelt out; these are the catalogue's.
Language = StrEnum("Language", {code: code for code in LANGUAGES})  # type: ignore[misc]

Name = Annotated[
    str | None, typer.Argument(help="Its name, or its source such as S3.11. Without it: the list.")
]
Answers = Annotated[
    list[str] | None,
    typer.Option("--answer", metavar="TEXT", help="An answer; once for each question, in order."),
]
Tried = Annotated[
    str | None, typer.Option("--try", metavar="MOVES", help="Try moves: nets, sums and signs.")
]
Spoken = Annotated[
    Language | None, typer.Option("--language", help="By default that of the system, or English.")
]
Everything = Annotated[bool, typer.Option("--all", help="All worksheets.")]


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("lesson")(lesson)


def lesson(
    context: typer.Context,
    name: Name = None,
    answer: Answers = None,
    hint: Annotated[bool, typer.Option("--hint", help="Show the hints.")] = False,
    attempt: Tried = None,
    turn: Annotated[
        bool, typer.Option("--turn", help="Let a rig turn these moves, or the first experiment's.")
    ] = False,
    everything: Everything = False,
    solutions: Annotated[
        bool, typer.Option("--solutions", help="Add the teacher's sheet: answers, and why.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page to print, nets drawn.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the text as Markdown.")
    ] = None,
    language: Spoken = None,
    rig: options.Rig = None,
    port: options.Port = None,
    virtual: options.Virtual = False,
    dry_run: options.DryRun = False,
    json: options.Json = False,
) -> None:
    """Show a worksheet on the mathematics of the cube, and check the answers to its questions.

    On a terminal it asks one question after the other: an empty answer skips, ? shows the hint. A
    wrong answer is told why it is wrong; when one stays wrong the exit code is 7.

    [bold]thistlebot lesson[/]                                  the list
    [bold]thistlebot lesson theorem[/]                          question, experiment, answer
    [bold]thistlebot lesson theorem --try "R U R' U'"[/]        an experiment on the virtual cube
    [bold]thistlebot lesson sums --turn --virtual[/]            a rig turns it
    [bold]thistlebot lesson --all --html class.html --solutions --language fr[/]
    """
    screen = Screen(quiet=json)
    words = load_words(language.value if language else spoken_language(os.environ))
    _require(context, name, everything=everything, turn=turn)
    chosen = (worksheet_named(name),) if name else all_worksheets()
    if not (name or everything):
        _list(screen, chosen, words, json=json)
        return
    wishes = _Wishes(hint, solutions, json)
    sheets = [sheet_of(each, words, solutions=solutions) for each in chosen]
    written = _written(screen, sheets, words, wishes, {html: to_html, markdown: to_markdown})
    if not name:
        _say_all(screen, sheets, words, wishes, written=written)
        return
    word = None if attempt is None else _word(chosen[0], attempt, words)
    said = check_answers(chosen[0], answer or [], words)
    shown = not (written or word or said or turn)
    if json:
        _print_records(chosen[0], sheets[0], word, said, words, wishes)
    else:
        if shown:
            say_sheet(screen, sheets[0], words)
        if word is not None:
            say_tried(screen, chosen[0], word, words)
        if said:
            say_answers(screen, sheets[0], said, words)
        elif shown:
            said = ask_questions(screen, chosen[0], sheets[0], words, hint=hint)
        if solutions and not written:
            say_solutions(screen, sheets[0], words)
    if turn:
        choices = Choices(rig, None, port, (), virtual)
        moves = _moves(chosen[0], word)
        perform("lesson", moves, choices, Wishes(dry_run, json, packets=False))
    if any(verdict is not None and not verdict.right for _, verdict in said):
        raise typer.Exit(ExitCode.NOT_VERIFIED)


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What is shown besides the worksheet."""

    hint: bool
    solutions: bool
    json: bool


def _require(context: typer.Context, name: str | None, *, everything: bool, turn: bool) -> None:
    """Refuse options that do not go together."""
    if name and everything:
        raise UsageError("NAME and --all both say which worksheets; give one of them")
    if not name and everything:
        honoured = ("everything", "solutions", "hint", "html", "markdown", "language", "json")
        require_only(context, "--all", honoured)
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
    """Write worksheets into files; say whether any was wanted."""
    wanted = {file: write for file, write in files.items() if file is not None}
    for file, write in wanted.items():
        write_atomically(file, write(sheets, words, hints=wishes.hint, solutions=wishes.solutions))
        screen.note(words("lesson.wrote", file=file))
    return bool(wanted)


def _say_all(
    screen: Screen, sheets: Sequence[Sheet], words: Words, wishes: _Wishes, *, written: bool
) -> None:
    """Show all worksheets, unless they went into a file."""
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


def _word(worksheet: Worksheet, text: str, words: Words) -> Word:
    """Moves to try.

    Raises:
        UsageError: They are none of this puzzle.
    """
    try:
        return read(text, worksheet.puzzle)
    except ThistlebotError as error:
        known = {"typed": text, "example": reader(worksheet.puzzle).puzzle.turns[0].name}
        raise UsageError(words("lesson.no_word", **known)) from error


def _moves(worksheet: Worksheet, word: Word | None) -> MoveSequence:
    """The moves that a rig turns: those tried, or those of the first experiment that has some.

    Raises:
        UsageError: The worksheet is about another puzzle than the cube.
    """
    given = [each.moves for each in worksheet.experiments if each.moves]
    if worksheet.puzzle != CUBE or not (word or given):
        raise UsageError(f"{worksheet.name}: its experiments turn no cube; leave --turn away")
    return MoveSequence.parse(" ".join((word or read(given[0])).moves))


def _print_records(
    worksheet: Worksheet,
    sheet: Sheet,
    word: Word | None,
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
