"""A virtual cube lets a face turn beside one that is still turning, as far as its corners allow."""

from dataclasses import replace

import msgspec
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cube.moves import FACES, MoveSequence
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.program import ProgramStep, RigProgram
from robot.virtual.cubes.slipping_cube import (
    DEFAULT_GEOMETRY,
    CornerGeometry,
    SlippingCube,
    StepEdge,
)

RIG = default_rig()
WIDE = CornerGeometry(cut_deg=40.0, anti_cut_deg=40.0, paired=1.0)
"""Nothing jams on the default rig."""


def from_angle(text: str, angle_deg: float) -> RigProgram:
    """A program whose steps begin when the one before is so far from its end, whatever is planned.

    The second of two pulses at once is 11 µs later on the board; here they are together.
    """
    steps: list[ProgramStep] = []
    for planned in RIG.plan(MoveSequence.parse(text)).steps:
        step = planned
        if steps:
            count = int(angle_deg / 90 * 400)
            before = steps[-1]
            motions = [RIG.motor(m.face).turn(m.quarter_turns) for m in before.moves]
            last_s = min(motion.last_steps_s(count) for motion in motions)
            step = replace(step, start_s=before.end_s - last_s, overlap_steps=count)
        steps.append(step)
    return RigProgram(tuple(steps))


def edges_of(program: RigProgram, rig: FaceMotors = RIG) -> list[StepEdge]:
    edges = [
        StepEdge(
            step.start_s + time_s,
            turn.channel,
            (turn.quarter_turns > 0) == (rig.motor(move.face).direction > 0),
        )
        for step in program.steps
        for turn, move in zip(step.turns, step.moves, strict=True)
        for time_s in rig.motor(move.face).turn(turn.quarter_turns).pulse_times_s()
    ]
    return sorted(edges, key=lambda edge: edge.time_s)


def followed(
    text: str, angle_deg: float, geometry: CornerGeometry = DEFAULT_GEOMETRY
) -> SlippingCube:
    cube = SlippingCube(RIG, geometry=geometry)
    cube.follow(edges_of(from_angle(text, angle_deg)))
    return cube


def test_all_faces_that_cross_lie_alike() -> None:
    for one in FACES:
        for other in FACES:
            if (FACES.index(one) - FACES.index(other)) % 3:
                assert not followed(f"{one} {other}", 31).jams
                assert followed(f"{one} {other}", 32).jams
                assert not followed(f"{one} {other}'", 33).jams
    assert not followed("U D", 33).jams  # opposite faces are never in each other's way
    assert not followed("U D'", 33).jams


def test_a_turn_that_jams_is_lost_and_nothing_else() -> None:
    cube = followed("U R F'", 32)
    assert (cube.jams, cube.slips) == (1, 1)
    assert cube.state == SOLVED.apply(MoveSequence.parse("U F'"))
    assert cube.misaligned_deg == {}
    assert not followed("U R F'", 33, WIDE).jams  # a wider cube lets more pass


def test_angles_are_looked_at_all_the_time_and_not_only_at_the_beginning() -> None:
    """A slow face is still where it was when a quick one beside it has gone far."""
    slow = msgspec.structs.replace(RIG.motors["U"], rate_steps_s=1000, acceleration_steps_s2=20_000)
    rig = msgspec.structs.replace(RIG, motors=RIG.motors | {"U": slow})
    motion = slow.turn(1)
    for left, jams in ((8, 0), (60, 1)):
        cube = SlippingCube(rig)
        cube.turn(0, 400, motion, start_s=0.0)
        begin_s = motion.pulse_times_s()[400 - left]
        cube.turn(1, 400, rig.motors["R"].turn(1), start_s=begin_s)
        assert cube.jams == jams, left
    assert DEFAULT_GEOMETRY.anti_cut_deg > 60 * 90 / 400  # where it stood when the other began


@given(st.floats(-45, 45), st.floats(-45, 45), st.integers(0, 2))
def test_two_faces_stop_each_other_whichever_is_asked(
    one: float, other: float, crossed: int
) -> None:
    first, second, counts = np.array([one]), np.array([other]), np.array([crossed])
    jams = DEFAULT_GEOMETRY.jams(first, second, counts)
    assert jams == DEFAULT_GEOMETRY.jams(second, first, counts)
    assert jams == DEFAULT_GEOMETRY.jams(-first, -second, counts)  # in a mirror
    if min(abs(one), abs(other)) <= DEFAULT_GEOMETRY.play_deg:
        assert not jams
    if jams:
        wider = np.array([one * 1.01]), np.array([other * 1.01])
        assert DEFAULT_GEOMETRY.jams(*wider, counts)
