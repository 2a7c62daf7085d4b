"""Turns with a known effect, among them S1's commutators: setup, X T X^-1 T^-1, undo."""

import heapq
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeVar

from cube.held_moves import read_moves
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from teaching.methods.last_layer import quarter_turned

Where = TypeVar("Where")


@dataclass(frozen=True, slots=True)
class Tool:
    """Turns with a known effect.

    Attributes:
        moves: The turns.
        effect: What they do to the solved cube.
        text: How they are made up.
    """

    moves: MoveSequence
    effect: CubeState
    text: str


def tool(moves: MoveSequence, text: str = "") -> Tool:
    """Turns as a tool."""
    return Tool(moves, SOLVED.apply(moves), text or str(moves))


def commutator(x: str, t: str, setup: str = "", quarters: int = 0, *, undo: bool = False) -> Tool:
    """Setup · X T X^-1 T^-1 · undo, in moves of faces and slices, seen from a side of the cube.

    Args:
        x: X, as `cube.held_moves.read_moves` reads it.
        t: T.
        setup: Moves before, undone behind.
        quarters: Quarter turns of the whole cube about U from which it is seen.
        undo: The inverse of it all: T X T^-1 X^-1 between setup and undo.
    """
    text = " ".join([setup, x, t, _undone(x), _undone(t), _undone(setup)])
    moves = read_moves(_undone(text) if undo else text).simplified()
    inside = (t, x) if undo else (x, t)
    said = f"commutator of {inside[0]} and {inside[1]}"
    if setup:
        said = f"setup {setup} · {said} · undo {_undone(setup)}"
    if quarters:
        said += f", seen after y{'2' if quarters == 2 else ''}{chr(39) if quarters == 3 else ''}"
    return tool(quarter_turned(moves, quarters), said)


def _undone(text: str) -> str:
    """The inverse of moves, as text."""
    swap = {"": "'", "'": "", "2": "2"}
    return " ".join(name[0] + swap[name[1:]] for name in reversed(text.split()))


def cheapest(
    start: Where,
    goal: Hashable,
    tools: tuple[Tool, ...],
    carry: Callable[[Where, CubeState], Where],
    key: Callable[[Where], Hashable],
) -> list[Tool]:
    """The tools, fewest turns in all, that lead from a start to a goal.

    Args:
        start: A state, or where a piece is.
        goal: What the key is to become.
        tools: The tools.
        carry: Where an effect leads.
        key: What counts.

    Raises:
        SolverError: They do not lead there (an internal check).
    """
    queue: list[tuple[int, int, Where, list[Tool]]] = [(0, 0, start, [])]
    done: set[Hashable] = set()
    number = 0
    while queue:
        cost, _, here, used = heapq.heappop(queue)
        seen = key(here)
        if seen == goal:
            return used
        if seen in done:
            continue
        done.add(seen)
        for each in tools:
            number += 1
            there = carry(here, each.effect)
            heapq.heappush(queue, (cost + len(each.moves), number, there, [*used, each]))
    raise SolverError("the tools of a stage do not reach its goal (an internal check)")
