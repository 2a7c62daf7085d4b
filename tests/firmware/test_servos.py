"""Servo pulses: what the simulator sees at the pins."""

import pytest

from robot.protocol.messages import Action, ActionKind
from robot.simulator.avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script
from robot.simulator.servo_bench import SERVOS, servo_pulses

pytestmark = pytest.mark.avr


def position(servo: int, pulse_us: int) -> tuple[Action, ...]:
    return (Action(ActionKind.POSITION, servo, pulse_us),)


def test_pulses_are_exact_on_a_quiet_board(simulator: AvrSimulator) -> None:
    for board in [board for board, count in SERVOS.items() if count]:
        result = servo_pulses(simulator, board)
        assert result.pulses >= 26 * SERVOS[board], board
        assert result.largest_error_us <= 0.5, board
        assert result.longest_frame_ms == pytest.approx(20.0, abs=0.1), board


def check_busy(simulator: AvrSimulator, board: str, flood: str) -> None:
    result = servo_pulses(simulator, board, flood, 40_000)
    assert result.pulses >= 45 * SERVOS[board]
    assert result.largest_error_us <= 2
    assert result.longest_frame_ms < 21
    assert result.lost_bytes == 0


def test_lanes_at_full_rate_and_a_full_line_do_not_move_a_pulse(simulator: AvrSimulator) -> None:
    check_busy(simulator, "uno", "hello")


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
