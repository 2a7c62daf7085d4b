"""How fast the firmware comes to a safe end, measured on its own binary in the simulator."""

import random
from dataclasses import dataclass

from benchmarks.firmware.motion import FINE_STEPS, FLOODS, STEEP, require
from robot.protocol.frames import ABORT_FRAME
from robot.protocol.messages import BAUD, Clear
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.motion import Trapezoid
from robot.simulator.avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script

BYTE_MS = 10_000 / BAUD
DEFAULT_RATE = SETTING_BY_KEY[Setting.RATE_STEPS_S].default
DEFAULT_ACCELERATION = SETTING_BY_KEY[Setting.ACCELERATION_STEPS_S2].default


def estop_latency_us(
    simulator: AvrSimulator, times: int = 10, seed: int = 1, board: str = "uno"
) -> float:
    """Press the emergency stop at random moments of fast turns.

    Returns:
        The longest time from the contact to the drivers' enable pin.
    """
    chance = random.Random(seed)
    script = Script()
    script.motors(FINE_STEPS, 40_000, STEEP, 0, 3)
    pressed = []
    for _ in range(times):
        script.send(Clear())
        script.enable()
        sent_ms = script.move(0, 2, 3, -2)
        at_ms = round(sent_ms + chance.uniform(1, 80), 4)
        script.at(sent_ms, f"send {FLOODS['noise']} 20")
        script.at(at_ms, "estop 1")
        script.at(at_ms + 8, "estop 0")
        pressed.append(at_ms * CYCLES_PER_MS)
        script.now_ms = sent_ms + 120
        script.number = 0  # a move that was stopped was never taken
    trace = simulator.run(script, script.now_ms, board)
    off = trace.of("enable", level=1)
    require(len(off) == times, f"the drivers went off {len(off)} times instead of {times}")
    late = [max(0.0, cycle - at) for cycle, at in zip(off, pressed, strict=True)]
    return max(late) / CYCLES_PER_US


@dataclass(frozen=True, slots=True)
class AbortTimes:
    """Aborts at random moments of half turns of two motors and quarter turns of one.

    Attributes:
        times: How many.
        longest_ms: From the abort frame to the last step.
        longest_beyond_ms: Of that, what exceeds the time in which the turn under way gets to its
            next detent.
        off_detent: Faces that stood beside a detent afterwards.
    """

    times: int
    longest_ms: float
    longest_beyond_ms: float
    off_detent: int


def abort_times(simulator: AvrSimulator, times: int = 12, seed: int = 2) -> AbortTimes:
    """Abort at random moments."""
    chance = random.Random(seed)
    longest, beyond, off_detent = 0.0, 0.0, 0
    for place in range(times):
        pair = place % 2 == 0
        script = Script()
        script.enable()
        sent_ms = script.move(0, 2, 3, -2) if pair else script.move(0, 1)
        script.move(1, 1)
        abort_ms = round(sent_ms + chance.uniform(3, 60 if pair else 38), 4)
        script.at(abort_ms, f"send {ABORT_FRAME.hex()}")
        trace = simulator.run(script, sent_ms + 130)
        off_detent += sum(trace.position(motor) % 400 != 0 for motor in range(6))
        require(not trace.steps(1), "a move began after the abort")
        steps = trace.steps(0)
        last_ms = max(cycle for motor in (0, 3) for cycle in trace.steps(motor)) / CYCLES_PER_MS
        frame_ms = abort_ms + len(ABORT_FRAME) * BYTE_MS
        to_detent = Trapezoid(len(steps), DEFAULT_RATE, DEFAULT_ACCELERATION).duration_s * 1000
        detent_ms = steps[0] / CYCLES_PER_MS + to_detent
        longest = max(longest, last_ms - frame_ms)
        beyond = max(beyond, last_ms - detent_ms)
    return AbortTimes(times, longest, beyond, off_detent)


@dataclass(frozen=True, slots=True)
class Watchdog:
    """How the board takes a loop that hangs in the middle of a turn.

    Attributes:
        loop: "main" or "steps".
        reset_ms: From the hang to the reset.
        drivers_off: Whether the motors had no current afterwards.
    """

    loop: str
    reset_ms: float
    drivers_off: bool


def watchdog(simulator: AvrSimulator, loop: str) -> Watchdog:
    """Let the main loop, or the step interrupts, hang in the middle of a turn."""
    script = Script()
    script.enable()
    hang_ms = script.move(0, 2) + 20
    script.at(hang_ms, f"hang {loop}")
    trace = simulator.run(script, hang_ms + 300)
    resets = trace.of("reset")
    require(bool(resets), f"the {loop} loop hung and nothing happened")
    levels = [edge.level for edge in trace.edges if edge.kind == "enable"]
    return Watchdog(loop, resets[0] / CYCLES_PER_MS - hang_ms, levels[-1] == 1)
