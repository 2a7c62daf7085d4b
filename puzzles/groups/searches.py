"""Searches for any puzzle: backtracking with a limit (S5), breadth first from both ends (S4)."""

from collections.abc import Iterable, Iterator
from typing import Any

from puzzles.kinds.puzzle import Puzzle, PuzzleTurn, State, may_follow
from solver.errors import SolverError

Failed = set[tuple[Any, str, int]]
"""States, the turns before them, and the number of further turns that do not solve them."""
_MOST_FAILED, _LEAST_TOGO = 200_000, 2


def solutions(
    puzzle: Puzzle[State],
    state: State,
    limit: int,
    *,
    longer: bool = False,
    failed: Failed | None = None,
) -> Iterator[tuple[PuzzleTurn, ...]]:
    """Yield solutions of at most `limit` moves, the shortest first.

    No layer turns twice in a row, and of turns about one axis only one order is tried, which
    includes S5's prunings: never undo a move, or turn a layer three times. As in S5, failures are
    stored: a state that other moves have reached is not tried again.

    Args:
        puzzle: The puzzle.
        state: The start.
        limit: Maximum number of moves.
        longer: Also yield solutions with more moves than the shortest; otherwise only the shortest
            ones.
        failed: The table of failures, with up to 200 000 entries; by default a new one.

    Raises:
        SolverError: The limit is negative.
    """
    if limit < 0:
        raise SolverError(f"a limit of {limit} moves: it must be 0 or more")
    order = {turn.name: number for number, turn in enumerate(puzzle.turns)}
    failed = set() if failed is None else failed
    for length in range(limit + 1):
        found = False
        for moves in _of_length(puzzle, state, length, (), order, failed=failed):
            found = True
            yield moves
        if found and not longer:
            return


def _of_length(
    puzzle: Puzzle[State],
    state: State,
    togo: int,
    made: tuple[PuzzleTurn, ...],
    order: dict[str, int],
    *,
    failed: Failed,
) -> Iterator[tuple[PuzzleTurn, ...]]:
    solved = puzzle.is_solved(state)
    if togo == 0:
        if solved:
            yield made
        return
    if solved:  # a path through the solved state is not a new solution
        return
    last = made[-1] if made else None
    here = (state, last.name if last else "", togo)
    if here in failed:
        return
    found = False
    for turn in puzzle.turns:
        if may_follow(last, turn, order):
            after = puzzle.apply(state, turn)
            for moves in _of_length(puzzle, after, togo - 1, (*made, turn), order, failed=failed):
                found = True
                yield moves
    if not found and togo >= _LEAST_TOGO and len(failed) < _MOST_FAILED:
        failed.add(here)


Seen = dict[State, tuple[State, PuzzleTurn] | None]


def shortest(
    puzzle: Puzzle[State], state: State, limit: int, goals: Iterable[State] | None = None
) -> tuple[PuzzleTurn, ...] | None:
    """Return the shortest solution of at most `limit` moves, or None.

    The smaller of the two frontiers grows by one move at a time, until they meet.

    Args:
        puzzle: The puzzle.
        state: The start.
        limit: Maximum number of moves.
        goals: States to reach; the solved one by default.

    Raises:
        SolverError: The limit is negative.
    """
    if limit < 0:
        raise SolverError(f"a limit of {limit} moves: it must be 0 or more")
    undo = {turn.name: turn for turn in puzzle.turns}
    seen: tuple[Seen[State], Seen[State]] = (
        {state: None},
        dict.fromkeys(goals or (puzzle.solved,)),
    )
    edges = [list(part) for part in seen]
    if state in seen[1]:
        return ()
    for _ in range(limit):
        side = 0 if len(edges[0]) <= len(edges[1]) else 1
        grown: list[State] = []
        for here in edges[side]:
            for turn in puzzle.turns:
                there = puzzle.apply(here, turn)
                if there in seen[side]:
                    continue
                seen[side][there] = (here, turn)
                if there in seen[1 - side]:
                    forth = [turn for _, turn in _way(seen[0], there)][::-1]
                    back = [undo[turn.inverse] for _, turn in _way(seen[1], there)]
                    return (*forth, *back)
                grown.append(there)
        edges[side] = grown
    return None


def _way(seen: Seen[State], state: State) -> list[tuple[State, PuzzleTurn]]:
    """Return the steps from a state back to the start of its side."""
    steps = []
    while (step := seen[state]) is not None:
        steps.append(step)
        state = step[0]
    return steps
