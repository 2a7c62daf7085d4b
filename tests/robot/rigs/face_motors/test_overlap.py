"""Turns that begin while the one before ends: time saved, and no other cube for it."""

import msgspec
import pytest
from benches import Bench
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import MOST_CORNER_DEG, PAIR_KEYS, SINGLE_KEYS, Corners
from robot.virtual.cubes.slipping_cube import CornerGeometry

PLAIN = default_rig()
BRISK = msgspec.structs.replace(PLAIN, overlap_degrees=12)
BEYOND = CornerGeometry(90.0, 90.0)
"""A cube that allows every angle."""


def overlaps(rig: FaceMotors, text: str) -> list[int]:
    return [step.overlap_steps for step in rig.plan(MoveSequence.parse(text)).steps]


def test_only_single_turns_on_crossing_axes_overlap() -> None:
    assert overlaps(BRISK, "U R L F U D B R2 F") == [0, 0, 0, 0, 0, 53, 53]
    assert overlaps(msgspec.structs.replace(BRISK, parallel=False), "U D R") == [0, 0, 53]
    assert not any(overlaps(PLAIN, "U R F2 L' U"))
    # A turn that would end first waits.
    slow = msgspec.structs.replace(PLAIN.motors["U"], acceleration_steps_s2=2_000)
    rig = msgspec.structs.replace(BRISK, motors=PLAIN.motors | {"U": slow})
    assert overlaps(rig, "U R") == [0, 0]


@settings(max_examples=15)
@given(
    st.lists(st.sampled_from(ALL_MOVES), min_size=3, max_size=12).map(MoveSequence.of),
    st.lists(st.integers(50_000, 1_000_000), min_size=6, max_size=6),
    st.floats(0, MOST_CORNER_DEG),
    st.floats(0, MOST_CORNER_DEG),
    st.sampled_from([2, 4]),
)
def test_no_third_step_begins_while_two_are_under_way(
    sequence: MoveSequence, accelerations: list[int], cut: float, anti_cut: float, lanes: int
) -> None:
    """Whatever the motors and angles; and the virtual board takes the planned time."""
    motors = {
        face: msgspec.structs.replace(motor, acceleration_steps_s2=acceleration)
        for (face, motor), acceleration in zip(PLAIN.motors.items(), accelerations, strict=True)
    }
    keys = SINGLE_KEYS + (PAIR_KEYS if lanes == 4 else ())
    corners = Corners(**{key: cut if key.startswith("cut") else anti_cut for key in keys})
    rig = msgspec.structs.replace(PLAIN, motors=motors, corners=corners)
    program = rig.plan(sequence.simplified(), lanes)
    with_lanes = msgspec.structs.replace(rig, lanes=lanes)
    assert with_lanes.plan(sequence.simplified()) == program  # a plan without the board
    steps = program.steps
    thirds = zip(steps, steps[2:], strict=False)
    assert all(third.start_s >= first.end_s - 1e-9 for first, third in thirds)
    bench = Bench(rig, lanes=lanes, geometry=BEYOND).ready()
    begun_s = bench.clock.now_s()
    assert bench.driver.run(program).executed == len(steps)
    assert bench.clock.now_s() - begun_s == pytest.approx(program.time_s, abs=0.012)
    assert bench.virtual.moves == program.moves.moves
    assert bench.virtual.slips == 0
