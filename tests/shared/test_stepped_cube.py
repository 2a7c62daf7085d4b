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


def test_a_missing_pulse_leaves_the_face_off_its_detent_and_jams_its_neighbours() -> None:
    cube = SteppedCube(RIG)
    cube.follow(edges(0, 399))
    assert cube.misaligned == {"U": 399}
    cube.follow(edges(3, 10) + edges(3, -10))  # D beside U is free
    with pytest.raises(JammedError, match=r"\bR\b.*\bU\b.* 399\b"):
        cube.step(1, 1)
    cube.follow(edges(0, -399))  # there and back is no move
    assert (cube.state, cube.moves) == (SOLVED, [])


def test_a_reversed_motor_turns_the_other_way() -> None:
    motors = RIG.motors | {"U": msgspec.structs.replace(RIG.motors["U"], direction=-1)}
    cube = SteppedCube(msgspec.structs.replace(RIG, motors=motors))
    cube.step(0, 400)
    assert cube.moves == [Move("U", 3)]
    with pytest.raises(RigError, match=r"\b9\b"):  # no motor is there
        cube.step(9, 1)
