"""Step pulses back to moves."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.state import SOLVED
from robot.errors import RigError
from robot.rigs.catalogue import default_rig
from robot.virtual.cubes.slipping_cube import StepEdge
from stepped_cube import JammedError, SteppedCube

RIG = default_rig()


def edges(channel: int, steps: int) -> list[StepEdge]:
    return [StepEdge(0.0, channel, forward=steps > 0)] * abs(steps)


@given(st.lists(st.sampled_from(ALL_MOVES), max_size=6).map(MoveSequence.of))
def test_the_pulses_of_moves_make_their_state(sequence: MoveSequence) -> None:
    cube = SteppedCube(RIG)
    for move in sequence:
        cube.follow(edges(RIG.motor(move.face).channel, 400 * move.quarter_turns))
    assert cube.state == SOLVED.apply(sequence)
    assert cube.misaligned == {}


def test_there_and_back_is_no_move() -> None:
    cube = SteppedCube(RIG)
    cube.follow(edges(0, 399) + edges(0, -399))
    assert cube.state == SOLVED
    assert cube.moves == []


def test_a_missing_pulse_leaves_the_face_off_its_detent() -> None:
    cube = SteppedCube(RIG)
    cube.follow(edges(0, 399))
    assert cube.state == SOLVED
    assert cube.misaligned == {"U": 399}


def test_a_neighbour_that_turns_too_early_jams() -> None:
    cube = SteppedCube(RIG)
    cube.follow(edges(0, 399) + edges(3, 10))  # D beside U is free
    with pytest.raises(JammedError, match="face R turns while U stands 399 steps off"):
        cube.step(1, 1)


def test_a_reversed_motor_turns_the_other_way() -> None:
    motors = RIG.motors | {"U": msgspec.structs.replace(RIG.motors["U"], direction=-1)}
    cube = SteppedCube(msgspec.structs.replace(RIG, motors=motors))
    cube.step(0, 400)
    assert cube.moves == [Move("U", 3)]


def test_pulses_where_no_motor_is_are_an_error() -> None:
    with pytest.raises(RigError, match="channel 9"):
        SteppedCube(RIG).step(9, 1)
