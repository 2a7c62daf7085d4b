"""Rotors that follow their pulses or do not, and faces that turn beside one that still turns."""

from dataclasses import replace

import numpy as np
from benches import Bench
from faulty_rig import Faults
from hypothesis import given
from hypothesis import strategies as st

from cube.moves import FACES, MoveSequence
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.cubes.course import DEFAULT_MODEL, course
from robot.virtual.cubes.slipping_cube import DEFAULT_GEOMETRY, SlippingCube
from robot.virtual.virtual_rig import VirtualRig

QUARTER = Trapezoid(400, 17_391, 1_023_018)
MICROSTEPS = 8


def faster(motion: Trapezoid, factor: float) -> Trapezoid:
    return replace(
        motion,
        rate_steps_s=motion.rate_steps_s * factor,
        acceleration_steps_s2=motion.acceleration_steps_s2 * factor**2,
    )


def test_the_default_rig_keeps_its_steps_with_a_margin() -> None:
    """For this motor 31 ms is the best of all ramps, and 35 to 40 ms a usual one.

    A rotor on a magnetic spring also loses steps between these two speeds.
    """
    half = Trapezoid(800, 17_391, 1_023_018)
    for motion in (QUARTER, half, faster(QUARTER, 40 / 37), faster(half, 40 / 37)):
        assert course(motion, DEFAULT_MODEL, MICROSTEPS).slipped_pulses == 0
    assert course(faster(QUARTER, 1.2), DEFAULT_MODEL, MICROSTEPS).slipped_pulses


MOVES = MoveSequence.parse("R U F2 L' D B")


def turn_virtually(rig: FaceMotors, faults: Faults | None = None) -> VirtualRig:
    bench = Bench(rig, faults).ready()
    bench.driver.run(rig.plan(MOVES))
    return bench.virtual


def test_a_step_that_is_lost_or_made_twice_leaves_its_face_at_a_detent(rig: FaceMotors) -> None:
    loose = turn_virtually(rig, Faults(loose_at_move=1))
    assert loose.moves == MOVES.moves[1:]
    twice = turn_virtually(rig, Faults(doubled_at_move=1))
    assert MoveSequence(tuple(twice.moves)) == MoveSequence((MOVES.moves[0], *MOVES.moves))
    for virtual in (loose, twice):
        assert (virtual.slips, virtual.jams) == (0, 0)


RIG = default_rig()


def jams(text: str, angle_deg: float) -> int:
    """Begin the second of two turns when the first one is so far from its end, and count jams."""
    cube, begin_s = SlippingCube(RIG), 0.0
    for move in MoveSequence.parse(text):
        motor = RIG.motor(move.face)
        motion, way = motor.turn(move.quarter_turns), 1 if move.quarter_turns > 0 else -1
        cube.turn(motor.channel, way * motor.direction * motion.steps, motion, start_s=begin_s)
        begin_s = motion.duration_s - motion.last_steps_s(int(angle_deg / 90 * 400))
    return cube.jams


def test_all_faces_that_cross_lie_alike() -> None:
    for one in FACES:
        for other in FACES:
            if (FACES.index(one) - FACES.index(other)) % 3:
                assert not jams(f"{one} {other}", 31)
                assert jams(f"{one} {other}", 32)
                assert not jams(f"{one} {other}'", 33)
    assert not jams("U D", 33)  # opposite faces are never in each other's way
    assert not jams("U D'", 33)


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
