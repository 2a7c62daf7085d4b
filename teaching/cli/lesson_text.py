"""The output of the verb `school lesson` for a worksheet: in the terminal."""

import textwrap
from collections.abc import Sequence
from typing import Any

from rich.text import Text

from cube.facelets import Facelets
from cube.net import WESTERN_SCHEME
from teaching.puzzles_as_typed import Word
from teaching.wording import Sayable, Wording, kind_said
from teaching.worksheets.effects import Effect, invariants_said
from teaching.worksheets.figures import reader
from teaching.worksheets.operations import (
    GAUGES,
    PieceOperation,
    QuantityAt,
    carried_out,
    changes_said,
)
from teaching.worksheets.sheet import Sheet, SheetQuestion
from teaching.worksheets.worksheet import Worksheet
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words

_WIDEST, INDENT = 92, 2


def paragraph(screen: Screen, text: str, style: str = "", indent: int = 0) -> None:
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
    paragraph(screen, f"{sheet.source}  {sheet.title}", "bold")
    paragraph(screen, sheet.document, "dim")
    screen.line()
    paragraph(screen, sheet.aim)
    for number, trial in enumerate(sheet.experiments, start=1):
        screen.line()
        moves = f"  `{trial.moves}`" if trial.moves else ""
        paragraph(screen, f"{words('lesson.experiment')} {number}{moves}", "bold")
        paragraph(screen, trial.text, indent=INDENT)
        if trial.facelets and not trial.moves:
            screen.net(Facelets(trial.facelets))
        for command in trial.commands:
            screen.out.print(Text(" " * INDENT).append(command, style="cyan"))


def say_question(screen: Screen, asked: SheetQuestion, words: Words, *, hint: bool) -> None:
    """Show a question."""
    screen.line()
    paragraph(screen, f"{words('lesson.question')} {asked.number}", "bold")
    paragraph(screen, asked.text, indent=INDENT)
    for letter, text in asked.options.items():
        paragraph(screen, f"{letter}  {text}", indent=2 * INDENT)
    paragraph(screen, words(f"lesson.way_{asked.kind}"), "dim", indent=INDENT)
    if hint:
        say_hint(screen, asked, words)


def say_hint(screen: Screen, asked: SheetQuestion, words: Words) -> None:
    """Show the hint."""
    text = words("lesson.labelled", label=words("lesson.hint"), text=asked.hint)
    paragraph(screen, text, "yellow", indent=INDENT)


def say_solutions(screen: Screen, sheet: Sheet, words: Words) -> None:
    """Show the teacher's sheet."""
    screen.line()
    paragraph(screen, words("lesson.solutions"), "bold")
    for asked in sheet.questions:
        paragraph(screen, f"{asked.number}  {asked.right}", "bold", indent=INDENT)
        paragraph(screen, asked.solution, indent=2 * INDENT)


def say_whole(screen: Screen, sheet: Sheet, words: Words, *, hints: bool, solutions: bool) -> None:
    """Show a worksheet with all its questions."""
    say_sheet(screen, sheet, words)
    for asked in sheet.questions:
        say_question(screen, asked, words, hint=hints)
    if solutions:
        say_solutions(screen, sheet, words)
    screen.line()


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


def say_tried(
    screen: Screen, worksheet: Worksheet, word: Attempt, record: dict[str, Any], words: Words
) -> None:
    """Show what `tried_record` returned."""
    named, cube = " ".join(record.get("operations", [])), True
    if not isinstance(word, tuple):
        named, cube = word.text.strip(), word.cube is not None
    screen.line()
    paragraph(screen, f"{words('lesson.tried')}  `{named}`", "bold")
    states = {words(f"lesson.{when}"): record[when] for when in ("before", "after")}
    if cube:
        screen.nets(states, WESTERN_SCHEME)
    else:
        puzzle = reader(worksheet.puzzle).puzzle
        screen.beside({w: Text(puzzle.text(puzzle.parse(code))) for w, code in states.items()})
    for line in record["changed"]:
        paragraph(screen, line, indent=INDENT)


def _operated(operations: tuple[PieceOperation, ...], words: Words) -> list[str]:
    """Describe what each operation changes and keeps, then all quantities at the end."""
    states = carried_out(operations)
    steps = zip(operations, states[:-1], states[1:], strict=True)
    said = [changes_said(before, after, each.name, words) for each, before, after in steps]
    return said + [QuantityAt(number, states[-1]).text(words) for number in range(len(GAUGES))]


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
