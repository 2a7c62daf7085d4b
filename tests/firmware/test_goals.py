"""The firmware's goals and servo pulses."""

import firmware_motion as bench
import firmware_safety as safety
import pytest
from avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script
from firmware_safety import SERVOS, servo_pulses

from prepared import build_board
from robot.protocol.messages import Action, ActionKind

pytestmark = pytest.mark.avr


def test_lanes_jitter_by_few_cycles(simulator: AvrSimulator) -> None:
    assert 0 <= bench.jitter_alone(simulator, board="uno") <= 4
    assert bench.jitter_alone(simulator, board="mega") <= 5
    assert bench.jitter_of_two(simulator) <= 240  # their steps collide all the time
    # A byte takes up to 63 cycles, and the millisecond may come at the same moment.
    assert bench.jitter_alone(simulator, "hello", later_ms=0.434) <= 100


@pytest.mark.parametrize(("rate", "share"), [(40_000, 0.999), (50_000, 0.99)])
def test_both_lanes_reach_their_rate(simulator: AvrSimulator, rate: int, share: float) -> None:
    assert bench.step_rate(simulator, rate).reached_steps_s >= share * rate


def test_a_quarter_turn_takes_40_ms(simulator: AvrSimulator) -> None:
    for motors, board in ((1, "uno"), (2, "uno"), (2, "mega")):
        taken_ms = bench.quarter_turn_ms(simulator, motors, board)
        assert taken_ms == pytest.approx(40.0, rel=0.001), (motors, board)


@pytest.mark.parametrize("gap_us", [16, 48, 54, 60, 65, 70, 1000])
def test_gaps_are_as_configured(simulator: AvrSimulator, gap_us: int) -> None:
    """To the microsecond, from 38 on: making the next turn ready takes that long.

    Of turns of two, the second is made ready while the first begins, if the gap is below 66 µs.
    """
    gaps = bench.gaps_us(simulator, gap_us)
    assert len(gaps) == 4
    limit = 3.2 if 38 < gap_us < 62 else 1.5
    assert all(abs(gap - max(gap_us, 38)) < limit for gap in gaps), gaps


def test_a_solve_sent_ahead_needs_no_host(simulator: AvrSimulator) -> None:
    result = bench.frozen_host(simulator, moves=12)
    assert result.moves == 12
    assert result.same_steps
    assert result.largest_shift_us < 25


def test_no_byte_is_lost_at_full_rate_and_full_line(simulator: AvrSimulator) -> None:
    for flood in bench.FLOODS:
        received, lost = bench.lost_bytes(simulator, flood)
        assert received > 4000, flood
        assert lost == 0, flood
    received, lost = bench.lost_bytes(simulator, "noise", 50_000)  # beyond full rate
    assert lost < received / 1000


@pytest.mark.parametrize("flood", bench.FLOODS)
def test_no_byte_is_lost_where_ramps_end_at_once(simulator: AvrSimulator, flood: str) -> None:
    """Once that took the receiver longer than its two bytes last, one time in 40 000 bytes."""
    for seed in (0, 4, 20):
        assert bench.lost_bytes_in_pairs(simulator, flood, seed) == 0, seed


def test_an_abort_ends_with_the_deceleration_at_a_detent(simulator: AvrSimulator) -> None:
    result = safety.abort_times(simulator, times=6)
    assert result.off_detent == 0
    assert result.longest_beyond_ms < 0.1


def position(servo: int, pulse_us: int) -> tuple[Action, ...]:
    return (Action(ActionKind.POSITION, servo, pulse_us),)


def test_pulses_are_exact_on_a_quiet_board(simulator: AvrSimulator) -> None:
    for board in [board for board, count in SERVOS.items() if count]:
        build_board(board)
        result = servo_pulses(simulator, board)
        assert result.pulses >= 26 * SERVOS[board], board
        assert result.largest_error_us <= 0.5, board
        assert result.longest_frame_ms == pytest.approx(20.0, abs=0.1), board


def test_lanes_at_full_rate_and_a_full_line_do_not_move_a_pulse(simulator: AvrSimulator) -> None:
    result = servo_pulses(simulator, "uno", "hello", 40_000)
    assert result.pulses >= 45 * SERVOS["uno"]
    assert result.largest_error_us <= 2
    assert result.longest_frame_ms < 21
    assert result.lost_bytes == 0


@pytest.mark.parametrize("board", ["uno", "mega"])
def test_pulses_come_when_asked_for_and_end_when_let_go_or_reset(
    simulator: AvrSimulator, board: str
) -> None:
    script = Script()
    script.enable()
    script.now_ms = 103.3
    script.step(position(0, 1500))
    script.now_ms = 203.3
    script.step(position(0, 0))
    script.now_ms = 253.3
    script.step(position(1, 1500))
    script.at(320, "reset")
    trace = simulator.run(script, 400, board)
    pulses = trace.pulses(0)
    assert 4 <= len(pulses) <= 6
    assert pulses[0][0] > 103 * CYCLES_PER_MS
    assert pulses[-1][0] < 225 * CYCLES_PER_MS
    assert all(abs(length - 1500 * CYCLES_PER_US) <= 16 for _, length in pulses)
    assert trace.pulses(1)
    assert min(trace.of("servo", 1)) > 253 * CYCLES_PER_MS
    assert max(trace.of("servo", 1)) <= 321 * CYCLES_PER_MS
