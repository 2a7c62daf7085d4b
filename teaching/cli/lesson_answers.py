"""Answers to the questions of a worksheet: those that are given, and those that are asked for."""

import sys
from collections.abc import Sequence
from typing import Any

import typer

from teaching.cli.lesson_text import INDENT, paragraph, say_hint, say_question
from teaching.worksheets.sheet import Sheet, SheetQuestion
from teaching.worksheets.worksheet import AnswerVerdict, Result, Worksheet, WorksheetTask
from thistlebot.errors import UsageError
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words

Checked = tuple[str, AnswerVerdict | None]
"""An answer as typed, and its result; None when the question was skipped."""
_HELP = "?"


def answer_record(number: int, said: Checked, words: Words) -> dict[str, Any]:
    """Return the result of the answer to a question."""
    typed, verdict = said
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


def _say_verdict(screen: Screen, verdict: AnswerVerdict, words: Words) -> None:
    """Show whether an answer is right, and why."""
    style = "green" if verdict.right else "red"
    text = f"{words(f'lesson.{verdict.result}')} {verdict.why.text(words)}"
    paragraph(screen, text, style, indent=INDENT)


def say_answers(screen: Screen, sheet: Sheet, said: list[Checked], words: Words) -> None:
    """Show questions with the results of their answers."""
    for asked, (typed, verdict) in zip(sheet.questions, said, strict=False):
        say_question(screen, asked, words, hint=False)
        told = words("lesson.labelled", label=words("lesson.answer"), text=typed)
        paragraph(screen, told, indent=INDENT)
        if verdict is None:
            paragraph(screen, words("lesson.skipped"), "dim", indent=INDENT)
        else:
            _say_verdict(screen, verdict, words)
    _say_score(screen, said, words, len(sheet.questions))


def ask_questions(
    screen: Screen, worksheet: Worksheet, sheet: Sheet, words: Words, *, hint: bool
) -> list[Checked]:
    """Show the questions; on a terminal, wait for an answer to each."""
    asks = sys.stdin is not None and sys.stdin.isatty() and screen.out.is_terminal
    said = []
    for task, asked in zip(worksheet.tasks, sheet.questions, strict=True):
        say_question(screen, asked, words, hint=hint)
        if asks:
            said.append(_ask(screen, task, asked, words))
    if asks:
        screen.line()
        _say_score(screen, said, words, len(sheet.questions))
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
            say_hint(screen, asked, words)
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
