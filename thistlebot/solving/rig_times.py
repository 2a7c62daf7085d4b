"""The time that a solution takes on a rig: the times of its turns, and the quickest of many."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from cube.moves import FACES, OPPOSITE_FACE, Move, MoveSequence
from cube.state import CubeState
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Pose
from solver.goal import Goal
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.search.objectives import HTM, Objective
from solver.search.step_costs import StepCosts
from solver.search.tables.axial_turns import AXIAL_TURNS
from solver.search.time_model import NS_PER_MS, PlannedTimes, TimeModel
from solver.stages.solution import Solution


def time_model(rig: Mechanism, lanes: Callable[[], int] | None = None) -> TimeModel:
    """Return the times of the rig's turns.

    Args:
        rig: The rig.
        lanes: Returns the number of motors that its board turns at once; by default the rig's
            `lanes`.
    """
    times, turned_at_once = rig.turn_times, lanes or (lambda: rig.lanes)
    added = TimeModel(times.quarter_ms, times.half_ms, times.gap_ms)
    if rig.handles_cube or not rig.transitions_differ:
        return added

    @cache
    def costs(lanes: int) -> StepCosts:
        return step_costs(rig, lanes)

    def planned_ms(moves: MoveSequence) -> float:
        if any(move.face not in rig.faces for move in moves):
            return added.time_ms(moves)  # another rig turns that face
        return 1000 * rig.plan(moves, turned_at_once()).time_s

    # The tables are chosen before the board is known: the rig file tells the overlaps.
    quarter_ms, half_ms, pair_ms = _added_ms(rig)
    return replace(
        added,
        half_ratio=half_ms / quarter_ms if quarter_ms else None,
        pairs_add_up=pair_ms - quarter_ms > quarter_ms / 2,
        planned=PlannedTimes(planned_ms, lambda: costs(turned_at_once())),
    )


def quickest(
    state: CubeState,
    tables: Engine,
    rig: Mechanism,
    budget_ms: float,
    *,
    pose: Pose | None = None,
    objective: Objective = HTM,
) -> Solution:
    """Return the solution with the quickest plan, of those found within the budget.

    The time of a turn on a machine that handles the cube depends on everything before it, so a
    search cannot add it up turn by turn. The first solution is always planned.

    Raises:
        NotPossibleError: The machine cannot make a move.
        InvalidCubeError: Face turns cannot solve the state.
    """
    # Data shared by all plans are computed now, outside the cube's budget.
    rig.plan(MoveSequence(), start=pose)

    def planned_ms(moves: MoveSequence) -> float:
        return 1000 * rig.plan(moves, start=pose).time_s

    found = solve(state, tables=tables, objective=objective, budget_ms=budget_ms, price=planned_ms)
    return replace(found, objective=Goal.TIME.value)


def step_costs(rig: Mechanism, lanes: int) -> StepCosts:
    """Return the rig's transitions for a search, in nanoseconds.

    Args:
        rig: A rig that does not move the cube as a whole.
        lanes: Number of motors that its board turns at once.
    """
    steps = rig.step_times(lanes)
    ways = []
    for axis, a, b in AXIAL_TURNS:
        turned = ((FACES[axis], a), (FACES[axis + 3], b))
        moves = tuple(Move(face, quarters) for face, quarters in turned if quarters)
        known = steps.ways.get(moves, ())
        ways.append([(way.first, way.last, round(NS_PER_MS * way.time_ms)) for way in known])
    return StepCosts(ways, (steps.pauses_ms * NS_PER_MS).round().astype(int))


def _added_ms(rig: Mechanism) -> tuple[float, float, float]:
    """Return the times that a quarter turn, a half turn and a pair add to a plan.

    Neighbours turn in opposite directions, as in quick solutions, if that saves time.
    """
    for face in FACES[:3]:
        others = [each for each in rig.faces if each not in (face, OPPOSITE_FACE[face])]
        if face in rig.faces and OPPOSITE_FACE[face] in rig.faces and others:
            around = Move(others[0], 1)
            quarter, pair = Move(face, 3), (Move(face, 3), Move(OPPOSITE_FACE[face], 3))
            quarter_ms = _repeated_ms(rig, around, (quarter,)) / 2
            half_ms = _repeated_ms(rig, around, (Move(face, 2),)) - quarter_ms
            return quarter_ms, half_ms, _repeated_ms(rig, around, pair) - quarter_ms
    return 0.0, 0.0, 0.0


def _repeated_ms(rig: Mechanism, around: Move, turns: tuple[Move, ...]) -> float:
    """Return the time that turns add to a plan in which they are repeated between other turns."""
    once, twice = (around, *turns, around), (around, *turns, around, *turns, around)
    longer_s, shorter_s = (rig.plan(MoveSequence(each), 4).time_s for each in (twice, once))
    return 1000 * (longer_s - shorter_s)
