"""The solution that a machine turns soonest: many are found, and each is planned."""

from dataclasses import replace

from cube.moves import MoveSequence
from cube.state import CubeState
from robot.rigs.mechanism import Mechanism
from robot.rigs.pose import Pose
from solver.goal import Goal
from solver.search.anytime import solve
from solver.search.objectives import HTM, Objective, SearchTables
from solver.stages.solution import Solution


def quickest(
    state: CubeState,
    tables: SearchTables,
    rig: Mechanism,
    budget_ms: float,
    *,
    pose: Pose | None = None,
    objective: Objective = HTM,
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
        objective: What the search minimises; its tables have to be loaded.

    Raises:
        NotPossibleError: The machine cannot make a move.
        InvalidCubeError: Face turns cannot solve the state.
    """
    # What every plan needs is made once, and not at a cube's expense.
    rig.plan(MoveSequence(), start=pose)

    def planned_ms(moves: MoveSequence) -> float:
        return 1000 * rig.plan(moves, start=pose).time_s

    found = solve(state, tables=tables, objective=objective, budget_ms=budget_ms, price=planned_ms)
    return replace(found, objective=Goal.TIME.value)
