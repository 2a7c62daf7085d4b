"""What becomes of a cube whose motors follow their pulses, and of one whose motors do not."""

import msgspec
import pytest

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.errors import RigError
from robot.ports.clock import SimulatedClock
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motion import Trapezoid
from robot.running.driver import RigDriver
from robot.virtual.cubes.slipping_cube import SlippingCube
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig

QUARTER = Trapezoid(400, 17_391, 1_023_018)


def faster(motion: Trapezoid, factor: float) -> Trapezoid:
    """The same motion in a shorter time."""
    rate = motion.rate_steps_s * factor
    return Trapezoid(motion.steps, rate, motion.acceleration_steps_s2 * factor**2)


def steep(rig: FaceMotors, factor: float) -> FaceMotors:
    """The rig with faster motors than it can drive."""
    motors = {
        face: msgspec.structs.replace(
            motor,
            rate_steps_s=int(motor.rate_steps_s * factor),
            acceleration_steps_s2=int(motor.acceleration_steps_s2 * factor**2),
        )
        for face, motor in rig.motors.items()
    }
    return msgspec.structs.replace(rig, motors=motors)


MOVES = MoveSequence.parse("R U F2 L' D B")


def turn_virtually(rig: FaceMotors, faults: Faults | None = None) -> VirtualRig:
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, faults=faults)
    driver = RigDriver(virtual, rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    driver.run(rig.plan(MOVES))
    return virtual


def test_the_virtual_rig_slips_when_its_ramps_are_too_steep_or_its_supply_is_weak(
    rig: FaceMotors,
) -> None:
    turned = SOLVED.apply(MOVES)
    for usual in (turn_virtually(rig), turn_virtually(rig, Faults(torque=0.9))):
        assert (usual.slips, usual.state) == (0, turned)
    assert turn_virtually(rig, Faults(torque=0.4)).state != turned
    for slipped in (turn_virtually(steep(rig, 1.6)), turn_virtually(rig, Faults(slip_at_move=3))):
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
