"""Many solutions of one state, for whoever finds some of them better than others."""

from collections.abc import Callable, Iterator

from cube.moves import Move, MoveSequence
from cube.orientation import Orientation, orientations
from cube.state import SOLVED, CubeState

MOST = 2 * len(orientations()) - 1
"""The cube in 24 ways, and its inverse, besides the first one."""
Search = Callable[[CubeState, float], MoveSequence]
"""Solves a state within a budget in milliseconds."""


def candidates(
    state: CubeState,
    search: Search,
    *,
    budget_ms: float = 100.0,
    each_ms: float = 5.0,
    most: int = MOST,
) -> Iterator[MoveSequence]:
    """Yield different solutions, the one that took longest to find first.

    The search looks at a cube as it is held: held otherwise, or undone instead of solved, the same
    state has other solutions, about as short.

    Args:
        state: What is to be solved.
        search: Finds the solutions.
        budget_ms: Processor time for the first one.
        each_ms: Processor time for each further one.
        most: How many further ones are looked for.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
    """
    first = search(state, budget_ms)
    yield first
    known = {first}
    ways = [(held, undone) for held in orientations() for undone in (False, True)]
    for held, undone in ways[1 : most + 1]:
        scramble = first if undone else first.inverse()
        turned = SOLVED.apply(_held(scramble, held))
        found = _held(search(turned, each_ms), held.inverse())
        found = found.inverse() if undone else found
        if found not in known:
            known.add(found)
            yield found


def _held(moves: MoveSequence, held: Orientation) -> MoveSequence:
    """Return the moves of the faces that are where the moves' faces usually are."""
    return MoveSequence.of(Move(held.face_at(move.face), move.turns) for move in moves)
