"""The laws of a motion: what its pulses keep to."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robot.rigs.trapezoid import Trapezoid

MOTIONS = st.builds(
    Trapezoid,
    steps=st.integers(2, 3200),
    rate_steps_s=st.floats(50, 50_000),
    acceleration_steps_s2=st.floats(1_000, 2e7),
)


@settings(max_examples=25)
@given(MOTIONS, st.integers(1, 3200))
def test_pulses_keep_to_the_motion(motion: Trapezoid, count: int) -> None:
    times = motion.pulse_times_s()
    assert len(times) == motion.steps
    assert times[0] == 0
    assert times[-1] == pytest.approx(motion.duration_s)
    # No interval is shorter than the rate allows.
    stretch = motion.steps / (motion.steps - 1)
    shortest_s = 0.9999 * stretch / motion.rate_steps_s - 1e-9
    assert all(after - before > shortest_s for before, after in pairwise(times))
    # The last steps take what the pulses say.
    count = max(0, min(count, motion.steps - 2 - motion.ramp_steps))
    took_s = times[-1] - times[motion.steps - 1 - count]
    assert motion.last_steps_s(count) == pytest.approx(took_s, abs=1e-7)
    assert motion.last_steps_s(motion.steps) == pytest.approx(motion.duration_s - motion.ramp_s)


@settings(max_examples=25)
@given(MOTIONS, st.floats(0.5, 2))
def test_a_motion_ends_as_it_began_and_scales_with_its_speed(
    motion: Trapezoid, factor: float
) -> None:
    times = motion.pulse_times_s()
    mirrored = [motion.duration_s - time_s for time_s in reversed(times)]
    assert max(abs(one - other) for one, other in zip(times, mirrored, strict=True)) < 1e-7
    faster = replace(
        motion,
        rate_steps_s=motion.rate_steps_s * factor,
        acceleration_steps_s2=motion.acceleration_steps_s2 * factor**2,
    )
    assert faster.duration_s == pytest.approx(motion.duration_s / factor)
    assert faster.ramp_steps in range(motion.ramp_steps - 1, motion.ramp_steps + 2)
