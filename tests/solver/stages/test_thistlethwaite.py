"""Thistlethwaite's four stages, and S2's five."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.errors import SolverError, TableError
from solver.stages.solution import ALL_CHAINS, STAGE_NAMES, Chain, Solution, Stage, annotate
from solver.stages.thistlethwaite import MAX_MOVES, StageTables, ThistlethwaiteSolver


@pytest.fixture(scope="module")
def solver(stage_tables: StageTables) -> ThistlethwaiteSolver:
    return ThistlethwaiteSolver(stage_tables)


def states() -> st.SearchStrategy[CubeState]:
    return st.integers(0, 2**32).map(lambda seed: random_state(np.random.default_rng(seed)))


def scrambles() -> st.SearchStrategy[MoveSequence]:
    return st.lists(st.sampled_from(ALL_MOVES), max_size=12).map(MoveSequence.of)


def joined(stages: tuple[Stage, ...]) -> MoveSequence:
    return MoveSequence(tuple(move for stage in stages for move in stage.moves))


def check_stages(solution: Solution) -> None:
    """Each stage turns only what its subgroup's generators allow and ends in the next one."""
    chain, here = solution.chain, solution.target.inverse() * solution.state
    assert tuple(stage.name for stage in solution.stages) == STAGE_NAMES
    assert joined(solution.stages) == solution.moves
    for number, stage in enumerate(solution.stages):
        assert all(chain.allows(move, number) for move in stage.moves)
        here = here.apply(stage.moves)
        assert chain.level(here) >= number + 1


@pytest.mark.source("S3.Thistlethwaite")
@settings(max_examples=25)
@given(states(), st.sampled_from([None, *ALL_CHAINS]))
def test_any_state_is_solved_in_at_most_45_moves_stage_by_stage(
    solver: ThistlethwaiteSolver, state: CubeState, chain: Chain | None
) -> None:
    solution = solver.solve(state, chain)
    assert state.apply(solution.moves) == SOLVED
    assert len(solution.moves) <= MAX_MOVES == 45
    assert solution.value == len(solution.moves)
    assert solution.moves.simplified() == solution.moves
    check_stages(solution)


@settings(max_examples=25)
@given(scrambles(), st.sampled_from(ALL_CHAINS))
def test_any_solution_is_divided_completely_and_for_good(
    scramble: MoveSequence, chain: Chain
) -> None:
    state, moves = SOLVED.apply(scramble), scramble.inverse()
    stages = annotate(state, moves, chain)
    assert joined(stages) == moves
    here = state
    for number, stage in enumerate(stages):
        here = here.apply(stage.moves)
        later = joined(stages[number + 1 :])
        assert chain.level(here) >= number + 1
        assert all(chain.allows(move, number + 1) for move in later if number < 3)


@settings(max_examples=25)
@given(scrambles(), scrambles(), st.sampled_from(ALL_CHAINS))
def test_stages_with_a_target_are_those_of_the_relabelled_cube(
    scramble: MoveSequence, pattern: MoveSequence, chain: Chain
) -> None:
    target, state = SOLVED.apply(pattern), SOLVED.apply(pattern).apply(scramble)
    moves = scramble.inverse()
    assert annotate(state, moves, chain, target) == annotate(SOLVED.apply(scramble), moves, chain)


def test_moves_that_do_not_solve_have_no_stages_and_a_chain_names_three_axes() -> None:
    with pytest.raises(SolverError):
        annotate(SOLVED, MoveSequence.parse("R U"))
    with pytest.raises(SolverError):
        Chain("UUF")


@pytest.mark.parametrize(
    "wrong", ["R U R' U'", "R U R' U' " * 12], ids=["another state", "more than 45 moves"]
)
def test_a_wrong_solution_is_never_handed_out(
    solver: ThistlethwaiteSolver, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    moves = MoveSequence.parse(wrong)
    assert (SOLVED.apply(moves) == SOLVED) == (len(moves) > MAX_MOVES)
    monkeypatch.setattr(solver, "_walk", lambda *_: moves)
    with pytest.raises(TableError):
        solver.solve(SOLVED)
