"""Backtracking over any puzzle's moves with a move limit (S5)."""

from collections.abc import Iterator

from solver.errors import SolverError
from solver.puzzles.puzzle import Puzzle, State, Turn, may_follow


def solutions(
    puzzle: Puzzle[State], state: State, limit: int, *, longer: bool = False
) -> Iterator[tuple[Turn, ...]]:
    """Solutions of at most so many moves, the shortest first.

    No layer turns twice in a row, and of turns about one axis only one order is tried, which spares
    undoing a move and turning a layer three times (S5's prunings), and more.

    Args:
        puzzle: Whose moves are tried.
        state: Where to start.
        limit: How many moves at most.
        longer: Also give the solutions with more moves than the shortest; else only those that
            are as short.

    Raises:
        SolverError: The limit is negative.
    """
    if limit < 0:
        raise SolverError(f"a limit of {limit} moves: 0 or more are needed")
    order = {turn.name: number for number, turn in enumerate(puzzle.turns)}
    for length in range(limit + 1):
        found = False
        for moves in _of_length(puzzle, state, length, (), order):
            found = True
            yield moves
        if found and not longer:
            return


def _of_length(
    puzzle: Puzzle[State],
    state: State,
    togo: int,
    made: tuple[Turn, ...],
    order: dict[str, int],
) -> Iterator[tuple[Turn, ...]]:
    solved = puzzle.is_solved(state)
    if togo == 0:
        if solved:
            yield made
        return
    if solved:  # a way through the solved state is no new solution
        return
    last = made[-1] if made else None
    for turn in puzzle.turns:
        if may_follow(last, turn, order):
            yield from _of_length(puzzle, puzzle.apply(state, turn), togo - 1, (*made, turn), order)
