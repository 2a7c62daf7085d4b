"""Worksheets as Markdown."""

from collections.abc import Iterable, Sequence

from cube.net import text_net
from teaching.worksheets.sheet import Sheet, SheetExperiment, SheetQuestion
from thistlebot.words.words import Words


def markdown(
    sheets: Sequence[Sheet], words: Words, *, hints: bool = False, solutions: bool = False
) -> str:
    """Write worksheets as one document.

    Args:
        sheets: The worksheets.
        words: The texts of their language.
        hints: Show the hints below the questions.
        solutions: Add the answers after all worksheets.
    """
    lines = [f"# {words('lesson.series')}", "", words("lesson.hold"), ""]
    for sheet in sheets:
        lines += _sheet(sheet, words, hints=hints)
    if solutions:
        lines += [f"# {words('lesson.solutions')}", ""]
        for sheet in sheets:
            lines += _solutions(sheet, words)
    return "\n".join(lines).rstrip() + "\n"


def _sheet(sheet: Sheet, words: Words, *, hints: bool) -> Iterable[str]:
    yield from (f"## {sheet.title}", "", f"*{sheet.document}, `{sheet.name}`*", "", sheet.aim, "")
    for number, trial in enumerate(sheet.trials, start=1):
        yield from _trial(number, trial, words)
    for asked in sheet.asked:
        yield from _question(asked, words, hints=hints)


def _trial(number: int, trial: SheetExperiment, words: Words) -> Iterable[str]:
    yield from (f"### {words('lesson.experiment')} {number}", "")
    if trial.moves:
        yield from (f"`{trial.moves}`", "")
    yield from (trial.text, "")
    if trial.facelets:
        yield from ("```text", text_net(trial.facelets), "```", "")
    if trial.commands:
        yield from (words("lesson.with_program"), "", "```sh", *trial.commands, "```", "")


def _question(asked: SheetQuestion, words: Words, *, hints: bool) -> Iterable[str]:
    yield from (f"### {words('lesson.question')} {asked.number}", "", asked.text, "")
    if asked.options:
        yield from (*(f"- **{letter}** {text}" for letter, text in asked.options), "")
    yield from (f"*{asked.way}*", "")
    if hints:
        yield from (f"> {_hint(asked, words)}", "")


def _solutions(sheet: Sheet, words: Words) -> Iterable[str]:
    yield from (f"## {sheet.title} ({sheet.source})", "")
    for asked in sheet.asked:
        yield from (
            f"{asked.number}. **{asked.answer}**",
            "",
            f"   {asked.solution}",
            "",
            f"   *{_hint(asked, words)}*",
            "",
        )


def _hint(asked: SheetQuestion, words: Words) -> str:
    return words("lesson.labelled", label=words("lesson.hint"), text=asked.hint)
