"""Thistlethwaite's four stages and S2's five, and the shortest walk along them."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from cubes import RANDOM_CUBES, cube, cube_after, sequences
from hypothesis import given, settings
from hypothesis import strategies as st
from sticker_cube import SOLVED as STICKERS
from sticker_cube import after, read

from cube.errors import InvalidCubeError
from cube.laws import ORBITS
from cube.moves import FACES, MoveSequence
from cube.orientation import Orientation, orientations
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.cubies import moves_seen
from solver.errors import SolverError, TableError
from solver.stages.solution import OF_INVERSE, STAGE_NAMES, Solution, Stage, annotate
from solver.stages.stage_tables import MAX_DEPTHS, STATES, StageTables
from solver.stages.strict import StrictSolver
from solver.stages.subgroup_chain import ALL_CHAINS, Chain
from solver.stages.thistlethwaite import MAX_MOVES, ThistlethwaiteSolver
from teaching.methods.chain.chain_stages import by_table, four_stages


@pytest.fixture(scope="module")
def solver(stage_tables: StageTables) -> ThistlethwaiteSolver:
    return ThistlethwaiteSolver(stage_tables)


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


@settings(max_examples=25)
@given(RANDOM_CUBES, st.sampled_from([None, *ALL_CHAINS]))
def test_any_state_is_solved_in_at_most_45_moves_stage_by_stage(
    solver: ThistlethwaiteSolver, state: CubeState, chain: Chain | None
) -> None:
    solution = solver.solve(state, chain)
    assert after(read(state.to_facelets().text), str(solution.moves)) == STICKERS
    assert len(solution.moves) <= MAX_MOVES == 45
    assert solution.value == len(solution.moves)
    assert solution.moves.simplified() == solution.moves
    check_stages(solution)


@settings(max_examples=25)
@given(sequences(12), st.sampled_from(ALL_CHAINS))
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
@given(sequences(12), sequences(12), st.sampled_from(ALL_CHAINS))
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


# notes of the project, found by an independent breadth-first search
MEANS = (4.6089, 7.8031, 8.7993, 10.1343)


def test_each_table_is_complete_with_the_known_depths(stage_tables: StageTables) -> None:
    for stage, distances in enumerate(stage_tables.distances):
        assert distances.shape == (STATES[stage],)
        assert int(distances.max()) == MAX_DEPTHS[stage]
        assert np.count_nonzero(distances == 0) == 1
        assert float(distances.mean()) == pytest.approx(MEANS[stage], abs=5e-5)


@settings(max_examples=10)
@given(held=st.sampled_from(orientations()), seed=st.integers(0, 99))
def test_a_solution_is_one_for_the_cube_held_in_any_other_way(
    solver: ThistlethwaiteSolver, held: Orientation, seed: int
) -> None:
    solution = solver.solve(cube(seed))
    turned = str(solution.moves.inverse()).translate(str.maketrans(FACES, held.faces))
    state = cube_after(turned)
    found = solution.for_held(state, SOLVED)
    assert found is not None
    assert state.apply(found.moves) == SOLVED
    lengths = [[len(stage.moves) for stage in each.stages] for each in (solution, found)]
    assert lengths[0] == lengths[1]
    assert solution.for_held(state.apply(MoveSequence.parse("R U")), SOLVED) is None


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
    state = cube(3)
    solution = strict.solve(state, 1e-6)
    assert state.apply(solution.moves) == SOLVED
    assert len(solution.moves) <= 45
    assert len(strict.solve(SOLVED).moves) == 0


@pytest.mark.parametrize("budget_ms", [50, 1e-6])
def test_a_wrong_walk_is_never_handed_out(
    strict: StrictSolver, monkeypatch: pytest.MonkeyPatch, budget_ms: float
) -> None:
    """The last move is lost on the way from the kernel, as if the tables were wrong."""
    for module in ("strict", "thistlethwaite"):
        monkeypatch.setattr(f"solver.stages.{module}.moves_seen", without_its_last)
    with pytest.raises(TableError):
        strict.solve(cube(4), budget_ms)


def without_its_last(turns: Iterable[int], seen: Any, *, inverse: bool = False) -> MoveSequence:
    return MoveSequence(moves_seen(turns, seen, inverse=inverse).moves[:-1])


def test_walks_that_cannot_be_served_are_refused(strict: StrictSolver) -> None:
    with pytest.raises(SolverError):
        strict.solve(SOLVED, 0)
    with pytest.raises(InvalidCubeError):
        strict.solve(random_state(np.random.default_rng(4), ORBITS[3]))
