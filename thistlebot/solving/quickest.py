"""The solution that a machine turns soonest: many are found, and each is planned."""

from cube.moves import MoveSequence
from cube.state import CubeState
from robot.rigs.mechanism import Mechanism
from robot.rigs.pose import Pose
from solver.clock import thread_clock_ns
from solver.goal import Goal
from solver.search.loading import SearchTables
from solver.stages.solution import Solution
from thistlebot.solving.candidates import candidates

_FIRST_SHARE = 0.3
"""Of the budget for the first solution: the others are about as short, and only plans tell."""


def quickest(
    state: CubeState,
    tables: SearchTables,
    rig: Mechanism,
    budget_ms: float,
    pose: Pose | None = None,
) -> Solution:
    """Return the solution whose plan takes least time, of those found while the budget lasts.

    What a turn costs a machine that handles the cube depends on all that was done before, so no
    search adds it up turn by turn. The first solution is always planned.

    Args:
        state: What is to be solved.
        tables: What the search uses.
        rig: Plans each solution.
        budget_ms: Processor time for searching and planning.
        pose: How machine and cube stand; as when it is ready unless given.

    Raises:
        NotPossibleError: The machine cannot make a move.
        InvalidCubeError: Face turns cannot solve the state.
    """
    # What every plan needs is made once, and not at a cube's expense.
    rig.plan(MoveSequence(), start=pose)
    begun_ns = thread_clock_ns()
    planned: list[tuple[float, int, MoveSequence]] = []
    for moves in candidates(state, tables, budget_ms=_FIRST_SHARE * budget_ms):
        planned.append((rig.plan(moves, start=pose).time_s, len(planned), moves))
        if thread_clock_ns() - begun_ns > budget_ms * 1e6:
            break
    time_s, _, best = min(planned)
    cpu_ms = (thread_clock_ns() - begun_ns) / 1e6
    value = 1000 * time_s
    return Solution(state, best, objective=Goal.TIME.value, value=value, cpu_ms=cpu_ms)
