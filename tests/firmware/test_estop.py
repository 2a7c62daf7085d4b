"""The emergency stop at every moment: no step after it, no current, and no stop for a spike."""

import pytest
from avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script, Trace

from robot.protocol.messages import Action, ActionKind, Event, EventKind

pytestmark = pytest.mark.avr

STOP_US = 100  # contact open: longer than a spike
SPIKE_US = 12
AFTER_US = 60  # from the contact to the last step: the time of a spike, and other interrupts
MOVE = Action(ActionKind.MOVE_BY, 0, 900)
TURN = Action(ActionKind.TURN, 3, -2)
# The frames take 360 and 960 us on the line; then the board handles them, in some 300 us, or 1 ms
# with a ramp to work out. A wait ends within a millisecond.
WINDOWS = {
    "enable": (5_000, 16_000),
    "move": (5_000, 22_000),
    "actions": (14_000, 36_000),
    "actions after a wait": (52_000, 96_000),
}


def stop(simulator: AvrSimulator, offset: int, what: str) -> tuple[Trace, float]:
    """Open the contact while the board takes a frame.

    Args:
        simulator: The firmware.
        offset: Cycles from the beginning of the frame to the contact.
        what: Key of WINDOWS: the message in the frame.

    Returns:
        What happens, and the moment in milliseconds.
    """
    script = Script()
    sent_ms = script.now_ms
    script.enable()
    if what == "move":
        sent_ms = script.move(0, 2, 3, -2)
    elif what == "actions":
        sent_ms = script.step((MOVE, TURN))
    elif what == "actions after a wait":
        sent_ms = script.step((Action(ActionKind.WAIT, 0, 3),))
        script.step((MOVE, TURN))
    at_ms = sent_ms + offset / CYCLES_PER_MS
    script.at(at_ms, "estop 1")
    script.at(at_ms + STOP_US / 1000, "estop 0")
    trace = simulator.run(script, sent_ms + 9)
    assert [m.kind for m in trace.messages(Event)] == [EventKind.ESTOP]
    return trace, at_ms


def keeps_turning(simulator: AvrSimulator, offset: int, what: str) -> bool:
    """Whether anything moves or is switched on after the contact has opened."""
    trace, at_ms = stop(simulator, offset, what)
    last = at_ms * CYCLES_PER_MS + AFTER_US * CYCLES_PER_US
    switched = [edge for edge in trace.edges if edge.kind == "enable"]
    on = [edge for edge in switched if edge.cycle <= last][-1:]  # the level that stands then
    on += [edge for edge in switched if edge.cycle > last]
    steps = [edge for edge in trace.edges if edge.kind == "step" and edge.cycle > last]
    return any(not edge.level for edge in on) or any(edge.level for edge in steps)


@pytest.mark.parametrize("what", WINDOWS)
def test_no_step_and_no_current_after_a_stop(simulator: AvrSimulator, what: str) -> None:
    assert not [at for at in range(*WINDOWS[what], 571) if keeps_turning(simulator, at, what)]


@pytest.mark.parametrize("what", WINDOWS)
def test_the_window_holds_the_moment_of_the_first_step(simulator: AvrSimulator, what: str) -> None:
    """A stop at its beginning comes before the first step, and one at its end after it."""
    traces = [stop(simulator, at, what)[0] for at in WINDOWS[what]]
    before, after = (len(trace.steps(0)) + len(trace.steps(3)) for trace in traces)
    assert before == 0
    assert (after > 0) == (what != "enable")


def test_a_spike_is_no_stop_and_takes_the_current_for_a_moment_only(
    simulator: AvrSimulator, script: Script
) -> None:
    """A contact opens for 12 us, again and again through a turn of two motors.

    The drivers are off from the edge until the second look; nothing else changes.
    """
    script.enable()
    sent_ms = script.move(0, 2, 3, -2)
    for number in range(300):
        at_ms = sent_ms + 0.2 + number * 0.2113
        script.at(at_ms, "estop 1")
        script.at(at_ms + SPIKE_US / 1000, "estop 0")
    trace = simulator.run(script, sent_ms + 120)
    assert not [m for m in trace.messages(Event) if m.kind is EventKind.ESTOP]
    assert (trace.position(0), trace.position(3)) == (800, -800)
    off, on = trace.of("enable", level=1), trace.of("enable", level=0)[1:]
    assert len(off) == len(on) > 100
    assert all(0 < back - gone < 50 * CYCLES_PER_US for gone, back in zip(off, on, strict=True))


def test_a_pressed_stop_is_one_after_a_reset(simulator: AvrSimulator, script: Script) -> None:
    script.at(script.now_ms, "estop 1")
    script.at(script.now_ms + 20, "reset")
    script.now_ms += 60
    script.enable()
    trace = simulator.run(script, script.now_ms + 60)
    assert [m.kind for m in trace.messages(Event)] == [EventKind.ESTOP] * 2
    assert trace.of("enable", level=0) == []
