"""The turns of a person, one after the other, also when another one is made."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.state import SOLVED, CubeState
from thistlebot.looking.hand_steps import HandSteps

MOVES = st.sampled_from(ALL_MOVES)
SEQUENCES = st.lists(MOVES, min_size=1, max_size=12).map(MoveSequence.of)


def joined(steps: HandSteps) -> bool:
    """Whether each turn begins as the one before it ends, and does what it says."""
    nets = steps.nets
    return all(
        step.before.text == nets[number]
        and CubeState.from_facelets(step.before).apply(step.move).to_facelets() == step.after
        for number, step in enumerate(steps.steps)
    )


@settings(max_examples=40)
@given(scramble=SEQUENCES, moves=SEQUENCES)
def test_next_and_back_go_through_all_states(scramble: MoveSequence, moves: MoveSequence) -> None:
    state = SOLVED.apply(scramble)
    steps = HandSteps.of(state.to_facelets(), moves, WESTERN_SCHEME)
    assert joined(steps)
    assert steps.left == moves
    seen = [steps.shown]
    while steps.current is not None:
        assert steps.next().back() == steps
        steps = steps.next()
        seen.append(steps.shown)
    assert [each.text for each in seen] == steps.nets
    assert steps.shown == state.apply(moves).to_facelets()
    assert steps.next() == steps
    assert steps.next().done == len(moves)


@settings(max_examples=40)
@given(moves=SEQUENCES, wrong=MOVES, at=st.integers(0, 11))
def test_after_another_turn_the_way_leads_to_the_same_cube(
    moves: MoveSequence, wrong: Move, at: int
) -> None:
    steps = HandSteps.of(SOLVED.to_facelets(), moves).next(at)
    mended = steps.put_right(wrong)
    assert joined(mended)
    if mended.done < steps.done:
        assert mended == steps.back()
        assert steps.steps[mended.done].move == wrong.inverse()
    else:
        assert mended.done == steps.done + 1
        assert not mended.steps[steps.done].planned
    assert mended.shown == CubeState.from_facelets(steps.shown).apply(wrong).to_facelets()
    assert mended.next(99).shown == steps.next(99).shown
    assert len(mended.left) <= len(steps.left) + 1
