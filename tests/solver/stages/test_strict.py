"""The shortest walk along the stages, of a cube and of its inverse."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from cube.errors import InvalidCubeError
from cube.laws import ORBITS
from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from solver.cubies import moves_seen
from solver.errors import SolverError, TableError
from solver.stages.solution import OF_INVERSE, STAGE_NAMES, Stage
from solver.stages.strict import StrictSolver
from solver.stages.thistlethwaite import StageTables
from teaching.methods.thistlethwaite import by_table, four_stages


@pytest.fixture(scope="module")
def strict(stage_tables: StageTables) -> StrictSolver:
    return StrictSolver(stage_tables)


def test_stages_of_an_inverse_walk_are_the_inverses_own(
    strict: StrictSolver, stage_tables: StageTables
) -> None:
    """Undone in the order of the moves; each as short as the inverse's own stage can be."""
    rng, seen, compared = np.random.default_rng(9), set(), 0
    for _ in range(12):
        solution = strict.solve(random_state(rng), 200)
        seen.add(solution.of_inverse)
        joined = tuple(move for stage in solution.stages for move in stage.moves)
        assert joined == solution.moves.moves
        ordered = solution.stages
        here, least = solution.state, list[int]()
        if solution.of_inverse:
            ordered = tuple(
                Stage(stage.name.removesuffix(f" {OF_INVERSE}"), stage.moves.inverse())
                for stage in reversed(solution.stages)
            )
            here = here.inverse()
        assert [stage.name for stage in ordered] == list(STAGE_NAMES)
        for stage, whole in zip(ordered, four_stages(stage_tables), strict=True):
            least.append(len(by_table(whole, solution.chain.seen(here))))
            here = here.apply(stage.moves)
        assert here == SOLVED
        if sum(least) <= len(solution.moves):  # no turns of two stages were merged
            assert [len(stage.moves) for stage in ordered] == least
            compared += 1
        five = tuple(move for stage in solution.five_stages for move in stage.moves)
        assert five == solution.moves.moves
    assert seen == {False, True}
    assert compared >= 3


def test_a_hopeless_budget_gives_the_greedy_answer_and_a_solved_cube_needs_no_move(
    strict: StrictSolver,
) -> None:
    state = random_state(np.random.default_rng(3))
    solution = strict.solve(state, 1e-6)
    assert state.apply(solution.moves) == SOLVED
    assert len(solution.moves) <= 45
    assert len(strict.solve(SOLVED).moves) == 0


@pytest.mark.parametrize("budget_ms", [50, 1e-6])
def test_a_wrong_solution_is_never_handed_out(
    strict: StrictSolver, monkeypatch: pytest.MonkeyPatch, budget_ms: float
) -> None:
    """The last move is lost on the way from the kernel, as if the tables were wrong."""
    for module in ("strict", "thistlethwaite"):
        monkeypatch.setattr(f"solver.stages.{module}.moves_seen", without_its_last)
    with pytest.raises(TableError):
        strict.solve(random_state(np.random.default_rng(4)), budget_ms)


def without_its_last(turns: Iterable[int], seen: Any, *, inverse: bool = False) -> MoveSequence:
    return MoveSequence(moves_seen(turns, seen, inverse=inverse).moves[:-1])


def test_what_cannot_be_served_is_refused(strict: StrictSolver) -> None:
    with pytest.raises(SolverError):
        strict.solve(SOLVED, 0)
    with pytest.raises(InvalidCubeError):
        strict.solve(random_state(np.random.default_rng(4), ORBITS[3]))
