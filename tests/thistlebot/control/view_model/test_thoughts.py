"""What the machine has in mind: counts that stages bring to zero, in the plan's own orientation."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import SOLVED_FACELETS
from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED, CubeState
from solver.stages.solution import ALL_CHAINS, Chain, annotate
from thistlebot.control.view_model.reducer import thoughts_of
from thistlebot.control.view_model.view import ShownCube, ShownPlan, ViewModel

SEQUENCES = st.lists(st.sampled_from(ALL_MOVES), max_size=12).map(MoveSequence.of)


def view_of(state: CubeState, plan: ShownPlan | None = None) -> ViewModel:
    return ViewModel("server", cube=ShownCube(state.to_facelets().text), plan=plan or ShownPlan())


def plan_of(state: CubeState, moves: MoveSequence, chain: Chain) -> ShownPlan:
    target = state.apply(moves)
    stages = annotate(state, moves, chain, target)
    return ShownPlan(
        state.to_facelets().text,
        tuple(map(str, moves)),
        tuple(map(str, moves)),
        tuple((stage.name, tuple(str(move) for move in stage.moves)) for stage in stages),
    )


def test_one_turn_is_counted() -> None:
    counts = {
        "F": [4, 4, 2, 1, 2, 8],  # a quarter turn about the first axis flips its four edges
        "R": [0, 4, 2, 1, 2, 8],  # about the second one it twists corners
        "U": [0, 0, 0, 1, 4, 8],  # about the third it takes corners out of the reach of halves
        "U2": [0, 0, 0, 0, 0, 8],
    }
    found = {}
    for moves in counts:
        thoughts = thoughts_of(view_of(SOLVED.apply(MoveSequence.parse(moves))))
        assert thoughts is not None
        found[moves] = [gauge.left for gauges in thoughts.stages for gauge in gauges]
    assert found == counts


@settings(max_examples=20)
@given(SEQUENCES, SEQUENCES.filter(len), st.sampled_from(ALL_CHAINS))
def test_a_stage_that_is_reached_has_nothing_left(
    before: MoveSequence, moves: MoveSequence, chain: Chain
) -> None:
    state = SOLVED.apply(before)
    plan = plan_of(state, moves, chain)
    reached = []
    for done in range(len(moves) + 1):
        thoughts = thoughts_of(view_of(state.apply(moves[:done]), plan))
        assert thoughts is not None
        for number, gauges in enumerate(thoughts.stages):
            if number < thoughts.level:
                assert not any(gauge.left for gauge in gauges)
        if thoughts.level < 4:
            assert any(gauge.left for gauge in thoughts.stages[thoughts.level])
        assert all(0 <= gauge.left <= gauge.most for each in thoughts.stages for gauge in each)
        assert (thoughts.orbit.corner_twist, thoughts.orbit.edge_flip, thoughts.orbit.parity) == (
            (0, 0, 0)
        )
        reached.append(thoughts.level)
    assert reached[-1] == 4
    ends = np.cumsum([len(stage) for _, stage in plan.stages])
    for number, end in enumerate(ends, start=1):
        assert all(level >= number for level in reached[end:])


def test_a_cube_put_together_wrongly_breaks_its_law() -> None:
    flipped = CubeState(
        SOLVED.corner_permutation,
        SOLVED.corner_orientation,
        SOLVED.edge_permutation,
        (1, *SOLVED.edge_orientation[1:]),
    )
    thoughts = thoughts_of(view_of(flipped))
    assert thoughts is not None
    assert thoughts.orbit.edge_flip == 1


def test_what_is_no_cube_is_not_thought_about() -> None:
    assert thoughts_of(ViewModel("server")) is None
    wrong = "R" + SOLVED_FACELETS.text[1:]
    assert thoughts_of(ViewModel("server", cube=ShownCube(wrong))) is None
