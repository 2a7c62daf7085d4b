"""The verb `puzzle`: other puzzles than the 3×3×3 cube, shown, scrambled and solved."""

from __future__ import annotations

import re
import time
from enum import StrEnum
from typing import Annotated

import numpy as np
import typer

from cube.errors import ThistlebotError
from solver.puzzles.backtracking import solutions
from solver.puzzles.bidirectional import shortest
from solver.puzzles.box import Box
from solver.puzzles.painted import Stickers
from solver.puzzles.puzzle import Turn, scrambled
from thistlebot.cli import options
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.records import to_line
from thistlebot.show import Screen

_NAME = re.compile(r"(\d)[x×](\d)[x×](\d)")
_POCKET = (2, 2, 2)


class Way(StrEnum):
    """How a puzzle is solved."""

    BIDIRECTIONAL = "bidirectional"
    BACKTRACKING = "backtracking"


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("puzzle")(puzzle)


def puzzle(
    name: Annotated[
        str, typer.Argument(help="A box by its sides, right × up × front: 2x2x2, 3x2x3, 4x4x4 …")
    ],
    scramble: Annotated[
        str | None, typer.Option(metavar="MOVES", help='Moves to start with, such as "R 2U2 F".')
    ] = None,
    random: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="So many random moves instead.")
    ] = None,
    method: Annotated[
        Way | None, typer.Option("--solve", help="Solve it by one of these methods.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=0, help="Moves a solution may have.")] = 6,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Show a box of small cubes, turn it, and solve it.

    Any layer may turn; one whose outline is no square turns by halves. Of a 2×2×2 cube the
    layers L, D and B stay: turning them is turning the others and the whole cube.

    [bold]thistlebot puzzle 3x2x3[/]                                  the Domino and its turns
    [bold]thistlebot puzzle 2x2x2 --random 6 --solve backtracking[/]
    [bold]thistlebot puzzle 4x4x4 --scramble "R 2U F2" --solve bidirectional[/]
    """
    box = _box(name)
    if scramble is not None and random is not None:
        raise UsageError("--scramble and --random both say how to begin; give one of them")
    if random is not None:
        state, made = scrambled(box, random, np.random.default_rng(seed))
    else:
        made = _turns(box, scramble or "")
        state = box.solved
        for turn in made:
            state = box.apply(state, turn)
    started = time.thread_time()
    found = _solve(box, state, method, limit) if method else None
    cpu_ms = 1000 * (time.thread_time() - started)
    screen = Screen(quiet=json)
    if json:
        record = {
            "puzzle": box.name,
            "turns": [turn.name for turn in box.turns],
            "scramble": _text(made),
            "state": "".join(state),
            "moves": None if found is None else _text(found),
            "cpu_ms": round(cpu_ms, 3) if method else None,
        }
        typer.echo(to_line(record))
    else:
        screen.line(f"{box.name}: {len(box.turns)} turns: {_text(box.turns)}")
        if made:
            screen.line(f"scramble: {_text(made)}")
        screen.line(box.text(state))
    if method and found is None:
        screen.note(f"no solution of at most {limit} moves; --limit allows more, and takes longer")
        raise typer.Exit(ExitCode.UNSOLVABLE)
    if found is not None and not json:
        screen.line(
            f"{_text(found) or 'nothing to do'}  ({len(found)} moves, the fewest, {method})"
        )


def _box(name: str) -> Box:
    match = _NAME.fullmatch(name)
    if match is None or "0" in match.groups():
        raise UsageError(f"{name!r} is no box: write its three sides, 1 to 9, such as 2x2x2")
    sides = (int(match[1]), int(match[2]), int(match[3]))
    return Box(*sides, fixed=sides == _POCKET)


def _turns(box: Box, text: str) -> tuple[Turn, ...]:
    turns = {turn.name: turn for turn in box.turns}
    unknown = [word for word in text.split() if word not in turns]
    if unknown:
        raise UsageError(f"{box.name} has no turn {unknown[0]}; its turns are {' '.join(turns)}")
    return tuple(turns[word] for word in text.split())


def _solve(box: Box, state: Stickers, method: Way, limit: int) -> tuple[Turn, ...] | None:
    if method is Way.BACKTRACKING:
        return next(solutions(box, state, limit), None)
    try:
        return shortest(box, state, limit, box.solved_states)
    except MemoryError as error:
        raise ThistlebotError(f"{limit} moves are too many states: lower --limit") from error


def _text(turns: tuple[Turn, ...]) -> str:
    return " ".join(turn.name for turn in turns)
