"""Thistlethwaite's four stages, and S2's five."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.facelets import Facelets
from cube.laws import ORBITS
from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.errors import SolverError, TableError
from solver.methods.s2.worked_example import STAGES, WorkedExample
from solver.stages.chain import ALL_CHAINS, FIVE_STAGE_NAMES, S2_CHAIN, STAGE_NAMES, Chain
from solver.stages.solution import Solution, Stage, annotate, annotate_five
from solver.stages.stage_tables import StageTables
from solver.stages.thistlethwaite import MAX_MOVES, ThistlethwaiteSolver

# S4, in Kociemba's order, and the superflip
S4_STATES = (
    "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB",
    "RBFLURBFLBUUFRBBDDRUURFLRDDBFLLDRRBFFUUBLFFDDLUULBRLDD",
)
# how many axes have lost their quarter turns before each of S2's five stages
S2_DROPPED = (0, 1, 2, 2, 3)


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


def test_scrambles_of_few_moves_are_solved_and_a_solved_cube_needs_no_move(
    solver: ThistlethwaiteSolver,
) -> None:
    rng = np.random.default_rng(4)
    for length in range(12):
        state = SOLVED.apply(MoveSequence.of(ALL_MOVES[i] for i in rng.integers(0, 18, length)))
        solution = solver.solve(state)
        assert state.apply(solution.moves) == SOLVED
        assert length or (len(solution.moves), solution.proven_optimal) == (0, True)
    for text in S4_STATES:
        state = CubeState.from_facelets(Facelets(text))
        assert state.apply(solver.solve(state).moves) == SOLVED


def test_mean_length_is_what_the_tables_promise(solver: ThistlethwaiteSolver) -> None:
    rng = np.random.default_rng(20)
    states = [random_state(rng) for _ in range(200)]
    one = np.mean([len(solver.solve(state, Chain()).moves) for state in states])
    six = np.mean([len(solver.solve(state).moves) for state in states])
    assert one <= 31.4  # sum of the four tables' means
    assert six <= 28.5


def test_states_of_the_other_orbits_are_refused(solver: ThistlethwaiteSolver) -> None:
    for orbit in ORBITS[1:]:
        with pytest.raises(InvalidCubeError):
            solver.solve(random_state(np.random.default_rng(orbit.number), orbit))


def test_s2_worked_example_reaches_its_five_stages_and_is_divided_as_s2_divides_it() -> None:
    state = here = WorkedExample().state
    assert S2_CHAIN.five_level(here) == 0
    for number, text in enumerate(STAGES):
        moves = MoveSequence.parse(text)
        assert all(S2_CHAIN.allows(move, S2_DROPPED[number]) for move in moves)
        here = here.apply(moves)
        assert S2_CHAIN.five_level(here) == number + 1
    assert here == SOLVED
    moves = MoveSequence.parse(" ".join(STAGES))
    assert len(moves) == 37
    stages = annotate_five(state, moves, S2_CHAIN)
    assert tuple(stage.name for stage in stages) == FIVE_STAGE_NAMES
    assert tuple(str(stage.moves) for stage in stages) == STAGES


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
