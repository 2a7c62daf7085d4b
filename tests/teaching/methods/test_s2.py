"""S2: its worked example, held against goals that are counted, and its operator as printed."""

import numpy as np
import pytest

from cube.moves import Move, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.stages.solution import FIVE_STAGE_NAMES
from teaching.methods.fridrich import Fridrich, _codes, moved_codes
from teaching.methods.method import walk
from teaching.methods.plain_fridrich import LONGEST, PlainFridrich, evolve_plainly
from teaching.methods.worked_example import STAGES, WorkedExample, goals


@pytest.mark.source("S2.example")
def test_each_stage_of_the_example_reaches_its_goal() -> None:
    example = WorkedExample()
    made, here = walk(example, example.state), example.state
    assert tuple(step.name for step in made.steps) == FIVE_STAGE_NAMES
    assert tuple(str(step.moves) for step in made.steps) == STAGES
    for stage, step in enumerate(made.steps):
        after = here.apply(step.moves)
        wanted = goals(stage, here, after)
        assert all(goal.reached for goal in wanted)
        assert any(goal.before for goal in wanted)  # there was something to do
        here = after
    assert sum(len(step.moves) for step in made.steps) == 37


def test_the_example_goes_on_from_any_of_its_states() -> None:
    example = WorkedExample()
    here = example.state
    for done, moves in enumerate(example.stages):
        assert [step.moves for step in example.steps(here)] == list(example.stages[done:])
        here = here.apply(moves)
    assert not list(example.steps(SOLVED))
    with pytest.raises(SolverError):
        list(example.steps(SOLVED.apply(MoveSequence.parse("R"))))


def test_a_misprint_is_found_in_its_stage_and_a_turn_that_is_given_up_is_refused() -> None:
    for stage in range(5):
        stages = list(map(MoveSequence.parse, STAGES))
        stages[stage] = MoveSequence(stages[stage].moves[:-1])
        example = WorkedExample(stages=tuple(stages))
        with pytest.raises(SolverError, match=rf" {stage + 1}\b"):
            list(example.steps(example.state))
    first, second, *rest = map(MoveSequence.parse, STAGES)
    detour = MoveSequence((*MoveSequence.parse("U U'"), *second))
    example = WorkedExample(stages=(first, detour, *rest))
    with pytest.raises(SolverError, match=r"\bU\b"):
        list(example.steps(example.state))


def evolved(state: CubeState, count: int, generations: int) -> tuple[list[int], int]:
    path, fittest = np.zeros(LONGEST, np.uint8), np.zeros(1, np.int64)
    given = (_codes(state), _codes(SOLVED), count, moved_codes(), np.array([7], np.uint64))
    length = evolve_plainly(*given, generations, path, fittest)
    return path[: max(length, 0)].tolist(), int(fittest[0])


@pytest.mark.source("S2.evolution")
@pytest.mark.parametrize("seed", range(3))
def test_the_plain_operator_places_a_cross(seed: int) -> None:
    state = random_state(np.random.default_rng(seed))
    turns, fittest = evolved(state, 4, 20_000)
    assert (0 < len(turns) <= LONGEST, fittest) == (True, 4)
    after = state.apply(MoveSequence(tuple(map(Move.from_index, turns))))
    assert (_codes(after)[:4] == _codes(SOLVED)[:4]).all()


@pytest.mark.source("S2.evolution")
def test_it_gets_stuck_where_ours_goes_on_and_says_where() -> None:
    state = random_state(np.random.default_rng(0))
    with pytest.raises(SolverError, match=r"\b500\b.*\b100\b"):
        walk(PlainFridrich(generations=500), state)
    assert state.apply(walk(Fridrich(), state).moves) == SOLVED
