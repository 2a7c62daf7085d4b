"""Motors that are held: what their drivers tell when they are set up over UARTs."""

import pytest

from robot.protocol.frames import STATUS_REQUEST_FRAME
from robot.protocol.messages import NO_MOTOR, Event, EventKind, Fault, StallInput, State, Status
from robot.protocol.settings import Setting
from robot.simulator.avr_simulator import AvrSimulator, Script, Trace

pytestmark = pytest.mark.avr

MOTORS = (0, 3)
SET_UP_MS = 150
"""For two drivers; it takes 45 ms each."""
AT_SPEED = 9
"""Steps until a motor has a quarter of its rate, from which StallGuard is on."""


def wired(how: StallInput = StallInput.SHARED) -> Script:
    """Wire two motors to drivers 0 and 3 of a line."""
    script = Script()
    for motor in MOTORS:
        script.at(1, f"driver tmc2209 0 {motor} {motor}")
        script.set(Setting.DRIVER_ADDRESS, 1 + motor, (motor,))
        script.set(Setting.STALL_THRESHOLD, 70, (motor,))
    script.set(Setting.STALL_INPUT, how)
    return script


def switch_on(script: Script) -> None:
    script.enable()
    script.now_ms += SET_UP_MS


def stalls(trace: Trace) -> list[int]:
    """Which motors the board said to have stalled."""
    return [event.arg for event in trace.messages(Event) if event.kind == EventKind.STALL]


@pytest.mark.parametrize(
    ("board", "how", "blocked"),
    [
        ("cnc-shield", StallInput.SHARED, 0),
        ("mega", StallInput.SHARED, 3),
        ("mega", StallInput.EACH, 0),
    ],
)
def test_a_motor_that_is_held_stops_the_rig(
    simulator: AvrSimulator, board: str, how: StallInput, blocked: int
) -> None:
    script = wired(how)
    switch_on(script)
    script.at(1, f"block {blocked}")
    (free,) = {*MOTORS} - {blocked}
    script.move(free, 1)
    script.move(blocked, 2)
    script.move(free, 1)
    script.now_ms += 120
    script.at(script.now_ms, f"send {STATUS_REQUEST_FRAME.hex()}")
    trace = simulator.run(script, script.now_ms + 20, board)
    assert len(trace.steps(free)) == 400
    assert AT_SPEED < len(trace.steps(blocked)) < AT_SPEED + 15
    assert stalls(trace) == [blocked]
    (status,) = trace.messages(Status)
    assert (status.state, status.fault) == (State.ABORTED, Fault.STALL)


@pytest.mark.parametrize(
    ("setting", "value", "motor"),
    [
        (Setting.DRIVER_MODE, 1, 3),
        (Setting.STALL_THRESHOLD, 0, 3),
        (Setting.STALL_INPUT, StallInput.NONE, NO_MOTOR),
        (None, 0, 3),  # it is let go of in time
    ],
)
def test_no_stall_is_told_where_nobody_looks(
    simulator: AvrSimulator, setting: Setting | None, value: int, motor: int
) -> None:
    script = wired()
    if setting is not None:
        script.set(setting, value, (motor,))
    switch_on(script)
    script.at(1, "block 3")
    if setting is None:
        script.at(script.now_ms - 1, "unblock 3")
    script.move(3, 1)
    trace = simulator.run(script, script.now_ms + 60, "cnc-shield")
    assert stalls(trace) == []
    assert len(trace.steps(3)) == 400
