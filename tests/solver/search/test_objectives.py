"""What is counted: turns, axial turns, or the time that a rig takes."""

from itertools import pairwise

import numpy as np
import pytest
from cubes import cube_after, sequences
from hypothesis import given, settings
from levels import up_to_level

from cube.moves import FACES, MoveSequence, axial_groups, axial_htm, axial_qtm, qtm
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.goal import Goal
from solver.kernels import slots
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.search.objectives import Objective, load_tables
from solver.search.step_costs import StepCosts
from solver.search.tables.axial_turns import AXIAL_TURNS
from solver.search.time_model import NS_PER_MS, PlannedTimes, TimeModel
from solver.tables import TableStore


@pytest.fixture(scope="module")
def axial(store: TableStore) -> Engine:
    return load_tables(store, objective=Objective("axial"))


@pytest.fixture(scope="module")
def timed(store: TableStore) -> Engine:
    return load_tables(store, objective=Objective("time"))


def check(state: CubeState, tables: Engine, objective: Objective) -> float:
    solution = solve(state, tables=tables, objective=objective, budget_ms=60_000)
    assert state.apply(solution.moves) == SOLVED
    assert solution.value == objective.value(solution.moves)
    assert solution.objective == objective.name
    return solution.value


def test_axial_answers_are_short_in_their_metric(axial: Engine) -> None:
    rng, axial = np.random.default_rng(1), up_to_level(axial, 10)
    values = [check(random_state(rng), axial, Objective("axial")) for _ in range(20)]
    assert np.mean(values) == 14.55


def test_the_compiled_search_knows_the_dearest_turn(axial: Engine) -> None:
    """Beyond it, nothing is in the table of turns by their cost."""
    engine = axial
    assert engine is not None
    assert engine.context[slots.DEAREST] == len(engine.arrays["turns_costing"]) - 1


def test_time_is_minimised_inside_the_search(timed: Engine, store: TableStore) -> None:
    rng = np.random.default_rng(2)
    objective = Objective("time")
    states = [random_state(rng) for _ in range(20)]
    values = [check(state, up_to_level(timed, 11), objective) for state in states]
    turns = up_to_level(load_tables(store), 12)
    replayed = [
        objective.value(solve(state, tables=turns, budget_ms=60_000).moves) for state in states
    ]
    assert np.mean(values) == 773.55
    assert np.mean(values) < 0.9 * np.mean(replayed)


@settings(max_examples=15)
@given(sequences(4))
def test_short_scrambles_are_answered_at_their_own_cost_at_most(
    axial: Engine, timed: Engine, scramble: MoveSequence
) -> None:
    state, back = SOLVED.apply(scramble), scramble.inverse().simplified()
    for tables, objective in ((axial, Objective("axial")), (timed, Objective("time"))):
        solution = solve(state, tables=tables, objective=objective, budget_ms=20_000)
        assert solution.value <= objective.value(back)
        assert solution.proven_optimal


def test_objectives_count_as_the_metrics_do() -> None:
    moves = MoveSequence.parse("U D2 R F B'")
    values = {name: Objective(name).value(moves) for name in Goal}
    assert values == {
        "htm": 5,
        "qtm": qtm(moves),
        "axial": axial_htm(moves),
        "axial-qtm": axial_qtm(moves),
        "time": 63 + 40 + 40,
    }
    assert TimeModel(gap_ms=5).time_ms(moves) == 63 + 40 + 40 + 10
    assert TimeModel(gap_ms=5).time_ms(MoveSequence()) == 0
    planned = PlannedTimes(lambda moves: 7.0 * len(moves), lambda: StepCosts.even(45 * [1]))
    model = TimeModel(planned=planned)
    assert model.time_ms(MoveSequence.parse("R U D")) == 21.0
    assert model.costs().least.tolist() == 45 * [1]


def test_the_metric_follows_the_rig() -> None:
    """Quarter turns are counted where half turns take longer, or pairs what both faces take."""
    for half_ms, metric, adding_up in (
        (42.0, "axial", "axial"),
        (56.0, "axial", "qtm"),
        (63.0, "axial-qtm", "qtm"),
        (80.0, "axial-qtm", "qtm"),
    ):
        for pairs_add_up, name in ((False, metric), (True, adding_up)):
            model = TimeModel(half_ms=(half_ms,) * 6, pairs_add_up=pairs_add_up)
            assert Objective("time", model).metric.name == name


def cutting_corners(moves: MoveSequence) -> float:
    """A rig on which a turn begins 25 ms early when the one before went the other way."""
    costs, number = CUT.costs(), {turn: index for index, turn in enumerate(AXIAL_TURNS)}
    turns = []
    for group in axial_groups(moves):
        quarters, axis = {FACES.index(move.face): move.turns for move in group}, group[0].axis
        turns.append(number[axis, quarters.get(axis, 0), quarters.get(axis + 3, 0)])
    whole = sum(cost for turn in turns for _, _, cost in costs.ways[turn])
    return (whole + sum(costs.pauses[pair] for pair in pairwise(turns))) / NS_PER_MS


def _cut_costs() -> StepCosts:
    """Each turn in one way; steps are numbered like turns, a half turn goes clockwise."""
    signs = [{0: 0, 1: 1, 2: 1, 3: -1}[a or b] for _, a, b in AXIAL_TURNS]
    pauses = np.array([[-25 * NS_PER_MS * (one * two < 0) for two in signs] for one in signs])
    whole = TimeModel().costs()
    return StepCosts(whole.ways, pauses.astype(np.int64))


CUT = PlannedTimes(cutting_corners, _cut_costs)


def test_transitions_are_searched_and_proven(timed: Engine) -> None:
    """Of two ways back, the one with a cut is quicker, and nothing is quicker than it."""
    objective = Objective("time", TimeModel(planned=CUT))
    for scramble, expected_ms in (("R U", 80.0), ("R U'", 55.0), ("R U' R", 40 + 15 + 15)):
        state = cube_after(scramble)
        solution = solve(state, tables=timed, objective=objective, budget_ms=60_000)
        assert state.apply(solution.moves) == SOLVED
        assert solution.value == expected_ms
        assert solution.proven_optimal


def test_objectives_need_their_tables(axial: Engine) -> None:
    with pytest.raises(SolverError):
        solve(SOLVED, tables=axial, objective=Objective("time"))


def test_unknown_objectives_are_refused() -> None:
    with pytest.raises(SolverError, match="axial"):
        Objective("beauty")
