"""Rotors that follow their pulses, and rotors that do not."""

from dataclasses import replace
from itertools import count

import pytest

from robot.rigs.motion import Trapezoid
from robot.virtual.cubes.rotor import (
    DEFAULT_MODEL,
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
