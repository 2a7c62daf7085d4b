"""The firmware's claims, measured on its own binary in the simulator, exact to the cycle.

Each function runs one experiment and returns its results.
"""

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script, SimulatorError, Trace

from benchmarks.faults.pin_edges import CYCLES_PER_S
from cube.moves import ALL_MOVES, MoveSequence
from robot.protocol.frames import STATUS_REQUEST_FRAME, encode_frame
from robot.protocol.messages import Hello
from robot.protocol.settings import Setting
from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.rig_file import NO_CORNERS, Corners
from robot.rigs.program import RigProgram

FRACTIONS = 256
"""The firmware carries 1/256 of a cycle from step to step."""
FLOODS = {
    "noise": "5a" * 100,
    "status": STATUS_REQUEST_FRAME.hex() * 20,
    "hello": encode_frame(Hello(1, 7)).hex() * 10,
}
FINE_STEPS = 1600
STEEP = 4_000_000


@dataclass(frozen=True, slots=True)
class StepRate:
    """The maximum step rate of two lanes at once.

    Attributes:
        wanted_steps_s: The configured rate of both.
        reached_steps_s: The slower lane's rate.
        longest_interval_us: Between two steps at that rate.
    """

    wanted_steps_s: int
    reached_steps_s: float
    longest_interval_us: float


def grid_jitter(steps: Sequence[int]) -> int:
    """Return the deviation of steps from an even grid, from the earliest to the latest, in cycles.

    The grid is the firmware's target: its interval is a multiple of 1/256 cycle, and each step is
    at a whole cycle.
    """
    count = len(steps) - 1
    best = steps[-1] - steps[0]
    middle = round((steps[-1] - steps[0]) * FRACTIONS / count)
    for interval in (middle - 1, middle, middle + 1):
        for phase in range(0, FRACTIONS, 16):
            late = [
                step - steps[0] - (phase + place * interval) // FRACTIONS
                for place, step in enumerate(steps)
            ]
            best = min(best, max(late) - min(late))
    return best


def jitter_alone(
    simulator: AvrSimulator, flood: str | None = None, board: str = "uno", later_ms: float = 0.0
) -> int:
    """Return the jitter of one lane at 16 000 steps/s, in cycles, peak to peak.

    Args:
        simulator: The simulator.
        flood: Key of FLOODS that saturates the line during the turn; None leaves it quiet.
        board: The board.
        later_ms: Shifts the turn relative to the board's millisecond.
    """
    script = Script()
    script.set(Setting.HOST_TIMEOUT_MS, 0)
    script.motors(FINE_STEPS, 16_000, STEEP, 0)
    script.enable()
    script.now_ms += later_ms
    sent_ms = script.move(0, 2)
    if flood is not None:
        size = len(FLOODS[flood]) // 2
        script.at(sent_ms + 5, f"send {FLOODS[flood]} {6000 // size}")
    trace = simulator.run(script, sent_ms + 215, board)
    return grid_jitter(complete(trace, 0, 2 * FINE_STEPS)[200:-200])


def jitter_of_two(simulator: AvrSimulator) -> int:
    """Return the jitter of two lanes whose steps collide all the time, in cycles, peak to peak."""
    script = Script()
    script.set(Setting.HOST_TIMEOUT_MS, 0)
    script.motors(FINE_STEPS, 16_000, STEEP, 0)
    script.motors(FINE_STEPS, 15_900, STEEP, 3)
    script.enable()
    sent_ms = script.move(0, 2, 3, 2)
    trace = simulator.run(script, sent_ms + 215)
    return max(grid_jitter(complete(trace, motor, 2 * FINE_STEPS)[200:-200]) for motor in (0, 3))


def step_rate(simulator: AvrSimulator, rate_steps_s: int) -> StepRate:
    """Run two lanes at a rate at once, each through 3200 steps."""
    script = Script()
    script.motors(FINE_STEPS, rate_steps_s, STEEP, 0, 3)
    script.enable()
    sent_ms = script.move(0, 2, 3, -2)
    trace = simulator.run(script, sent_ms + 140)
    reached, longest = float("inf"), 0
    for motor in (0, 3):
        steps = complete(trace, motor, 2 * FINE_STEPS)[1200:2001]
        reached = min(reached, 800 * CYCLES_PER_S / (steps[-1] - steps[0]))
        longest = max(longest, *(b - a for a, b in itertools.pairwise(steps)))
    return StepRate(rate_steps_s, reached, longest / CYCLES_PER_US)


def quarter_turn_ms(simulator: AvrSimulator, motors: int, board: str = "uno") -> float:
    """Return the time from the first to the last of 400 steps at a = 1e6: ideally 40 ms."""
    script = Script()
    script.motors(400, 50_000, 1_000_000, 0, 3)
    script.enable()
    sent_ms = script.move(0, 1, 3, -1) if motors == 2 else script.move(0, 1)
    trace = simulator.run(script, sent_ms + 60, board)
    steps = [complete(trace, motor, 400) for motor in (0, 3)[:motors]]
    return max(each[-1] - each[0] for each in steps) / CYCLES_PER_MS


def gaps_us(simulator: AvrSimulator, gap_us: int) -> list[float]:
    """Return the gaps between five queued moves, singles and pairs, with a gap configured."""
    script = Script()
    script.set(Setting.GAP_US, gap_us)
    script.enable()
    for turn in ((0, 1), (1, -1), (0, 1, 3, 1), (1, 1, 4, -1), (2, 1)):
        script.move(*turn)
    trace = simulator.run(script, script.now_ms + 5 * (45 + gap_us / 1000))
    steps = sorted(cycle for motor in range(6) for cycle in trace.steps(motor))
    require(len(steps) == 400 * 7, f"{len(steps)} steps instead of 2800")
    starts = itertools.accumulate([400, 400, 800, 800])
    return [(steps[start] - steps[start - 1]) / CYCLES_PER_US for start in starts]


@dataclass(frozen=True, slots=True)
class FrozenHost:
    """A solve with its host frozen, compared with the same solve and a host that floods the line.

    Attributes:
        moves: Moves of the solve.
        same_steps: Whether motors, directions and numbers of steps are equal in the same order.
        largest_shift_us: Largest change of a step's time.
    """

    moves: int
    same_steps: bool
    largest_shift_us: float


def frozen_host(simulator: AvrSimulator, moves: int = 32, seed: int = 5) -> FrozenHost:
    """Send a solve ahead and fall silent; then repeat it with a saturated line."""
    chance = random.Random(seed)
    script = Script()
    script.enable()
    for _ in range(moves):
        script.move(chance.randrange(6), chance.choice([-2, -1, 1, 2]))
    until_ms = script.now_ms + moves * 65
    frozen = simulator.run(script, until_ms)
    script.at(script.now_ms + 5, f"send {FLOODS['status']} 300")
    flooded = simulator.run(script, until_ms)
    marks = [
        [(edge.channel, edge.kind, edge.level) for edge in trace.edges]
        for trace in (frozen, flooded)
    ]
    shifts = [
        abs(one.cycle - other.cycle)
        for one, other in zip(frozen.edges, flooded.edges, strict=False)
    ]
    return FrozenHost(moves, marks[0] == marks[1], max(shifts) / CYCLES_PER_US)


@dataclass(frozen=True, slots=True)
class SolveTime:
    """The measured and the modelled time of a solve with its host frozen.

    Attributes:
        program: The program; its time is the modelled one.
        measured_s: Time from the first step to the last.
    """

    program: RigProgram
    measured_s: float

    @property
    def difference_s(self) -> float:
        """Return by how much the board is slower than the model."""
        return self.measured_s - self.program.time_s


def solve_time(
    simulator: AvrSimulator,
    moves: int = 32,
    seed: int = 0,
    *,
    corners: Corners = NO_CORNERS,
    board: str = "uno",
) -> SolveTime:
    """Send a random solve ahead with the default rig's times, and measure the board's motion."""
    rig = msgspec.structs.replace(default_rig(), corners=corners)
    chance = random.Random(seed)
    drawn = MoveSequence.of(chance.choice(ALL_MOVES) for _ in range(2 * moves)).simplified()
    program = rig.plan(MoveSequence(drawn.moves[:moves]))
    script = Script()
    script.play(program, rig.gap_us)
    trace = simulator.run(script, script.now_ms + 1000 * program.time_s + 30, board)
    steps = sorted(cycle for motor in range(6) for cycle in trace.steps(motor))
    quarters = sum(abs(move.quarter_turns) for move in program.moves)
    require(len(steps) == 400 * quarters, f"{len(steps)} steps instead of {400 * quarters}")
    return SolveTime(program, (steps[-1] - steps[0]) / CYCLES_PER_S)


def lost_bytes(simulator: AvrSimulator, flood: str, rate_steps_s: int = 40_000) -> tuple[int, int]:
    """Saturate the line while both lanes run at full rate.

    Returns:
        Bytes sent to the board, and bytes that its receiver lost.
    """
    script = Script()
    script.set(Setting.GAP_US, 16)
    script.motors(FINE_STEPS, rate_steps_s, STEEP, 0, 3)
    script.enable()
    for _ in range(2):
        script.move(0, 2, 3, -2)
    size = len(FLOODS[flood]) // 2
    script.at(script.now_ms, f"send {FLOODS[flood]} {4100 // size}")
    trace = simulator.run(script, script.now_ms + 2 * 3200 / rate_steps_s * 1000 + 60)
    for motor in (0, 3):
        complete(trace, motor, 4 * FINE_STEPS)
    return trace.received_bytes, trace.lost_bytes


def lost_bytes_in_pairs(simulator: AvrSimulator, flood: str, seed: int) -> int:
    """Saturate the line while pairs of turns follow each other: both lanes' ramps end at once."""
    chance = random.Random(seed)
    script = Script()
    script.set(Setting.GAP_US, chance.choice((16, 50, 1000)))
    script.motors(chance.choice((50, 200, 400)), 40_000, chance.choice((1, 5)) * STEEP, *range(6))
    script.enable()
    for number in range(60):
        script.move(number % 3, chance.choice((-2, -1, 1, 2)), number % 3 + 3, 2)
    begin_ms = script.now_ms - 20 + chance.random()
    script.at(begin_ms, f"send {FLOODS[flood]} {5200 // len(FLOODS[flood])}")
    trace = simulator.run(script, begin_ms + 2600 * 10 / 250 + 10)
    require(trace.received_bytes > 2500, "the line was not full")
    return trace.lost_bytes


def complete(trace: Trace, motor: int, steps: int) -> list[int]:
    """Return a motor's steps.

    Raises:
        SimulatorError: Their number is wrong.
    """
    found = trace.steps(motor)
    require(len(found) == steps, f"motor {motor} made {len(found)} steps instead of {steps}")
    return found


def require(holds: bool, text: str) -> None:
    """Check that an experiment went as expected.

    Raises:
        SimulatorError: It did not.
    """
    if not holds:
        raise SimulatorError(f"the firmware failed its benchmark: {text}")
