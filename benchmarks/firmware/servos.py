"""How exact the firmware's servo pulses are, and what four lanes do at once, in the simulator."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from benchmarks.firmware.motion import FINE_STEPS, FLOODS, STEEP, complete, require
from robot.protocol.messages import MAX_ACTIONS, SERVO_FRAME_MS, Action, ActionKind, Begin
from robot.protocol.settings import Setting
from robot.simulator.avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script

T = TypeVar("T")
SERVOS = {"uno": 2, "nano": 2, "cnc-shield": 0, "mega": 6, "ramps": 2, "mks-gen-l": 2}
"""How many each board has."""
PULSES_US = (500, 1500, 777, 2500, 1023, 1024, 1025, 2047, 1280)
"""Among them some that begin or end with a round of an 8-bit timer."""
STEEPEST = 20_000_000
_MOTORS = (0, 3)
"""Their pins are no servo's on any board."""
_AHEAD = 5
"""Changes of all servos for which the board's queue has room."""
_EACH_MS, _TAKEN_MS = 60, 2 * SERVO_FRAME_MS
"""Between two changes, and how soon the pulse is the new one on a quiet board."""
_BUSY_EACH_MS, _BUSY_TAKEN_MS = 120, 90
"""The same where lanes and line leave the main loop a tenth of the time."""
_RAMP_MS = 11


@dataclass(frozen=True, slots=True)
class ServoPulses:
    """The pulses of all servos of a board.

    Attributes:
        pulses: How many were measured.
        largest_error_us: By how much one was longer or shorter than it should be.
        longest_frame_ms: From a pulse to the next.
        lost_bytes: What the receiver lost meanwhile.
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
        simulator: Where it runs.
        board: Which board.
        flood: Key of FLOODS that saturates the line meanwhile; None leaves it quiet.
        rate_steps_s: At which two lanes step meanwhile; 0: none turns.
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
    """Compare each pulse with the wanted one, or soon after a change with the one before it."""
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
    """Send every servo somewhere, and two motors by some steps with them."""
    moves = [Action(ActionKind.MOVE_BY, motor, way) for motor in _MOTORS if way]
    positions = [Action(ActionKind.POSITION, *each) for each in enumerate(pulses_us)]
    for place, actions in enumerate(_parts(moves + positions, MAX_ACTIONS)):
        script.step(tuple(actions), Begin.TIME if place else Begin.AFTER_END)


def _parts(values: list[T], size: int) -> list[list[T]]:
    return [values[at : at + size] for at in range(0, len(values), size)]


@dataclass(frozen=True, slots=True)
class FourLanes:
    """Four lanes of a Mega at once.

    Attributes:
        together_ms: For how long all four were at their rate.
        slowest_steps_s: The slowest lane's rate meanwhile.
        longest_interval_us: Between two steps of a lane meanwhile.
    """

    together_ms: float
    slowest_steps_s: float
    longest_interval_us: float


def four_lanes(
    simulator: AvrSimulator, rate_steps_s: int, flood: str | None = None, board: str = "mega"
) -> FourLanes:
    """Let turns of two motors overlap turns of two, all at one rate.

    The ramps are so short that the lanes have their rate when the next turn begins.
    """
    script = Script()
    script.motors(FINE_STEPS, rate_steps_s, STEEPEST, 0, 1, 3, 4)
    script.enable()
    script.move(0, 2, 3, -2)
    script.move(1, 2, 4, -2, overlap=255)
    if flood is not None:
        script.at(script.now_ms + 5, f"send {FLOODS[flood]} {4000 // (len(FLOODS[flood]) // 2)}")
    until_ms = script.now_ms + 4 * FINE_STEPS / rate_steps_s * 1000 + 40
    trace = simulator.run(script, until_ms, board)
    steps = {motor: complete(trace, motor, 2 * FINE_STEPS) for motor in (0, 1, 3, 4)}
    ramp = rate_steps_s**2 // (2 * STEEPEST) + 2
    begin = max(steps[motor][ramp] for motor in (1, 4))
    end = min(steps[motor][-ramp] for motor in (0, 3))
    slowest, longest = float("inf"), 0
    for each in steps.values():
        during = [cycle for cycle in each if begin <= cycle <= end]
        require(len(during) > 100, "four lanes were not at work together")
        slowest = min(slowest, (len(during) - 1) / (during[-1] - during[0]) * 1000 * CYCLES_PER_MS)
        longest = max(longest, *(after - before for before, after in pairwise(during)))
    return FourLanes((end - begin) / CYCLES_PER_MS, slowest, longest / CYCLES_PER_US)
