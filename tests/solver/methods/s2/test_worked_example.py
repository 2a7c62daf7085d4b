"""S2's worked example: its five stages held against goals that are counted on the cube."""

import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from solver.errors import SolverError
from solver.methods.method import walk
from solver.methods.s2.worked_example import STAGES, WorkedExample, goals
from solver.stages.chain import FIVE_STAGE_NAMES


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
