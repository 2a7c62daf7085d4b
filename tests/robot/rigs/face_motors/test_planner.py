"""Moves laid out in time."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from robot.errors import RigError
from robot.link.packet_text import describe_program
from robot.protocol.messages import Action, ActionKind, Begin, Step
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors

sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=30).map(MoveSequence.of)
RIG = default_rig()
GAP_S = RIG.gap_us * 1e-6


def test_opposite_faces_turn_together_for_the_longer_time() -> None:
    program = RIG.plan(MoveSequence.parse("R L2 U D' U"))
    assert [str(step.moves) for step in program.steps] == ["R L2", "U D'", "U"]
    assert [step.duration_s for step in program.steps] == pytest.approx(
        [0.063, 0.040, 0.040], abs=1e-6
    )
    assert program.time_s == pytest.approx(0.143 + 2 * GAP_S, abs=2e-6)


def test_a_rig_may_turn_one_face_at_a_time() -> None:
    single = msgspec.structs.replace(RIG, parallel=False)
    program = single.plan(MoveSequence.parse("R L"))
    assert len(program.steps) == 2
    assert program.steps[1].start_s == pytest.approx(0.040 + GAP_S, abs=1e-6)


@settings(max_examples=25)
@given(sequences)
def test_a_program_makes_the_same_state_in_order_without_overlap(sequence: MoveSequence) -> None:
    program = RIG.plan(sequence)
    assert SOLVED.apply(program.moves) == SOLVED.apply(sequence)
    for before, after in zip(program.steps, program.steps[1:], strict=False):
        assert after.start_s == pytest.approx(before.end_s + GAP_S)


def test_a_face_without_motor_is_refused() -> None:
    five = FaceMotors(name="five", motors={face: RIG.motors[face] for face in "URFDL"})
    with pytest.raises(RigError, match="B"):
        five.plan(MoveSequence.parse("U B"))


def test_steps_become_messages() -> None:
    program = RIG.plan(MoveSequence.parse("R L' U2"))
    first, second = (step.message(65_537) for step in program.steps)
    turns = (Action(ActionKind.TURN, 1, 1), Action(ActionKind.TURN, 4, -1))
    assert first == Step(1, Begin.AFTER_END, 0, turns)
    assert second == Step(1, Begin.AFTER_END, 0, (Action(ActionKind.TURN, 0, 2),))


def test_a_program_is_described_packet_by_packet() -> None:
    lines = describe_program(RIG.plan(MoveSequence.parse("R L' U2")))
    assert len(lines) == 2
    assert "STEP number=1 begin=AFTER_END begin_value=0 kind=TURN channel=1 value=1 " in lines[0]
    assert ", kind=TURN channel=4 value=-1 " in lines[0]
