"""S2's worked example: its five stages held against goals that are counted on the cube."""

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from solver.errors import SolverError
from solver.methods.method import walk
from solver.methods.s2.worked_example import STAGES, WorkedExample, goals, may_turn
from solver.stages.chain import FIVE_STAGE_NAMES, S2_CHAIN


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


def test_goals_are_reached_exactly_where_the_chain_says_so() -> None:
    rng = np.random.default_rng(3)
    states = [random_state(rng) for _ in range(20)]
    example, here = WorkedExample(), WorkedExample().state
    for moves in example.stages:
        for move in moves:
            here = here.apply(MoveSequence((move,)))
            states.append(here)
    for state in states:
        level = S2_CHAIN.five_level(state)
        reached = [all(goal.reached for goal in goals(i, state, state)) for i in range(5)]
        assert reached[:level] == [True] * level
        assert level == 5 or not reached[level]
    assert [" ".join(may_turn(stage)) for stage in range(5)] == [
        "U R F D L B",
        "U2 R F D2 L B",
        "U2 R F2 D2 L B2",
        "U2 R F2 D2 L B2",
        "U2 R2 F2 D2 L2 B2",
    ]
