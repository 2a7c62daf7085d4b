"""The programs that others turn make the moves, too; otherwise comparing would be for nothing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.cli.rigs import (
    claws_ms,
    cradle_actions,
    cradle_strides,
    without_upper_motor,
)
from cube.moves import ALL_MOVES, MoveSequence
from cube.orientation import Orientation
from cube.state import SOLVED
from robot.rigs.action_machine.mechanism import shipped
from robot.rigs.action_machine.transitions import StateGraph

CUBOTINO = StateGraph(shipped("cubotino"))

sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=25).map(MoveSequence.of)


@settings(max_examples=25)
@given(moves=sequences)
def test_the_translator_makes_the_moves(moves: MoveSequence) -> None:
    held, made = Orientation(), []
    state = CUBOTINO.start
    for stride in cradle_strides(CUBOTINO, cradle_actions(moves)):
        assert stride.before == state
        made += [held.move_of(turn.place, turn.quarters) for turn in stride.turns]
        held, state = held.then(stride.rotation), stride.after
    assert SOLVED.apply(MoveSequence.of(made)) == SOLVED.apply(moves)
    assert CUBOTINO.text(state).startswith("holder middle")


def test_the_translator_does_what_its_description_says() -> None:
    for moves, actions in (
        ("D", "R- S+"),
        ("D2", "R- S+ R- S+"),
        ("D D'", "R- R+"),
        ("U", "F F R- S+"),
        ("B F", "F R- S+ F F R- S+"),
    ):
        assert " ".join(cradle_actions(MoveSequence.parse(moves))) == actions


@settings(max_examples=25)
@given(moves=sequences)
def test_five_motors_do_without_the_sixth(moves: MoveSequence) -> None:
    replaced = without_upper_motor(moves)
    assert all(move.face != "U" for move in replaced)
    assert SOLVED.apply(replaced) == SOLVED.apply(moves)


def test_four_claws_take_a_cube_turn_there_and_back_for_the_upper_face() -> None:
    assert claws_ms(MoveSequence.parse("F")) == 2000
    assert claws_ms(MoveSequence.parse("R2")) == 4000
    assert claws_ms(MoveSequence.parse("U'")) == 8000
