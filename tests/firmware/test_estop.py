"""The emergency stop at every moment: no step after it, no current, and no stop for a spike."""

import pytest

from robot.protocol.messages import Event, EventKind
from robot.simulator.avr_simulator import (
    CYCLES_PER_MS,
    CYCLES_PER_US,
    AvrSimulator,
    PinEdge,
    Script,
)

pytestmark = pytest.mark.avr

STOP_US = 100  # contact open: longer than a spike
SPIKE_US = 12
AFTER_US = 60  # from the contact to the last step: the time of a spike, and other interrupts


def moves_after_stop(simulator: AvrSimulator, offset: int, what: str) -> list[PinEdge]:
    """Open the contact while the board takes a frame; return what moves or is switched on later.

    Args:
        simulator: The firmware.
        offset: Cycles from the beginning of the frame to the contact.
        what: "enable" or "move": the message in the frame.
    """
    script = Script()
    if what == "move":
        script.enable()
        sent_ms = script.move(0, 2, 3, -2)
    else:
        sent_ms = script.now_ms
        script.enable()
    at_ms = sent_ms + offset / CYCLES_PER_MS
    script.at(at_ms, "estop 1")
    script.at(at_ms + STOP_US / 1000, "estop 0")
    trace = simulator.run(script, sent_ms + 6)
    assert [m.kind for m in trace.messages(Event)] == [EventKind.ESTOP]
    last = at_ms * CYCLES_PER_MS + AFTER_US * CYCLES_PER_US
    switched = [edge for edge in trace.edges if edge.kind == "enable"]
    on = [edge for edge in switched if edge.cycle <= last][-1:]  # the level that stands then
    on += [edge for edge in switched if edge.cycle > last]
    steps = [edge for edge in trace.edges if edge.kind == "step" and edge.cycle > last]
    return [edge for edge in on if not edge.level] + [edge for edge in steps if edge.level]


# The frames take 360 and 560 us on the line; then the board handles them, in some 300 us.
FIRST, LAST = 5_000, 16_000


@pytest.mark.parametrize("what", ["enable", "move"])
def test_no_step_and_no_current_after_a_stop(simulator: AvrSimulator, what: str) -> None:
    for offset in range(FIRST, LAST, 171):
        assert moves_after_stop(simulator, offset, what) == [], offset


@pytest.mark.exhaustive
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("what", ["enable", "move"])
def test_no_step_and_no_current_at_any_cycle(simulator: AvrSimulator, what: str) -> None:
    assert not [at for at in range(FIRST, LAST) if moves_after_stop(simulator, at, what)]


def test_a_spike_is_no_stop(simulator: AvrSimulator) -> None:
    """A contact that opens for 12 us, again and again through a turn, changes nothing."""
    script = Script()
    script.enable()
    sent_ms = script.move(0, 2, 3, -2)
    for number in range(300):
        at_ms = sent_ms + 0.2 + number * 0.2113
        script.at(at_ms, "estop 1")
        script.at(at_ms + SPIKE_US / 1000, "estop 0")
    trace = simulator.run(script, sent_ms + 120)
    assert not [m for m in trace.messages(Event) if m.kind is EventKind.ESTOP]
    assert trace.position(0) == 800
    assert trace.position(3) == -800


def test_a_spike_takes_the_current_for_a_moment_only(simulator: AvrSimulator) -> None:
    """The drivers are off from the edge until the second look."""
    script = Script()
    script.enable()
    sent_ms = script.move(0, 2, 3, -2)
    for number in range(200):
        at_ms = sent_ms + 0.2 + number * 0.2113
        script.at(at_ms, "estop 1")
        script.at(at_ms + SPIKE_US / 1000, "estop 0")
    trace = simulator.run(script, sent_ms + 120)
    off, on = trace.of("enable", level=1), trace.of("enable", level=0)[1:]
    assert len(off) == len(on) > 100
    assert all(0 < back - gone < 50 * CYCLES_PER_US for gone, back in zip(off, on, strict=True))
    assert trace.position(0) == 800
