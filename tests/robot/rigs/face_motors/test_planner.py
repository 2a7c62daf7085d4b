"""Moves laid out in time: which way half turns go, what overlaps, and what a search adds up."""

from functools import cache
from itertools import pairwise, product

import msgspec
import pytest
from benches import Bench
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, FACES, MoveSequence, axial_groups
from cube.state import SOLVED
from robot.errors import RigError
from robot.link.packet_log import describe_program
from robot.protocol.messages import Action, ActionKind, Begin, Step
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.rig_file import MOST_CORNER_DEG, PAIR_KEYS, SINGLE_KEYS, Corners
from robot.rigs.mechanism import StepTimes
from robot.virtual.cubes.slipping_cube import CornerGeometry

RIG = default_rig()
GAP_S = RIG.gap_us * 1e-6
SINGLE = Corners(cut=33.0, anti_cut=15.0)
APART = msgspec.structs.replace(SINGLE, opposite=33.0)
PAIRED = msgspec.structs.replace(APART, **dict.fromkeys(PAIR_KEYS, 24.0))
RIGS = [
    msgspec.structs.replace(RIG, corners=corners, parallel=parallel)
    for corners in (Corners(), SINGLE, APART, PAIRED)
    for parallel in (True, False)
]


@cache
def step_times(rig: int, lanes: int) -> StepTimes:
    return RIGS[rig].step_times(lanes)


def test_a_face_without_motor_is_refused() -> None:
    five = FaceMotors(name="five", motors={face: RIG.motors[face] for face in "URFDL"})
    for rig in (five, msgspec.structs.replace(five, corners=PAIRED)):
        with pytest.raises(RigError, match=r"\bB\b"):
            rig.plan(MoveSequence.parse("U F B"))
    assert {move.face for moves in five.step_times().ways for move in moves} == set("URFDL")


def test_steps_become_messages_and_are_described_packet_by_packet() -> None:
    program = RIG.plan(MoveSequence.parse("R L' U2"))
    first, second = (step.message(65_537) for step in program.steps)
    turns = (Action(ActionKind.TURN, 1, 1), Action(ActionKind.TURN, 4, -1))
    assert first == Step(1, Begin.AFTER_END, 0, turns)
    assert second == Step(1, Begin.AFTER_END, 0, (Action(ActionKind.TURN, 0, 2),))
    assert len(describe_program(program)) == 2


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(ALL_MOVES), max_size=7).map(MoveSequence.of),
    st.sampled_from(range(len(RIGS))),
    st.sampled_from((2, 4)),
)
def test_ways_and_pauses_of_a_search_add_up_to_the_plan(
    moves: MoveSequence, rig: int, lanes: int
) -> None:
    moves = moves.simplified()
    steps = step_times(rig, lanes)
    groups = [tuple(sorted(g, key=lambda m: FACES.index(m.face))) for g in axial_groups(moves)]
    sums = [
        sum(way.time_ms for way in chosen)
        + sum(steps.pauses_ms[one.last, other.first] for one, other in pairwise(chosen))
        for chosen in product(*(steps.ways[group] for group in groups))
    ]
    assert min(sums) == pytest.approx(1000 * RIGS[rig].plan(moves, lanes).time_s, abs=1e-6)


ANGLES = Corners(cut=32.0, anti_cut=24.0, cut_pairs=18.0, anti_cut_pairs=10.0, opposite=33.0)
CUTS = msgspec.structs.replace(RIG, corners=ANGLES)
sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=40).map(MoveSequence.of)
lanes = st.sampled_from((2, 4))


@settings(max_examples=40)
@given(sequences, lanes)
def test_a_plan_makes_the_same_cube_and_is_never_slower(sequence: MoveSequence, lanes: int) -> None:
    program = CUTS.plan(sequence, lanes)
    assert SOLVED.apply(program.moves) == SOLVED.apply(sequence)
    assert program.time_s <= RIG.plan(sequence).time_s + 1e-9
    for step in program.steps:
        for turn, move in zip(step.turns, step.moves, strict=True):
            assert turn.value % 4 == move.turns
    # What a journal wrote down is laid out as it was.
    assert CUTS.plan_steps((step.moves for step in program.steps), lanes) == program


PLAIN = default_rig()
BRISK = msgspec.structs.replace(PLAIN, corners=Corners(cut=12.0, anti_cut=12.0))
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
