"""Which way half turns go: the quickest program of all, found without trying them all."""

import itertools

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, Move, MoveSequence, axial_groups
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.face_motors.planner import options, quickest
from robot.rigs.face_motors.rig_file import PAIR_KEYS, Corners, Turns
from robot.rigs.face_motors.transitions import Transitions

PLAIN = default_rig()
ANGLES = Corners(
    cut=32.0,
    anti_cut=24.0,
    cut_after_half=31.0,
    anti_cut_after_half=20.0,
    opposite=33.0,
    **{key: 10.0 + number / 2 for number, key in enumerate(PAIR_KEYS)},
)
RIG = msgspec.structs.replace(PLAIN, corners=ANGLES)
sequences = st.lists(st.sampled_from(ALL_MOVES), max_size=40).map(MoveSequence.of)
lanes = st.sampled_from((2, 4))


def signed(rig: FaceMotors, text: str, lanes: int = 2) -> list[int]:
    program = rig.plan(MoveSequence.parse(text), lanes)
    return [turn.quarter_turns for step in program.steps for turn in step.turns]


def time_s(steps: list[Turns], transitions: Transitions) -> float:
    pauses = sum(transitions.between(*pair).pause_s for pair in itertools.pairwise(steps))
    return pauses + sum(map(transitions.duration_s, steps))


def test_a_half_turn_goes_the_way_that_makes_cuts() -> None:
    assert signed(RIG, "R U2 R") == [1, -2, 1]
    assert signed(RIG, "R' U2 R'") == [-1, 2, -1]
    assert signed(RIG, "R2 U2 F2 D2 L2") in ([2, -2, 2, -2, 2], [-2, 2, -2, 2, -2])
    assert signed(PLAIN, "R U2 R2 F'") == [1, 2, 2, -1]  # no angles, no need
    # A choice looks at what comes later.
    assert signed(RIG, "R2 U") == [-2, 1]
    assert signed(RIG, "R2 F2 U") == [2, -2, 1]
    # The one anti-cut that has to be follows a quarter turn, where its angle is wider.
    assert signed(RIG, "D' R2 F2 U2 L") == [-1, -2, 2, -2, 1]


@settings(deadline=None, max_examples=25)
@given(st.lists(st.sampled_from(ALL_MOVES), min_size=1, max_size=6), lanes)
def test_no_other_choice_is_quicker(moves: list[Move], lanes: int) -> None:
    sequence = MoveSequence.of(moves).simplified()
    transitions = Transitions(RIG, lanes)
    choices = [options(group, apart=True) for group in axial_groups(sequence)]
    best = quickest(choices, transitions)
    every = [
        [turns for option in chosen for turns in option] for chosen in itertools.product(*choices)
    ]
    assert time_s(best, transitions) == pytest.approx(
        min((time_s(steps, transitions) for steps in every), default=0.0), abs=1e-9
    )
    assert RIG.plan(sequence, lanes).time_s == pytest.approx(time_s(best, transitions), abs=1e-9)


@settings(max_examples=40)
@given(sequences, lanes)
def test_a_plan_makes_the_same_cube_and_is_never_slower(sequence: MoveSequence, lanes: int) -> None:
    program = RIG.plan(sequence, lanes)
    assert SOLVED.apply(program.moves) == SOLVED.apply(sequence)
    assert program.time_s <= PLAIN.plan(sequence).time_s + 1e-9
    for step in program.steps:
        for turn, move in zip(step.turns, step.moves, strict=True):
            assert turn.quarter_turns % 4 == move.turns
    # What a journal wrote down is laid out as it was.
    assert RIG.plan_steps((step.moves for step in program.steps), lanes) == program
