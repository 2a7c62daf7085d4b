"""The output of the verb `lesson` for a worksheet: in the terminal, and as JSON.

This module also checks answers that are given, and asks for them.
"""

import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import typer
from rich.text import Text

from cube.facelets import Facelets
from cube.net import WESTERN_SCHEME
from teaching.puzzles_as_typed import Word
from teaching.wording import Sayable, Wording, kind_said
from teaching.worksheets.figures import Effect, invariants_said, reader
from teaching.worksheets.operations import (
    GAUGES,
    PieceOperation,
    QuantityAt,
    carried_out,
    changes_said,
    quantity_gauges,
    quantity_levels,
)
from teaching.worksheets.sheet import Sheet, SheetQuestion
from teaching.worksheets.worksheet import AnswerVerdict, Result, Worksheet, WorksheetTask
from thistlebot.errors import UsageError
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words

Checked = tuple[str, AnswerVerdict | None]
"""An answer as typed, and its result; None when the question was skipped."""
_WIDEST, _INDENT = 92, 2
_HELP = "?"


def _paragraph(screen: Screen, text: str, style: str = "", indent: int = 0) -> None:
    """Print a text, broken between words; text in backquotes is coloured."""
    width = max(20, min(_WIDEST, screen.out.width) - indent)
    coded = False
    for line in textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False):
        drawn = Text(" " * indent)
        for number, part in enumerate(line.split("`")):
            coded = coded != (number > 0)
            drawn.append(part, style="cyan" if coded else style)
        screen.out.print(drawn)


def say_list(screen: Screen, worksheets: Sequence[Worksheet], words: Words) -> None:
    """List worksheets: name, source, title."""
    names = max(len(each.name) for each in worksheets)
    sources = max(len(each.source) for each in worksheets)
    for each in worksheets:
        screen.line(f"{each.name:<{names}}  {each.source:<{sources}}  {each.title.text(words)}")


def say_sheet(screen: Screen, sheet: Sheet, words: Words) -> None:
    """Show the subject of a worksheet, and its experiments."""
    _paragraph(screen, f"{sheet.source}  {sheet.title}", "bold")
    _paragraph(screen, sheet.document, "dim")
    screen.line()
    _paragraph(screen, sheet.aim)
    for number, trial in enumerate(sheet.trials, start=1):
        screen.line()
        moves = f"  `{trial.moves}`" if trial.moves else ""
        _paragraph(screen, f"{words('lesson.experiment')} {number}{moves}", "bold")
        _paragraph(screen, trial.text, indent=_INDENT)
        if trial.facelets and not trial.moves:
            screen.net(Facelets(trial.facelets))
        for command in trial.commands:
            screen.out.print(Text(" " * _INDENT).append(command, style="cyan"))


def say_question(screen: Screen, asked: SheetQuestion, words: Words, *, hint: bool) -> None:
    """Show a question."""
    screen.line()
    _paragraph(screen, f"{words('lesson.question')} {asked.number}", "bold")
    _paragraph(screen, asked.text, indent=_INDENT)
    for letter, text in asked.options:
        _paragraph(screen, f"{letter}  {text}", indent=2 * _INDENT)
    _paragraph(screen, asked.way, "dim", indent=_INDENT)
    if hint:
        _say_hint(screen, asked, words)


def _say_hint(screen: Screen, asked: SheetQuestion, words: Words) -> None:
    """Show the hint."""
    text = words("lesson.labelled", label=words("lesson.hint"), text=asked.hint)
    _paragraph(screen, text, "yellow", indent=_INDENT)


def _say_verdict(screen: Screen, verdict: AnswerVerdict, words: Words) -> None:
    """Return whether an answer is right, and why."""
    style = "green" if verdict.right else "red"
    text = f"{words(f'lesson.{verdict.result}')} {verdict.why.text(words)}"
    _paragraph(screen, text, style, indent=_INDENT)


def say_solutions(screen: Screen, sheet: Sheet, words: Words) -> None:
    """Show the teacher's sheet."""
    screen.line()
    _paragraph(screen, words("lesson.solutions"), "bold")
    for asked in sheet.asked:
        _paragraph(screen, f"{asked.number}  {asked.answer}", "bold", indent=_INDENT)
        _paragraph(screen, asked.solution, indent=2 * _INDENT)


Attempt = Word | tuple[PieceOperation, ...]
"""What is tried: a word of moves, or operations on the pieces of a cube."""


def tried_record(worksheet: Worksheet, word: Attempt, words: Words) -> dict[str, Any]:
    """Return the puzzle before and after what is tried, and what that changed and kept."""
    if isinstance(word, tuple):
        states = carried_out(word)
        return {
            "operations": [each.name for each in word],
            "before": states[0].to_facelets().text,
            "after": states[-1].to_facelets().text,
            "changed": _operated(word, words),
        }
    puzzle = reader(worksheet.puzzle).puzzle
    return {
        "moves": list(word.moves),
        "before": puzzle.code(puzzle.solved),
        "after": puzzle.code(word.state),
        "changed": _changed(word, words),
    }


def say_tried(screen: Screen, worksheet: Worksheet, word: Attempt, words: Words) -> None:
    """Show what `tried_record` returns."""
    record, is_cube = tried_record(worksheet, word, words), True
    named = " ".join(record.get("operations", []))
    if not isinstance(word, tuple):
        named, is_cube = word.text.strip(), word.cube is not None
    screen.line()
    _paragraph(screen, f"{words('lesson.tried')}  `{named}`", "bold")
    states = {words(f"lesson.{when}"): record[when] for when in ("before", "after")}
    if is_cube:
        screen.nets(states, WESTERN_SCHEME)
    else:
        puzzle = reader(worksheet.puzzle).puzzle
        for name, code in states.items():
            screen.line(name)
            screen.line(puzzle.text(puzzle.parse(code)))
    for line in record["changed"]:
        _paragraph(screen, line, indent=_INDENT)


def _operated(operations: tuple[PieceOperation, ...], words: Words) -> list[str]:
    """Describe what each operation changes and keeps, then all quantities at the end."""
    states = carried_out(operations)
    steps = zip(operations, states[:-1], states[1:], strict=True)
    said = [changes_said(before, after, each.name, words) for each, before, after in steps]
    gauges, levels = quantity_gauges(words), quantity_levels(states[-1], words)
    pairs = zip(gauges, levels, strict=True)
    return said + [words("lesson.labelled", label=g.text, text=level.said) for g, level in pairs]


def _changed(word: Word, words: Words) -> list[str]:
    """Describe what moves changed and kept, in one sentence each."""
    said: list[Sayable] = []
    if word.cube is not None:
        said.append(Wording("lesson.distance", {"found": Effect.of(word.cube).said()}))
        said += [*invariants_said(word.cube), QuantityAt(GAUGES.index("delta"), word.cube)]
    said.append(Wording("lesson.order", {"order": word.element.order}))
    for kind in word.element.kinds:
        if kind.cycles:
            told = kind_said(kind.name, words)
            said.append(
                Wording("lesson.cycles", {"kind": told, "cycles": "".join(map(str, kind.cycles))})
            )
    return [each.text(words) for each in said]


def sheet_record(sheet: Sheet, words: Words, *, solutions: bool) -> dict[str, Any]:
    """The JSON record of `lesson NAME`."""
    return {
        "name": sheet.name,
        "source": sheet.source,
        "document": sheet.document,
        "language": words.language,
        "title": sheet.title,
        "aim": sheet.aim,
        "experiments": [
            {"text": trial.text, "moves": trial.moves, "commands": list(trial.commands)}
            for trial in sheet.trials
        ],
        "questions": [_question_record(asked, solutions=solutions) for asked in sheet.asked],
    }


def _question_record(asked: SheetQuestion, *, solutions: bool) -> dict[str, Any]:
    record: dict[str, Any] = {
        "number": asked.number,
        "kind": asked.kind,
        "text": asked.text,
        "options": dict(asked.options),
        "hint": asked.hint,
    }
    if solutions:
        record |= {"answer": asked.answer.replace("`", ""), "solution": asked.solution}
    return record


def answer_record(
    number: int, typed: str, verdict: AnswerVerdict | None, words: Words
) -> dict[str, Any]:
    """The result of one answer; None for a skipped one."""
    return {
        "question": number,
        "typed": typed,
        "right": None if verdict is None else verdict.right,
        "why": "" if verdict is None else verdict.why.text(words),
    }


def check_answers(worksheet: Worksheet, answers: Sequence[str], words: Words) -> list[Checked]:
    """The results of the answers; None for empty ones.

    Raises:
        UsageError: There are more answers than questions, or one cannot be read.
    """
    if len(answers) > len(worksheet.tasks):
        raise UsageError(
            f"{worksheet.name} has {len(worksheet.tasks)} questions, but --answer is given "
            f"{len(answers)} times"
        )
    said = []
    for task, typed in zip(worksheet.tasks, answers, strict=False):
        verdict = task.check(typed) if typed.strip() else None
        if verdict is not None and verdict.result is Result.UNREADABLE:
            raise UsageError(verdict.why.text(words))
        said.append((typed, verdict))
    return said


def say_answers(screen: Screen, sheet: Sheet, said: list[Checked], words: Words) -> None:
    """Show questions with the results of their answers."""
    for asked, (typed, verdict) in zip(sheet.asked, said, strict=False):
        say_question(screen, asked, words, hint=False)
        told = words("lesson.labelled", label=words("lesson.answer"), text=typed)
        _paragraph(screen, told, indent=2)
        if verdict is None:
            _paragraph(screen, words("lesson.skipped"), "dim", indent=2)
        else:
            _say_verdict(screen, verdict, words)
    _say_score(screen, said, words, len(sheet.asked))


def ask_questions(
    screen: Screen, worksheet: Worksheet, sheet: Sheet, words: Words, *, hint: bool
) -> list[Checked]:
    """Show the questions; on a terminal, wait for an answer to each."""
    asks = sys.stdin is not None and sys.stdin.isatty() and screen.out.is_terminal
    said = []
    for task, asked in zip(worksheet.tasks, sheet.asked, strict=True):
        say_question(screen, asked, words, hint=hint)
        if asks:
            said.append(_ask(screen, task, asked, words))
    if asks:
        screen.line()
        _say_score(screen, said, words, len(sheet.asked))
    return said


def _ask(screen: Screen, task: WorksheetTask, asked: SheetQuestion, words: Words) -> Checked:
    """Ask until the answer is right or empty; the last answer that could be read counts."""
    last: Checked = ("", None)
    prompt = f"  {words('lesson.ask')}"
    while True:
        typed = str(typer.prompt(prompt, default="", show_default=False, prompt_suffix=" "))
        if not typed.strip():
            return last
        if typed.strip() == _HELP:
            _say_hint(screen, asked, words)
            continue
        verdict = task.check(typed)
        _say_verdict(screen, verdict, words)
        if verdict.result is not Result.UNREADABLE:
            last = (typed, verdict)
        if verdict.right:
            return last


def _say_score(screen: Screen, said: list[Checked], words: Words, count: int) -> None:
    right = sum(verdict is not None and verdict.right for _, verdict in said)
    screen.line(words("lesson.score", right=right, all=count))
