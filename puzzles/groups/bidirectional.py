"""Breadth-first search from the state and from the solved one at once (S4)."""

from collections.abc import Iterable

from puzzles.kinds.puzzle import Puzzle, PuzzleTurn, State
from solver.errors import SolverError

Seen = dict[State, tuple[State, PuzzleTurn] | None]


def shortest(
    puzzle: Puzzle[State], state: State, limit: int, goals: Iterable[State] | None = None
) -> tuple[PuzzleTurn, ...] | None:
    """The shortest solution of at most so many moves, or None when there is none.

    The smaller of the two frontiers grows by a move at a time, until they meet.

    Args:
        puzzle: Whose moves are tried.
        state: Where to start.
        limit: How many moves at most.
        goals: States to reach; the solved one by default.

    Raises:
        SolverError: The limit is negative.
    """
    if limit < 0:
        raise SolverError(f"a limit of {limit} moves: 0 or more are needed")
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
    """The steps from a state back to where its side began."""
    steps = []
    while (step := seen[state]) is not None:
        steps.append(step)
        state = step[0]
    return steps
