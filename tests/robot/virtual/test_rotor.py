"""Rotors that follow their pulses, and rotors that do not."""

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cube.moves import MoveSequence
from cube.state import SOLVED
from robot.errors import RigError
from robot.ports.clock import SimulatedClock
from robot.rigs.motion import Trapezoid
from robot.rigs.planner import plan
from robot.rigs.rig import Rig
from robot.running.driver import RigDriver
from robot.simulator.avr_simulator import AvrSimulator, Script, step_edges
from robot.virtual.edges import StepEdge
from robot.virtual.faults import Faults
from robot.virtual.rotor import (
    DEFAULT_MODEL,
    FULL_STEPS_OF_A_SLIP,
    Rotor,
    RotorModel,
    slipped_pulses,
)
from robot.virtual.slipping_cube import SlippingCube
from robot.virtual.virtual_rig import VirtualRig

QUARTER = Trapezoid(400, 17_391, 1_023_018)
MICROSTEPS = 8


def faster(motion: Trapezoid, factor: float) -> Trapezoid:
    """The same motion in a shorter time."""
    rate = motion.rate_steps_s * factor
    return Trapezoid(motion.steps, rate, motion.acceleration_steps_s2 * factor**2)


@given(
    st.builds(
        Trapezoid,
        steps=st.integers(4, 800),
        rate_steps_s=st.floats(500, 50_000),
        acceleration_steps_s2=st.floats(10_000, 5e6),
    )
)
def test_pulses_come_in_order_within_the_duration(motion: Trapezoid) -> None:
    times = motion.pulse_times_s()
    assert len(times) == motion.steps
    assert times[0] == 0
    assert times[-1] == pytest.approx(motion.duration_s)
    assert all(before < after for before, after in pairwise(times))


def test_the_default_rig_keeps_its_steps_with_a_margin() -> None:
    """For this motor 31 ms is the best of all ramps, and 35 to 40 ms a usual one."""
    half = Trapezoid(800, 17_391, 1_023_018)
    for motion in (QUARTER, half, faster(QUARTER, 40 / 37), faster(half, 40 / 37)):
        assert slipped_pulses(motion, DEFAULT_MODEL, MICROSTEPS) == 0


@pytest.mark.parametrize("time_ms", [32, 30, 25, 20])
def test_a_ramp_that_is_too_steep_loses_whole_periods(time_ms: float) -> None:
    lost = slipped_pulses(faster(QUARTER, 40 / time_ms), DEFAULT_MODEL, MICROSTEPS)
    assert 0 < lost <= 400
    assert lost % (FULL_STEPS_OF_A_SLIP * MICROSTEPS) == 0


def test_less_torque_or_voltage_loses_steps_earlier() -> None:
    assert slipped_pulses(QUARTER, RotorModel(holding_nm=0.2), MICROSTEPS) > 0
    assert slipped_pulses(QUARTER, RotorModel(corner_rad_s=30), MICROSTEPS) > 0
    assert slipped_pulses(faster(QUARTER, 0.5), RotorModel(holding_nm=0.2), MICROSTEPS) == 0


def test_a_rotor_comes_to_rest_near_its_pulses() -> None:
    rotor = Rotor(DEFAULT_MODEL, MICROSTEPS)
    for time_s in QUARTER.pulse_times_s():
        rotor.step(time_s, 1)
    rotor.settle()
    assert rotor.slipped_pulses == 0
    assert abs(rotor.lag_deg) < 0.2  # what dry friction leaves


def test_swings_have_the_frequency_of_the_spring() -> None:
    """A single full step rings at sqrt(p Th / J), about 150 Hz."""
    rotor = Rotor(RotorModel(friction_nm=0.0), MICROSTEPS)
    rotor.step(0.0, 1)
    crossings = []
    before = rotor.lag_deg
    for tick in range(1, 2000):
        rotor.advance(tick * 20e-6)
        if (rotor.lag_deg > 0) != (before > 0):
            crossings.append(tick * 20e-6)
        before = rotor.lag_deg
    half_periods = [after - first for first, after in pairwise(crossings)]
    assert 0.5 / (sum(half_periods) / len(half_periods)) == pytest.approx(149.8, rel=0.02)


def steep(rig: Rig, factor: float) -> Rig:
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


def turn_virtually(rig: Rig, faults: Faults | None = None) -> VirtualRig:
    clock = SimulatedClock()
    virtual = VirtualRig(rig, clock, faults=faults)
    driver = RigDriver(virtual, rig, clock, seed=1)
    driver.connect()
    driver.prepare()
    driver.run(plan(MOVES, rig))
    return virtual


def test_the_virtual_rig_slips_when_its_ramps_are_too_steep(rig: Rig) -> None:
    assert turn_virtually(rig).slips == 0
    assert turn_virtually(rig).state == SOLVED.apply(MOVES)
    virtual = turn_virtually(steep(rig, 1.6))
    assert virtual.slips > 0
    assert virtual.state != SOLVED.apply(MOVES)


def test_a_weak_supply_and_a_moment_of_weakness_slip(rig: Rig) -> None:
    assert turn_virtually(rig, Faults(torque=0.4)).state != SOLVED.apply(MOVES)
    assert turn_virtually(rig, Faults(torque=0.9)).state == SOLVED.apply(MOVES)
    once = turn_virtually(rig, Faults(slip_at_move=3))
    assert once.slips >= 1
    assert once.state != SOLVED.apply(MOVES)


def test_a_face_beside_one_that_is_off_does_not_turn(rig: Rig) -> None:
    cube = SlippingCube(rig)
    cube.turn(0, 400, faster(QUARTER, 1.4))  # U stops halfway
    assert cube.misaligned_deg
    before = cube.state
    cube.turn(1, 400, QUARTER)
    assert cube.state == before
    assert cube.slips == 2
    with pytest.raises(RigError, match="channel 7"):
        cube.turn(7, 400, QUARTER)


def pulses(channel: int, motion: Trapezoid, start_s: float, forward: bool = True) -> list[StepEdge]:
    return [StepEdge(start_s + time_s, channel, forward) for time_s in motion.pulse_times_s()]


def test_recorded_pulses_turn_as_planned_ones_do(rig: Rig) -> None:
    cube = SlippingCube(rig)
    edges = pulses(0, QUARTER, 0.0) + pulses(1, QUARTER, 0.041, forward=False)
    assert cube.follow(edges) == SOLVED.apply(MoveSequence.parse("U R'"))
    assert (cube.slips, cube.misaligned_deg) == (0, {})
    slipped = SlippingCube(rig)
    slipped.follow(pulses(0, faster(QUARTER, 1.4), 0.0))
    planned = SlippingCube(rig)
    planned.turn(0, 400, faster(QUARTER, 1.4))
    assert slipped.misaligned_deg == planned.misaligned_deg != {}


@pytest.mark.avr
@pytest.mark.parametrize(("rate", "acceleration", "follows"), [
    (17_391, 1_023_018, True),
    (26_000, 2_400_000, False),
])  # fmt: skip
def test_the_firmwares_pulses_turn_the_cube_or_slip(
    firmware_build: Path, rig: Rig, rate: int, acceleration: int, follows: bool
) -> None:
    script = Script()
    script.motors(400, rate, acceleration, 0, 1, 3)
    script.enable()
    script.move(0, 1, 3, -2)
    script.move(1, 1)
    trace = AvrSimulator(firmware_build).run(script, script.now_ms + 150)
    edges = step_edges(trace.edges, powered=lambda level: level == 0)
    assert len(edges) == 400 + 800 + 400
    cube = SlippingCube(rig)
    cube.follow(edges)
    assert (cube.state == SOLVED.apply(MoveSequence.parse("U D2 R"))) == follows
    assert (cube.slips == 0) == follows
