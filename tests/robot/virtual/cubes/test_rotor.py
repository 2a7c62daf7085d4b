"""Rotors that follow their pulses, and rotors that do not."""

from dataclasses import replace
from itertools import count, pairwise

import pytest

from robot.rigs.motion import Trapezoid
from robot.virtual.cubes.rotor import (
    DEFAULT_MODEL,
    FULL_STEPS_OF_A_SLIP,
    Rotor,
    RotorModel,
    slipped_pulses,
)

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


def test_a_ramp_that_is_too_steep_loses_whole_periods() -> None:
    for time_ms in (32, 30, 25, 20):
        lost = slipped_pulses(faster(QUARTER, 40 / time_ms), DEFAULT_MODEL, MICROSTEPS)
        assert 0 < lost <= 400
        assert lost % (FULL_STEPS_OF_A_SLIP * MICROSTEPS) == 0
    # Less torque or voltage loses steps earlier.
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


@pytest.mark.parametrize(
    ("soft_steps", "highest", "quarter_ms"), [(0, 1.95, 31.7), (4, 1.99, 31.4), (16, 2.11, 33.1)]
)
def test_a_soft_start_takes_somewhat_more_acceleration_and_saves_hardly_any_time(
    soft_steps: int, highest: float, quarter_ms: float
) -> None:
    """Figures of firmware/README.md: how far the default acceleration can be raised."""
    usual = replace(QUARTER, soft_start_steps=soft_steps)
    motion = usual
    for raised in (0.8 * 1.02**power for power in count()):
        steeper = replace(usual, acceleration_steps_s2=raised * usual.acceleration_steps_s2)
        turns = (steeper, replace(steeper, steps=800))
        if any(slipped_pulses(turn, DEFAULT_MODEL, MICROSTEPS) for turn in turns):
            break
        motion = steeper
    assert motion.acceleration_steps_s2 / QUARTER.acceleration_steps_s2 == pytest.approx(
        highest, abs=0.01
    )
    assert 1000 * motion.duration_s == pytest.approx(quarter_ms, abs=0.05)
