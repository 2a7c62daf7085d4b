"""A way from one state of a puzzle to another, by the method that suits the puzzle best."""

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Any

import numpy as np

from cube.errors import ThistlebotError
from puzzles.groups.analysis import Analysis, Difference
from puzzles.groups.backtracking import solutions
from puzzles.groups.bidirectional import shortest
from puzzles.groups.word_ways import WordWays
from puzzles.kinds.box import Box
from puzzles.kinds.puzzle import Puzzle, PuzzleTurn
from puzzles.paths.finder import MEMORY, PathFinder
from solver.tables import TableStore
from thistlebot.errors import UsageError


class PuzzleMethod(StrEnum):
    """How a puzzle is solved."""

    AUTO = "auto"
    WORDS = "words"
    BIDIRECTIONAL = "bidirectional"
    BACKTRACKING = "backtracking"


SEARCHES = (PuzzleMethod.BIDIRECTIONAL, PuzzleMethod.BACKTRACKING)
"""The methods that look for a shortest way, up to a limit."""


@dataclass(frozen=True, slots=True)
class FoundPath:
    """What was found between two states.

    Attributes:
        moves: A way, or None when none was found.
        method: How it was found.
        shortest: Whether no way has fewer moves.
        differences: The invariants in which the states differ: there is no way then.
        solutions: Every solution within the limit, the shortest first, where all were asked for.
    """

    moves: tuple[PuzzleTurn, ...] | None
    method: str
    shortest: bool = False
    differences: tuple[Difference, ...] = ()
    solutions: tuple[tuple[PuzzleTurn, ...], ...] = ()


def connect(
    analysis: Analysis[Any],
    one: Any,
    other: Any,
    way: PuzzleMethod,
    *,
    limit: int,
    memory: int = MEMORY,
    store: TableStore,
    rng: np.random.Generator,
    every: bool = False,
) -> FoundPath:
    """Find turns from one state to another.

    Args:
        analysis: The puzzle's.
        one: Where to begin.
        other: Where to end; None for solved, however the puzzle is held.
        way: The method; AUTO takes what finds the shortest ways of this puzzle.
        limit: How many moves backtracking and the search from both ends may make.
        memory: Bytes that a search may fill.
        store: Where the solvers' tables are kept.
        rng: For the words that are tried.
        every: Backtracking goes on to all longer solutions within the limit.

    Raises:
        SolverError: A state is no re-assembly of the puzzle.
        UsageError: Backtracking is asked to go elsewhere than to the solved puzzle.
    """
    puzzle = analysis.puzzle
    if way is PuzzleMethod.BACKTRACKING:
        if other is not None:
            raise UsageError("backtracking only goes to the solved puzzle; leave --to out")
        ways = solutions(puzzle, one, limit, longer=every)
        found = tuple(ways if every else islice(ways, 1))
        best = found[0] if found else None
        connection = _searched(analysis, best, way, one, _solved(puzzle))
        return replace(connection, solutions=found) if every else connection
    end = puzzle.solved if other is None else other
    if way is PuzzleMethod.BIDIRECTIONAL:
        goals = _solved(puzzle) if other is None else (end,)
        try:
            moves = shortest(puzzle, one, limit, goals)
        except MemoryError as error:
            raise ThistlebotError(f"{limit} moves are too many states: lower --limit") from error
        return _searched(analysis, moves, way, one, goals)
    differences = analysis.differences(one, end)
    if differences:
        return FoundPath(None, way, differences=differences)
    if way is PuzzleMethod.WORDS:
        return FoundPath(WordWays(analysis, rng).between(one, end), way)
    led = PathFinder(analysis, store, rng, memory).between(one, end)
    if led is None:
        return FoundPath(None, way)
    return FoundPath(led.turns, led.method, led.shortest)


def _solved(puzzle: Puzzle[Any]) -> tuple[Any, ...]:
    """The solved state, however the puzzle is held."""
    return puzzle.solved_states if isinstance(puzzle, Box) else (puzzle.solved,)


def _searched(
    analysis: Analysis[Any],
    moves: tuple[PuzzleTurn, ...] | None,
    way: PuzzleMethod,
    one: Any,
    goals: tuple[Any, ...],
) -> FoundPath:
    """What a search up to a limit found; if nothing, whether there is anything to be found."""
    if moves is not None:
        return FoundPath(moves, way, shortest=True)
    differences = [analysis.differences(one, goal) for goal in goals]
    return FoundPath(None, way, differences=differences[0] if all(differences) else ())
