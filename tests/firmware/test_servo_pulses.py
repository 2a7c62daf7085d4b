"""The pulses of the firmware's servos: exact, also with lanes at full rate and a full line."""

from itertools import pairwise

import pytest
from avr_simulator import (
    CYCLES_PER_MS,
    CYCLES_PER_US,
    FINE_STEPS,
    FLOODS,
    STEEP,
    AvrSimulator,
    Script,
    Trace,
)

from prepared import build_board
from robot.protocol.messages import MAX_ACTIONS, SERVO_FRAME_MS, Action, ActionKind
from robot.protocol.settings import Setting

pytestmark = pytest.mark.avr

SERVOS = {"uno": 2, "nano": 2, "mega": 6, "ramps": 2, "mks-gen-l": 2}
"""Number of servos of each board that has any."""
PULSES_US = (500, 1500, 777, 2500, 1023, 1024, 1025, 2047, 1280)
"""Including some that begin or end with a round of an 8-bit timer."""
MOTORS = (0, 3)
"""Their pins are not a servo's on any board."""


def position(servo: int, pulse_us: int) -> tuple[Action, ...]:
    return (Action(ActionKind.POSITION, servo, pulse_us),)


def wanted_us(servo: int) -> list[int]:
    """The pulses of a servo, one after the other."""
    return [PULSES_US[(place + servo) % len(PULSES_US)] for place in range(len(PULSES_US))]


def errors_us(
    trace: Trace, servo: int, begun: list[int], each_ms: float, taken_ms: float
) -> list[float]:
    """Compare each pulse with its target, or just after a change with the previous target.

    Args:
        trace: What happened.
        servo: The servo.
        begun: The cycle of each change.
        each_ms: The time until the next change.
        taken_ms: The time until the pulse is the new one.
    """
    errors, before_us = [], None
    for change, pulse_us in zip(begun, wanted_us(servo), strict=True):
        during = [
            (start - change, length / CYCLES_PER_US)
            for start, length in trace.pulses(servo)
            if change < start <= change + each_ms * CYCLES_PER_MS
        ]
        assert during[-1][0] > taken_ms * CYCLES_PER_MS
        for since, length_us in during:
            error_us = abs(length_us - pulse_us)
            if since <= taken_ms * CYCLES_PER_MS and before_us is not None:
                error_us = min(error_us, abs(length_us - before_us))
            errors.append(error_us)
        before_us = pulse_us
    return errors


def frames_ms(trace: Trace, servo: int) -> list[float]:
    """Return the times from pulse to pulse."""
    starts = [start for start, _ in trace.pulses(servo)]
    return [(after - before) / CYCLES_PER_MS for before, after in pairwise(starts)]


@pytest.mark.parametrize("board", SERVOS)
def test_pulses_are_exact_on_a_quiet_board(
    simulator: AvrSimulator, script: Script, board: str
) -> None:
    build_board(board)
    servos, begun = range(SERVOS[board]), list[int]()
    script.set(Setting.HOST_TIMEOUT_MS, 0)
    script.set(Setting.GAP_US, 16)
    script.enable()
    for pulses_us in zip(*map(wanted_us, servos), strict=True):
        begin_ms = script.now_ms
        begun.append(int(begin_ms * CYCLES_PER_MS))
        for first in range(0, len(pulses_us), MAX_ACTIONS):
            some = enumerate(pulses_us[first : first + MAX_ACTIONS], start=first)
            script.step(tuple(Action(ActionKind.POSITION, *each) for each in some))
        script.now_ms = begin_ms + 60
    trace = simulator.run(script, script.now_ms + 5, board)
    for servo in servos:
        errors = errors_us(trace, servo, begun, 60, 2 * SERVO_FRAME_MS)
        assert len(errors) >= 26
        assert max(errors) <= 0.5
        assert max(frames_ms(trace, servo)) == pytest.approx(20.0, abs=0.1)


def test_lanes_at_full_rate_and_a_full_line_do_not_move_a_pulse(
    simulator: AvrSimulator, script: Script
) -> None:
    """Lanes and line leave a tenth of the time to the main loop; its queue has room for five."""
    each_ms, ramp_ms, ahead = 120, 11, 5
    servos, steps = range(SERVOS["uno"]), each_ms * 40
    script.set(Setting.HOST_TIMEOUT_MS, 0)
    script.set(Setting.GAP_US, 16)
    script.motors(FINE_STEPS, 40_000, STEEP, *MOTORS)
    script.enable()
    changes = list(enumerate(zip(*map(wanted_us, servos), strict=True)))
    for some in (changes[:ahead], changes[ahead:]):
        end_ms = script.now_ms + len(some) * (each_ms + ramp_ms)
        for place, pulses_us in some:
            way = steps if place % 2 else -steps
            moves = [Action(ActionKind.MOVE_BY, motor, way) for motor in MOTORS]
            positions = [Action(ActionKind.POSITION, *each) for each in enumerate(pulses_us)]
            script.step((*positions, *moves))
        times = int((end_ms - script.now_ms) * 25) // (len(FLOODS["hello"]) // 2)
        script.at(script.now_ms, f"send {FLOODS['hello']} {times}")
        script.now_ms = end_ms + 2 * SERVO_FRAME_MS
    trace = simulator.run(script, script.now_ms + 5)
    begun, _ = (trace.complete(motor, steps * len(changes))[::steps] for motor in MOTORS)
    for servo in servos:
        errors = errors_us(trace, servo, begun, each_ms, 90)
        assert len(errors) >= 45
        assert max(errors) <= 2
        assert max(frames_ms(trace, servo)) < 21
    assert trace.lost_bytes == 0


@pytest.mark.parametrize("board", ["uno", "mega"])
def test_pulses_come_when_asked_for_and_end_when_let_go_or_reset(
    simulator: AvrSimulator, script: Script, board: str
) -> None:
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
