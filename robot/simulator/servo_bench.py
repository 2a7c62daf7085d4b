"""How exact the firmware's servo pulses are, and what four lanes do at once, in the simulator."""

from dataclasses import dataclass
from itertools import pairwise

from robot.protocol.settings import Setting
from robot.simulator.avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script
from robot.simulator.motion_bench import FINE_STEPS, FLOODS, STEEP, complete, require

SERVOS = {"uno": 2, "nano": 2, "cnc-shield": 0, "mega": 6, "ramps": 2, "mks-gen-l": 2}
"""How many each board has."""
PULSES_US = (500, 1500, 777, 2500, 1023, 1024, 1025, 2047, 1280)
"""Among them some that begin or end with a round of an 8-bit timer."""
EACH_MS = 60.0
FRAME_MS = 20.0
WANTED = "servo_wanted_us"
"""The firmware's variable; the bench writes there what an action would."""
STEEPEST = 20_000_000


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
    """Let all servos take several positions.

    Args:
        simulator: Where it runs.
        board: Which board.
        flood: Key of FLOODS that saturates the line meanwhile; None leaves it quiet.
        rate_steps_s: At which two lanes step meanwhile; 0: none turns.
    """
    count = SERVOS[board]
    address = simulator.variable(board, WANTED)
    script = Script()
    script.set(Setting.HOST_TIMEOUT_MS, 0)
    script.set(Setting.GAP_US, 16)
    if rate_steps_s:
        script.motors(FINE_STEPS, rate_steps_s, STEEP, 0, 3)
        script.enable()
        turns = int(EACH_MS * len(PULSES_US) / (2 * FINE_STEPS / rate_steps_s * 1000)) + 2
        for _ in range(turns):
            script.move(0, 2, 3, -2)
    begin_ms = script.now_ms
    if flood is not None:
        size = len(FLOODS[flood]) // 2
        times = int(25 * EACH_MS * len(PULSES_US)) // size
        script.at(begin_ms, f"send {FLOODS[flood]} {times}")
    wanted: list[list[int]] = []
    for place in range(len(PULSES_US)):
        each = [PULSES_US[(place + servo) % len(PULSES_US)] for servo in range(count)]
        wanted.append(each)
        packed = b"".join(value.to_bytes(2, "little") for value in each).hex()
        script.at(begin_ms + place * EACH_MS, f"poke {packed} {address}")
    end_ms = begin_ms + len(PULSES_US) * EACH_MS
    trace = simulator.run(script, end_ms + 5, board)
    errors, frames = [], []
    for servo in range(count):
        found = trace.pulses(servo)
        frames += [after[0] - before[0] for before, after in pairwise(found)]
        for begin, length in found:
            change, into_ms = divmod(begin / CYCLES_PER_MS - begin_ms, EACH_MS)
            # What was set before may still be under way.
            if change < len(wanted) and into_ms > 2 * FRAME_MS:
                errors.append(abs(length / CYCLES_PER_US - wanted[int(change)][servo]))
    require(len(errors) >= count * len(PULSES_US) / 2, f"{len(errors)} pulses were seen")
    return ServoPulses(len(errors), max(errors), max(frames) / CYCLES_PER_MS, trace.lost_bytes)


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
