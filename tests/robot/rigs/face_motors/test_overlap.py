"""Turns that begin while the one before ends: time saved, and no other cube for it."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from robot.ports.clock import SimulatedClock
from robot.protocol.frames import encode_frame
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.corners import MOST_CORNER_DEG, PAIR_KEYS, SINGLE_KEYS, Corners
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import MOST_OVERLAP_DEG
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.virtual.cubes.corner_cutting import CornerGeometry
from robot.virtual.virtual_rig import VirtualRig

PLAIN = default_rig()
BRISK = msgspec.structs.replace(PLAIN, overlap_degrees=12)


def turned(rig: FaceMotors, program: RigProgram) -> tuple[VirtualRig, float]:
    """Turn a program on a virtual rig; the rig, and the time from the start to the end."""
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock)
    driver = RigDriver(virtual, rig, clock)
    driver.connect()
    driver.prepare()
    begun_s = clock.now_s()
    assert driver.run(program).executed == len(program.steps)
    return virtual, clock.now_s() - begun_s


def test_only_single_turns_on_crossing_axes_overlap() -> None:
    moves = MoveSequence.parse("U R L F U D B R2 F")
    assert [step.overlap_steps for step in BRISK.plan(moves).steps] == [0, 0, 0, 0, 0, 53, 53]
    single = msgspec.structs.replace(BRISK, parallel=False).plan(MoveSequence.parse("U D R"))
    assert [step.overlap_steps for step in single.steps] == [0, 0, 53]
    assert not any(step.overlap_steps for step in PLAIN.plan(moves).steps)
    assert BRISK.plan(moves).time_s < PLAIN.plan(moves).time_s


def test_a_turn_that_would_end_first_waits() -> None:
    motors = PLAIN.motors | {
        "U": msgspec.structs.replace(PLAIN.motors["U"], acceleration_steps_s2=2_000)
    }
    rig = msgspec.structs.replace(BRISK, motors=motors)
    assert rig.plan(MoveSequence.parse("U R")).steps[1].overlap_steps == 0


def test_a_turn_is_over_before_a_third_one_begins() -> None:
    """At most two turn at once: the first ends when the second is in its middle."""
    slow = msgspec.structs.replace(PLAIN.motors["U"], acceleration_steps_s2=100_000)
    rig = msgspec.structs.replace(BRISK, motors=PLAIN.motors | {"U": slow})
    first, after, third = rig.plan(MoveSequence.parse("U R F")).steps
    assert third.start_s >= first.end_s
    assert 0 < after.overlap_steps < 53 == third.overlap_steps
    longer_s = slow.turn(1).last_steps_s(after.overlap_steps + 1)
    assert longer_s > rig.motors["R"].turn(1).duration_s / 2  # no further pulse would do
    virtual, took_s = turned(rig, rig.plan(MoveSequence.parse("U R F")))
    assert virtual.slips == 0
    assert took_s == pytest.approx(third.end_s, abs=0.01)


@settings(max_examples=20)
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
    steps = program.steps
    thirds = zip(steps, steps[2:], strict=False)
    assert all(third.start_s >= first.end_s - 1e-9 for first, third in thirds)
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, lanes=lanes, geometry=CornerGeometry(90.0, 90.0))
    driver = RigDriver(virtual, rig, clock)
    driver.connect()
    driver.prepare()
    begun_s = clock.now_s()
    driver.run(program)
    assert virtual.moves == program.moves.moves
    assert clock.now_s() - begun_s == pytest.approx(program.time_s, abs=0.012)


def test_an_overlap_of_many_fine_steps_is_planned_whole() -> None:
    """1600 steps a quarter turn and 15 degrees would be 267 steps."""
    values = {"microsteps": 32, "rate_steps_s": 50_000, "acceleration_steps_s2": 3_000_000}
    fine = {face: msgspec.structs.replace(m, **values) for face, m in PLAIN.motors.items()}
    rig = msgspec.structs.replace(PLAIN, motors=fine, overlap_degrees=MOST_OVERLAP_DEG)
    assert rig.motors["U"].steps_per_quarter == 1600
    step = rig.plan(MoveSequence.parse("U R")).steps[1]
    assert step.overlap_steps == 266
    assert encode_frame(step.message(), 0)
