"""Steps in simulated time, where every number is exact, and resets."""

import subprocess
from pathlib import Path

import pytest
from avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script

from robot.protocol import messages
from robot.protocol.frames import ABORT_FRAME, encode_frame
from robot.protocol.messages import Fault, Flag, Hello, HelloReply, State, Status
from robot.protocol.schema import Message
from robot.protocol.settings import Setting

pytestmark = pytest.mark.avr

ASK = f"send {encode_frame(messages.StatusRequest()).hex()}"


@pytest.mark.parametrize(
    "turn",
    [
        (400, 17_391, 1_023_018, 1),
        (400, 17_391, 1_023_018, -2),
        (1600, 40_000, 4_000_000, 2),
        (400, 50_000, 1_000_000, 1),
        (13, 700, 30_000, -1),
        (40, 50, 1_000, 1),
        (255, 9_000, 200_000, 2),
    ],
)
def test_assembler_steps_as_the_core_does(
    firmware_build: Path, simulator: AvrSimulator, script: Script, turn: tuple[int, int, int, int]
) -> None:
    """Of a turn: its steps per quarter, its rate and acceleration, and its quarters."""
    per_quarter, rate, acceleration, quarters = turn
    command = [firmware_build / "host-test", "trace", *map(str, turn)]
    expected = subprocess.run(command, capture_output=True, text=True, check=True)
    intervals = [int(line) for line in expected.stdout.split()]
    assert len(intervals) == per_quarter * abs(quarters) - 1
    script.set(Setting.HOST_TIMEOUT_MS, 0)
    script.motors(per_quarter, rate, acceleration, 0)
    script.enable()
    script.move(0, quarters)
    trace = simulator.run(script, script.now_ms + sum(intervals) / CYCLES_PER_MS + 30)
    wrong = [made - wanted for made, wanted in zip(trace.intervals(0), intervals, strict=True)]
    # An interrupt waits for the instruction under way. Two stages begin in C++, up to a step late.
    assert sum(abs(cycles) > 6 for cycles in wrong) <= 4
    assert abs(sum(wrong)) <= 60


@pytest.mark.parametrize(("late_ms", "steps"), [(9.0, 400), (40.0, 800)])
def test_abort_stops_soon_and_at_a_detent(
    simulator: AvrSimulator, script: Script, late_ms: float, steps: int
) -> None:
    """9 ms into a half turn it can still end at its middle; 40 ms into it, only at its end."""
    script.enable()
    sent_ms = script.move(0, 2, 3, -2)
    script.move(1, 1)
    script.at(sent_ms + late_ms, f"send {ABORT_FRAME.hex()}")
    script.at(sent_ms + 100, ASK)
    trace = simulator.run(script, sent_ms + 150)
    assert (trace.position(0), trace.position(3), trace.position(1)) == (steps, -steps, 0)
    (status,) = trace.messages(Status)
    assert (status.fault, status.executed) == (Fault.HOST_ABORT, 0 if steps == 400 else 1)
    assert bool(status.flags & Flag.CUT_SHORT) == (steps == 400)
    last = max(trace.steps(0)[-1], trace.steps(3)[-1])
    moved_ms = (last - trace.steps(0)[0]) / CYCLES_PER_MS
    assert moved_ms < (40.1 if steps == 400 else 63.1)


@pytest.mark.parametrize("loop", ["main", "steps"])
def test_watchdog_bites_when_a_loop_hangs(
    simulator: AvrSimulator, script: Script, loop: str
) -> None:
    script.enable()
    hang_ms = script.move(0, 2) + 20
    script.at(hang_ms, f"hang {loop}")
    script.at(hang_ms + 380, f"send {encode_frame(Hello(1, 9)).hex()}")
    trace = simulator.run(script, hang_ms + 430)
    assert trace.of("reset")[0] / CYCLES_PER_MS - hang_ms < 200
    assert [edge.level for edge in trace.edges if edge.kind == "enable"][-1] == 1
    if loop == "steps":  # the program is whole, so the board comes back
        assert trace.messages(HelloReply)[-1].reset_cause is messages.ResetCause.WATCHDOG


def test_pulses_are_long_enough_for_every_driver(simulator: AvrSimulator, script: Script) -> None:
    script.motors(1600, 50_000, 4_000_000, 0, 3)
    script.set(Setting.GAP_US, 16)
    script.enable()
    script.move(0, 1, 3, -1)
    script.move(0, -1, 3, 1)
    trace = simulator.run(script, script.now_ms + 150)
    for channel in (0, 3):
        rises, falls = trace.steps(channel), trace.of("step", channel, 0)
        assert len(rises) == len(falls) == 3200
        high = [down - up for up, down in zip(rises, falls, strict=True)]
        low = [up - down for down, up in zip(falls, rises[1:], strict=False)]
        assert min(high) >= 1.9 * CYCLES_PER_US  # DRV8825
        assert min(low) >= 1.9 * CYCLES_PER_US
        for change in trace.of("dir", channel):
            assert min(abs(step - change) for step in rises) >= 1 * CYCLES_PER_US


def ask(script: Script, message: Message) -> None:
    """Send what no sequence number belongs to."""
    script.at(script.now_ms, f"send {encode_frame(message).hex()}")
    script.now_ms += 2


def test_a_reset_is_told_and_settings_survive_it(simulator: AvrSimulator, script: Script) -> None:
    script.motors(800, 20_000, 2_000_000, 2)
    ask(script, Hello(1, 3))
    script.enable()
    script.at(1700, "reset")
    script.now_ms, script.seq = 1800, 0
    ask(script, Hello(1, 4))
    script.enable()
    script.move(2, 1)
    trace = simulator.run(script, 1950)
    before, after = trace.messages(HelloReply)
    assert after.boot_id != before.boot_id
    assert (before.state, after.state) == (State.DISABLED, State.DISABLED)
    (reset,) = trace.of("reset")
    assert trace.of("enable", level=0)[-1] > trace.of("enable", level=1)[-1] >= reset
    assert trace.position(2) == 800
