"""The firmware's goals: its rates, times, gaps and stops, measured on its own binary."""

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from avr_simulator import (
    CYCLES_PER_MS,
    CYCLES_PER_US,
    FINE_STEPS,
    FLOODS,
    STEEP,
    AvrSimulator,
    Script,
)

from benchmarks.faults.pin_edges import CYCLES_PER_S
from robot.protocol.frames import ABORT_FRAME
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.trapezoid import Trapezoid

pytestmark = pytest.mark.avr

FRACTIONS = 256
"""The firmware carries 1/256 of a cycle from step to step."""


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


@dataclass(frozen=True)
class Jitter:
    """How lanes turn, and how many cycles their steps may be off."""

    limit: int
    rates: tuple[int, ...] = (16_000,)
    board: str = "uno"
    flood: str | None = None


@pytest.mark.parametrize(
    "case",
    [
        Jitter(4),
        Jitter(5, board="mega"),
        Jitter(240, rates=(16_000, 15_900)),  # their steps collide all the time
        # A byte takes up to 63 cycles, and the millisecond may come at the same moment.
        Jitter(100, flood="hello"),
    ],
)
def test_lanes_jitter_by_few_cycles(simulator: AvrSimulator, script: Script, case: Jitter) -> None:
    motors = (0, 3)[: len(case.rates)]
    script.set(Setting.HOST_TIMEOUT_MS, 0)
    for motor, rate in zip(motors, case.rates, strict=True):
        script.motors(FINE_STEPS, rate, STEEP, motor)
    script.enable()
    if case.flood is not None:
        script.now_ms += 0.434  # relative to the board's millisecond
    sent_ms = script.move(0, 2, 3, 2) if len(motors) == 2 else script.move(0, 2)
    if case.flood is not None:
        times = 6000 // (len(FLOODS[case.flood]) // 2)
        script.at(sent_ms + 5, f"send {FLOODS[case.flood]} {times}")
    trace = simulator.run(script, sent_ms + 215, case.board)
    for motor in motors:
        assert grid_jitter(trace.complete(motor, 2 * FINE_STEPS)[200:-200]) <= case.limit


@pytest.mark.parametrize(("rate", "share"), [(40_000, 0.999), (50_000, 0.99)])
def test_both_lanes_reach_their_rate(
    simulator: AvrSimulator, script: Script, rate: int, share: float
) -> None:
    script.motors(FINE_STEPS, rate, STEEP, 0, 3)
    script.enable()
    sent_ms = script.move(0, 2, 3, -2)
    trace = simulator.run(script, sent_ms + 140)
    for motor in (0, 3):
        steps = trace.complete(motor, 2 * FINE_STEPS)[1200:2001]
        assert 800 * CYCLES_PER_S / (steps[-1] - steps[0]) >= share * rate


@pytest.mark.parametrize(("motors", "board"), [(1, "uno"), (2, "uno"), (2, "mega")])
def test_a_quarter_turn_takes_40_ms(
    simulator: AvrSimulator, script: Script, motors: int, board: str
) -> None:
    script.motors(400, 50_000, 1_000_000, 0, 3)
    script.enable()
    sent_ms = script.move(0, 1, 3, -1) if motors == 2 else script.move(0, 1)
    trace = simulator.run(script, sent_ms + 60, board)
    for motor in (0, 3)[:motors]:
        steps = trace.complete(motor, 400)
        assert (steps[-1] - steps[0]) / CYCLES_PER_MS == pytest.approx(40.0, rel=0.001)


@pytest.mark.parametrize("gap_us", [16, 48, 54, 60, 65, 70, 1000])
def test_gaps_are_as_configured(simulator: AvrSimulator, script: Script, gap_us: int) -> None:
    """To the microsecond, from 38 on: making the next turn ready takes that long.

    Of turns of two, the second is made ready while the first begins, if the gap is below 66 µs.
    """
    script.set(Setting.GAP_US, gap_us)
    script.enable()
    for turn in ((0, 1), (1, -1), (0, 1, 3, 1), (1, 1, 4, -1), (2, 1)):
        script.move(*turn)
    trace = simulator.run(script, script.now_ms + 5 * (45 + gap_us / 1000))
    steps = sorted(cycle for motor in range(6) for cycle in trace.steps(motor))
    assert len(steps) == 400 * 7
    limit = 3.2 if 38 < gap_us < 62 else 1.5
    for start in itertools.accumulate([400, 400, 800, 800]):
        gap = (steps[start] - steps[start - 1]) / CYCLES_PER_US
        assert abs(gap - max(gap_us, 38)) < limit


def test_a_solve_sent_ahead_needs_no_host(simulator: AvrSimulator, script: Script) -> None:
    """Once the host is silent, and once it fills the line."""
    chance = random.Random(5)
    script.enable()
    for _ in range(12):
        script.move(chance.randrange(6), chance.choice([-2, -1, 1, 2]))
    until_ms = script.now_ms + 12 * 65
    frozen = simulator.run(script, until_ms).edges
    script.at(script.now_ms + 5, f"send {FLOODS['status']} 300")
    flooded = simulator.run(script, until_ms).edges
    for one, other in zip(frozen, flooded, strict=True):
        assert (one.channel, one.kind, one.level) == (other.channel, other.kind, other.level)
        assert abs(one.cycle - other.cycle) < 25 * CYCLES_PER_US


@pytest.mark.parametrize(
    ("flood", "rate", "share"),
    [*((flood, 40_000, 0) for flood in FLOODS), ("noise", 50_000, 0.001)],  # beyond full rate
)
def test_no_byte_is_lost_at_full_rate_and_full_line(
    simulator: AvrSimulator, script: Script, flood: str, rate: int, share: float
) -> None:
    script.set(Setting.GAP_US, 16)
    script.motors(FINE_STEPS, rate, STEEP, 0, 3)
    script.enable()
    for _ in range(2):
        script.move(0, 2, 3, -2)
    script.at(script.now_ms, f"send {FLOODS[flood]} {4100 // (len(FLOODS[flood]) // 2)}")
    trace = simulator.run(script, script.now_ms + 2 * 3200 / rate * 1000 + 60)
    for motor in (0, 3):
        trace.complete(motor, 4 * FINE_STEPS)
    assert trace.received_bytes > 4000
    assert trace.lost_bytes <= share * trace.received_bytes


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("seed", [0, 4, 20])
def test_no_byte_is_lost_where_ramps_end_at_once(
    simulator: AvrSimulator, script: Script, flood: str, seed: int
) -> None:
    """Once that took the receiver longer than its two bytes last, one time in 40 000 bytes."""
    chance = random.Random(seed)
    script.set(Setting.GAP_US, chance.choice((16, 50, 1000)))
    script.motors(chance.choice((50, 200, 400)), 40_000, chance.choice((1, 5)) * STEEP, *range(6))
    script.enable()
    for number in range(60):
        script.move(number % 3, chance.choice((-2, -1, 1, 2)), number % 3 + 3, 2)
    begin_ms = script.now_ms - 20 + chance.random()
    script.at(begin_ms, f"send {FLOODS[flood]} {5200 // len(FLOODS[flood])}")
    trace = simulator.run(script, begin_ms + 2600 * 10 / 250 + 10)
    assert trace.received_bytes > 2500  # the line was full
    assert trace.lost_bytes == 0


@pytest.mark.parametrize("pair", [True, False])
def test_an_abort_ends_with_the_deceleration_at_a_detent(
    simulator: AvrSimulator, pair: bool
) -> None:
    """Of half turns of two motors, and of quarter turns of one, at random moments."""
    chance = random.Random(2)
    rate, acceleration = (
        SETTING_BY_KEY[key].default for key in (Setting.RATE_STEPS_S, Setting.ACCELERATION_STEPS_S2)
    )
    for _ in range(3):
        script = Script()
        script.enable()
        sent_ms = script.move(0, 2, 3, -2) if pair else script.move(0, 1)
        script.move(1, 1)
        abort_ms = round(sent_ms + chance.uniform(3, 60 if pair else 38), 4)
        script.at(abort_ms, f"send {ABORT_FRAME.hex()}")
        trace = simulator.run(script, sent_ms + 130)
        assert all(trace.position(motor) % 400 == 0 for motor in range(6))
        assert not trace.steps(1)  # it never begins
        steps = trace.steps(0)
        last = max(cycle for motor in (0, 3) for cycle in trace.steps(motor))
        to_detent_s = Trapezoid(len(steps), rate, acceleration).duration_s
        assert (last - steps[0]) / CYCLES_PER_MS - 1000 * to_detent_s < 0.1
