"""The firmware's goals, held to the cycle; `thistlebot bench firmware` prints the same figures."""

import subprocess
from pathlib import Path

import pytest

from robot.simulator import motion_bench as bench
from robot.simulator import safety_bench as safety
from robot.simulator.avr_simulator import AvrSimulator

pytestmark = pytest.mark.avr


@pytest.mark.parametrize("board", ["uno", "mega"])
def test_a_quiet_lane_jitters_by_4_cycles_at_most(simulator: AvrSimulator, board: str) -> None:
    assert bench.jitter_alone(simulator, board=board) <= (4 if board == "uno" else 5)


def test_a_flooded_lane_jitters_by_100_cycles_and_colliding_ones_by_240_at_most(
    simulator: AvrSimulator,
) -> None:
    """A byte takes up to 63, and the millisecond may come at the same moment."""
    assert bench.jitter_flooded(simulator, "hello") <= 100
    assert bench.jitter_of_two(simulator) <= 240


def test_both_lanes_reach_their_rate(simulator: AvrSimulator) -> None:
    assert bench.step_rate(simulator, 50_000).reached_steps_s >= 0.99 * 50_000


@pytest.mark.parametrize("board", ["uno", "mega"])
def test_a_quarter_turn_takes_40_ms(simulator: AvrSimulator, board: str) -> None:
    assert bench.quarter_turn_ms(simulator, 2, board) == pytest.approx(40.0, rel=0.001)


@pytest.mark.parametrize("gap_us", [16, 54, 65])
def test_gaps_are_as_configured(simulator: AvrSimulator, gap_us: int) -> None:
    """To the microsecond, from 38 on: making the next turn ready takes that long.

    Of turns of two, the second is made ready while the first begins, if the gap is below 66 µs.
    """
    gaps = bench.gaps_us(simulator, gap_us)
    limit = 3.2 if 38 < gap_us < 62 else 1.5
    assert all(abs(gap - max(gap_us, 38)) < limit for gap in gaps), gaps


def test_a_solve_sent_ahead_needs_no_host(simulator: AvrSimulator) -> None:
    result = bench.frozen_host(simulator)
    assert result.moves == 32
    assert result.same_steps
    assert result.largest_shift_us < 25


def test_no_byte_is_lost_at_full_rate_and_full_line_and_few_beyond(
    simulator: AvrSimulator,
) -> None:
    received, lost = bench.lost_bytes(simulator, "hello")
    assert received > 4000
    assert lost == 0
    received, lost = bench.lost_bytes(simulator, "noise", 50_000)
    assert lost < received / 1000


@pytest.mark.parametrize(
    "seed", [4, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (0, 20))]
)
def test_no_byte_is_lost_where_ramps_end_at_once(simulator: AvrSimulator, seed: int) -> None:
    """Once that took the receiver longer than its two bytes last, one time in 40 000 bytes."""
    lost = {flood: bench.lost_bytes_in_pairs(simulator, flood, seed) for flood in bench.FLOODS}
    assert lost == dict.fromkeys(bench.FLOODS, 0)


def test_an_abort_ends_with_the_deceleration_at_a_detent(simulator: AvrSimulator) -> None:
    result = safety.abort_times(simulator, times=3)
    assert result.off_detent == 0
    assert result.longest_beyond_ms < 0.1


@pytest.mark.exhaustive
def test_ten_million_fuzzed_packets(build: Path) -> None:
    done = subprocess.run(
        [build / "host-test", "fuzz", "10000000", "7"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("no rule broken\n")
