"""Many solutions of one state, for machines that find some of them easier than others."""

from collections.abc import Iterator

from cube.moves import Move, MoveSequence
from cube.orientation import Orientation, orientations
from cube.state import SOLVED, CubeState
from solver.search.anytime import solve
from solver.search.loading import SearchTables
from solver.search.objectives import HTM, Objective


def candidates(
    state: CubeState,
    tables: SearchTables,
    *,
    objective: Objective = HTM,
    budget_ms: float = 100.0,
    each_ms: float = 5.0,
    most: int = 2 * len(orientations()),
) -> Iterator[MoveSequence]:
    """Yield different solutions, the one that took longest to find first.

    The search looks at a cube as it is held: held otherwise, or undone instead of solved, the same
    state has other solutions, about as short.

    Args:
        state: What is to be solved.
        tables: What the search uses.
        objective: What makes a solution short.
        budget_ms: Processor time for the first one.
        each_ms: Processor time for each further one.
        most: How many further ones are looked for.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
    """
    first = solve(state, tables=tables, objective=objective, budget_ms=budget_ms).moves
    yield first
    known = {first}
    ways = [(held, undone) for held in orientations() for undone in (False, True)]
    for held, undone in ways[1 : most + 1]:
        scramble = first if undone else first.inverse()
        turned = SOLVED.apply(_held(scramble, held))
        moves = solve(turned, tables=tables, objective=objective, budget_ms=each_ms).moves
        found = _held(moves, held.inverse())
        found = found.inverse() if undone else found
        if found not in known:
            known.add(found)
            yield found


def _held(moves: MoveSequence, held: Orientation) -> MoveSequence:
    """Return the moves of the faces that are where the moves' faces usually are."""
    return MoveSequence.of(Move(held.face_at(move.face), move.turns) for move in moves)
