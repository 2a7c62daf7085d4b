"""Rotors that follow their pulses or do not, and what becomes of a cube whose motors do not."""

from dataclasses import replace
from itertools import count

import pytest
from benches import Bench

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.errors import RigError
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import Trapezoid
from robot.virtual.cubes.rotor import DEFAULT_MODEL, slipped_pulses
from robot.virtual.cubes.slipping_cube import SlippingCube
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig

QUARTER = Trapezoid(400, 17_391, 1_023_018)
MICROSTEPS = 8


def faster(motion: Trapezoid, factor: float) -> Trapezoid:
    """The same motion in a shorter time."""
    return replace(
        motion,
        rate_steps_s=motion.rate_steps_s * factor,
        acceleration_steps_s2=motion.acceleration_steps_s2 * factor**2,
    )


def test_the_default_rig_keeps_its_steps_with_a_margin() -> None:
    """For this motor 31 ms is the best of all ramps, and 35 to 40 ms a usual one."""
    half = Trapezoid(800, 17_391, 1_023_018)
    for motion in (QUARTER, half, faster(QUARTER, 40 / 37), faster(half, 40 / 37)):
        assert slipped_pulses(motion, DEFAULT_MODEL, MICROSTEPS) == 0


@pytest.mark.parametrize(
    ("soft_steps", "highest", "quarter_ms"), [(0, 1.95, 31.7), (4, 1.99, 31.4), (16, 2.11, 33.1)]
)
def test_a_soft_start_takes_somewhat_more_acceleration_and_saves_hardly_any_time(
    soft_steps: int, highest: float, quarter_ms: float
) -> None:
    """Figures of firmware/README.md: how far the default acceleration can be raised."""
    usual = replace(QUARTER, soft_start_steps=soft_steps)
    motion = usual
    for raised in (0.8 * 1.02**power for power in count(30)):
        steeper = replace(usual, acceleration_steps_s2=raised * usual.acceleration_steps_s2)
        turns = (steeper, replace(steeper, steps=800))
        if any(slipped_pulses(turn, DEFAULT_MODEL, MICROSTEPS) for turn in turns):
            break
        motion = steeper
    assert motion.acceleration_steps_s2 / QUARTER.acceleration_steps_s2 == pytest.approx(
        highest, abs=0.01
    )
    assert 1000 * motion.duration_s == pytest.approx(quarter_ms, abs=0.05)


MOVES = MoveSequence.parse("R U F2 L' D B")


def turn_virtually(rig: FaceMotors, faults: Faults | None = None) -> VirtualRig:
    bench = Bench(rig, faults).ready()
    bench.driver.run(rig.plan(MOVES))
    return bench.virtual


def test_the_virtual_rig_slips_when_its_supply_is_weak(rig: FaceMotors) -> None:
    turned = SOLVED.apply(MOVES)
    for usual in (turn_virtually(rig), turn_virtually(rig, Faults(torque=0.9))):
        assert (usual.slips, usual.state) == (0, turned)
    assert turn_virtually(rig, Faults(torque=0.4)).state != turned
    slipped = turn_virtually(rig, Faults(slip_at_move=3))
    assert slipped.slips > 0
    assert slipped.state != turned


def test_a_step_that_is_lost_or_made_twice_leaves_its_face_at_a_detent(rig: FaceMotors) -> None:
    loose = turn_virtually(rig, Faults(loose_at_move=1))
    assert loose.moves == MOVES.moves[1:]
    twice = turn_virtually(rig, Faults(doubled_at_move=1))
    assert MoveSequence(tuple(twice.moves)) == MoveSequence((MOVES.moves[0], *MOVES.moves))
    for virtual in (loose, twice):
        assert (virtual.slips, virtual.jams) == (0, 0)


def test_a_face_beside_one_that_is_off_does_not_turn(rig: FaceMotors) -> None:
    cube = SlippingCube(rig)
    cube.turn(0, 400, faster(QUARTER, 1.4))  # U stops halfway
    assert cube.misaligned_deg
    before = cube.state
    cube.turn(1, 400, QUARTER)
    assert cube.state == before
    assert cube.slips == 2
    with pytest.raises(RigError, match="7"):
        cube.turn(7, 400, QUARTER)
