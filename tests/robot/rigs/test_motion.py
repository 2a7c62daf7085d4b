"""The laws of a motion: how its speed rises, and what its pulses keep to."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robot.protocol.settings import SOFT_START_STEPS
from robot.rigs.motor import Ramp, Trapezoid

SOFT = [steps for steps in SOFT_START_STEPS if steps]

ramps = st.builds(
    Ramp, acceleration_steps_s2=st.floats(1_000, 2e7), soft_steps=st.sampled_from(SOFT_START_STEPS)
)


def motions(soft: list[int]) -> st.SearchStrategy[Trapezoid]:
    return st.builds(
        Trapezoid,
        steps=st.integers(2, 3200),
        rate_steps_s=st.floats(50, 50_000),
        acceleration_steps_s2=st.floats(1_000, 2e7),
        soft_start_steps=st.sampled_from(soft),
    )


def speed(ramp: Ramp, way: float) -> float:
    """Steps a second at a place, from the times around it."""
    little = way * 1e-4
    return 2 * little / (ramp.time_s(way + little) - ramp.time_s(way - little))


@given(ramps, st.floats(0.5, 3000))
def test_acceleration_builds_up_evenly_in_time_and_then_stays(ramp: Ramp, at: float) -> None:
    """Speed over time is a parabola, then a line; the two meet at the last soft step."""
    assert ramp.way_steps(speed(ramp, at)) == pytest.approx(at, rel=1e-3)
    full = ramp.acceleration_steps_s2
    built_s = ramp.time_s(ramp.soft_steps)
    for share in (0.2, 0.6, 0.9):
        way = share * ramp.soft_steps
        if way:
            wanted = full * ramp.time_s(way) ** 2 / (2 * built_s)
            assert speed(ramp, way) == pytest.approx(wanted, rel=1e-4)
    later = ramp.soft_steps + 100.0
    wanted = full * (ramp.time_s(later) - built_s / 2)
    assert speed(ramp, later) == pytest.approx(wanted, rel=1e-4)


@settings(max_examples=25)
@given(motions([*SOFT_START_STEPS]), st.integers(1, 3200))
def test_pulses_keep_to_the_motion(motion: Trapezoid, count: int) -> None:
    times = motion.pulse_times_s()
    assert len(times) == motion.steps
    assert times[0] == 0
    assert times[-1] == pytest.approx(motion.duration_s)
    # No interval is shorter than the rate allows.
    stretch = motion.steps / (motion.steps - 1) if not motion.soft_start_steps else 1.0
    shortest_s = 0.9999 * stretch / motion.rate_steps_s - 1e-9
    assert all(after - before > shortest_s for before, after in pairwise(times))
    # The last steps take what the pulses say.
    count = max(0, min(count, motion.steps - 2 - motion.ramp_steps))
    took_s = times[-1] - times[motion.steps - 1 - count]
    assert motion.last_steps_s(count) == pytest.approx(took_s, abs=1e-7)
    assert motion.last_steps_s(motion.steps) == pytest.approx(motion.duration_s - motion.ramp_s)
    assert motion.near_end_s(count) == times[motion.steps - 1 - count]


@settings(max_examples=25)
@given(motions(SOFT), st.floats(0.5, 2))
def test_a_soft_motion_ends_as_it_began_and_scales_with_its_speed(
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
