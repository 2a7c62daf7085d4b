"""The time until the firmware stops safely, measured on its own binary in the simulator.

It also measures the firmware's servo pulses.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script
from firmware_motion import FINE_STEPS, FLOODS, STEEP, complete, require

from robot.protocol.frames import ABORT_FRAME
from robot.protocol.messages import (
    BAUD,
    MAX_ACTIONS,
    SERVO_FRAME_MS,
    Action,
    ActionKind,
    Clear,
)
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.motor import Trapezoid

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
        script.number = 0  # a move that was stopped does not count as accepted
    trace = simulator.run(script, script.now_ms, board)
    off = trace.of("enable", level=1)
    require(len(off) == times, f"the drivers went off {len(off)} times instead of {times}")
    late = [max(0.0, cycle - at) for cycle, at in zip(off, pressed, strict=True)]
    return max(late) / CYCLES_PER_US


@dataclass(frozen=True, slots=True)
class AbortTimes:
    """Aborts at random moments of half turns of two motors and quarter turns of one.

    Attributes:
        times: Number of aborts.
        longest_ms: Time from the abort frame to the last step.
        longest_beyond_ms: Of that, the excess over the time in which the running turn reaches its
            next detent.
        off_detent: Number of faces that were not at a detent afterwards.
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
    """The board's reaction to a loop that hangs in the middle of a turn.

    Attributes:
        loop: "main" or "steps".
        reset_ms: Time from the hang to the reset.
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


T = TypeVar("T")
SERVOS = {"uno": 2, "nano": 2, "cnc-shield": 0, "mega": 6, "ramps": 2, "mks-gen-l": 2}
"""Number of servos of each board."""
PULSES_US = (500, 1500, 777, 2500, 1023, 1024, 1025, 2047, 1280)
"""Including some that begin or end with a round of an 8-bit timer."""
_MOTORS = (0, 3)
"""Their pins are not a servo's on any board."""
_AHEAD = 5
"""Changes of all servos for which the board's queue has room."""
_EACH_MS, _TAKEN_MS = 60, 2 * SERVO_FRAME_MS
"""Interval of two changes, and the time until the pulse is the new one on a quiet board."""
_BUSY_EACH_MS, _BUSY_TAKEN_MS = 120, 90
"""The same if lanes and line leave a tenth of the time to the main loop."""
_RAMP_MS = 11


@dataclass(frozen=True, slots=True)
class ServoPulses:
    """The pulses of all servos of a board.

    Attributes:
        pulses: Number of measured pulses.
        largest_error_us: Largest deviation of a length.
        longest_frame_ms: Time from a pulse to the next.
        lost_bytes: Bytes that the receiver lost during it.
    """

    pulses: int
    largest_error_us: float
    longest_frame_ms: float
    lost_bytes: int


def servo_pulses(
    simulator: AvrSimulator, board: str = "uno", flood: str | None = None, rate_steps_s: int = 0
) -> ServoPulses:
    """Send all servos to several positions.

    Args:
        simulator: The simulator.
        board: The board.
        flood: Key of FLOODS that saturates the line; None leaves it quiet.
        rate_steps_s: Step rate of two lanes; 0: none turns.
    """
    count = SERVOS[board]
    wanted = [
        [PULSES_US[(place + servo) % len(PULSES_US)] for servo in range(count)]
        for place in range(len(PULSES_US))
    ]
    script = Script()
    script.set(Setting.HOST_TIMEOUT_MS, 0)
    script.set(Setting.GAP_US, 16)
    if rate_steps_s:
        script.motors(FINE_STEPS, rate_steps_s, STEEP, *_MOTORS)
    script.enable()
    each_ms, taken_ms = (_BUSY_EACH_MS, _BUSY_TAKEN_MS) if rate_steps_s else (_EACH_MS, _TAKEN_MS)
    steps = each_ms * rate_steps_s // 1000
    begun = []
    for ahead in _parts(list(enumerate(wanted)), _AHEAD if steps else 1):
        begin_ms = script.now_ms
        begun.append(int(begin_ms * CYCLES_PER_MS))
        end_ms = begin_ms + len(ahead) * (each_ms + (_RAMP_MS if steps else 0))
        for place, pulses_us in ahead:
            _change(script, pulses_us, steps if place % 2 else -steps)
        if flood is not None:
            times = int((end_ms - script.now_ms) * 25) // (len(FLOODS[flood]) // 2)
            script.at(script.now_ms, f"send {FLOODS[flood]} {times}")
        script.now_ms = end_ms + (2 * SERVO_FRAME_MS if steps else 0)
    trace = simulator.run(script, script.now_ms + 5, board)
    if steps:
        begun = complete(trace, _MOTORS[0], steps * len(wanted))[::steps]
        complete(trace, _MOTORS[1], steps * len(wanted))
    errors, frames = [], []
    for servo in range(count):
        found = trace.pulses(servo)
        frames += [after[0] - before[0] for before, after in pairwise(found)]
        errors += _errors_us(found, begun, [each[servo] for each in wanted], (each_ms, taken_ms))
    return ServoPulses(len(errors), max(errors), max(frames) / CYCLES_PER_MS, trace.lost_bytes)


def _errors_us(
    pulses: Sequence[tuple[int, int]],
    begun: Sequence[int],
    wanted_us: Sequence[int],
    each_and_taken_ms: tuple[int, int],
) -> list[float]:
    """Compare each pulse with its target, or just after a change with the previous target."""
    each, taken = (ms * CYCLES_PER_MS for ms in each_and_taken_ms)
    errors = []
    for place, (change, pulse_us) in enumerate(zip(begun, wanted_us, strict=True)):
        during = [pulse for pulse in pulses if change < pulse[0] <= change + each]
        settled = [pulse for pulse in during if pulse[0] > change + taken]
        require(bool(settled), f"no pulse of {pulse_us} us was seen")
        for pulse in during:
            near = [pulse_us] if pulse in settled else wanted_us[max(0, place - 1) : place + 1]
            errors.append(min(abs(pulse[1] / CYCLES_PER_US - each_us) for each_us in near))
    return errors


def _change(script: Script, pulses_us: Sequence[int], way: int) -> None:
    """Send every servo to a position, and then two motors by some steps."""
    moves = [Action(ActionKind.MOVE_BY, motor, way) for motor in _MOTORS if way]
    positions = [Action(ActionKind.POSITION, *each) for each in enumerate(pulses_us)]
    for actions in _parts(positions + moves, MAX_ACTIONS):
        script.step(tuple(actions))


def _parts(values: list[T], size: int) -> list[list[T]]:
    return [values[at : at + size] for at in range(0, len(values), size)]
