"""Searches for any puzzle: backtracking with a limit (S5), breadth first from both ends (S4)."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic

from puzzles.kinds.puzzle import Puzzle, PuzzleTurn, State, may_follow
from solver.errors import SolverError

Path = tuple[PuzzleTurn, ...]
Failed = dict[tuple[Any, str, int], Path]
"""States, the last turns before them, and the number of further turns that do not solve them; for
each of these the path that led there."""
_MOST_FAILED, _LEAST_TOGO = 200_000, 2
_SEVERAL = re.compile(r"\d'?$")
"""The end of the name of a turn by several steps: `R2`, `A2'`."""


def solutions(
    puzzle: Puzzle[State],
    state: State,
    limit: int,
    *,
    longer: bool = False,
    failed: Failed | None = None,
    quarters: bool = False,
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
        quarters: Only single steps of each layer, as in S5: a half turn is two of them. Then a
            layer may turn twice in a row, but not three times and not back.

    Raises:
        SolverError: The limit is negative.
    """
    if limit < 0:
        raise SolverError(f"a limit of {limit} moves: it must be 0 or more")
    turns = tuple(t for t in puzzle.turns if not (quarters and _SEVERAL.search(t.name)))
    order = {turn.name: number for number, turn in enumerate(turns)}
    follows = _single_may_follow if quarters else _may_follow
    walk = _Walk(puzzle, turns, lambda made, turn: follows(made, turn, order), failed)
    for length in range(limit + 1):
        found = False
        for moves in walk.of_length(state, length, ()):
            found = True
            yield moves
        if found and not longer:
            return


def _may_follow(made: Path, turn: PuzzleTurn, order: dict[str, int]) -> bool:
    return may_follow(made[-1] if made else None, turn, order)


def _single_may_follow(made: Path, turn: PuzzleTurn, order: dict[str, int]) -> bool:
    """Return whether a step may follow: of one layer only once more, and in the same direction."""
    if made and turn.layer == made[-1].layer:
        return turn == made[-1] and turn not in made[-2:-1]
    return _may_follow(made, turn, order)


class _Walk(Generic[State]):
    """A search that knows where it failed."""

    def __init__(
        self,
        puzzle: Puzzle[State],
        turns: Path,
        follows: Callable[[Path, PuzzleTurn], bool],
        failed: Failed | None,
    ) -> None:
        self._puzzle = puzzle
        self._turns = turns
        self._follows = follows
        self._failed: Failed = {} if failed is None else failed

    def of_length(self, state: State, togo: int, made: Path) -> Iterator[Path]:
        """Yield the solutions with so many turns more."""
        solved = self._puzzle.is_solved(state)
        if togo == 0:
            if solved:
                yield made
            return
        if solved:  # a path through the solved state is not a new solution
            return
        last = " ".join(turn.name for turn in made[-2:] if turn.layer == made[-1].layer)
        here = (state, last, togo)
        if here in self._failed:
            return
        found = False
        for turn in self._turns:
            if self._follows(made, turn):
                after = self._puzzle.apply(state, turn)
                for moves in self.of_length(after, togo - 1, (*made, turn)):
                    found = True
                    yield moves
        if not found and togo >= _LEAST_TOGO and len(self._failed) < _MOST_FAILED:
            self._failed[here] = made


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
