"""A claw on a servo of the real firmware: how it moves, and that no stop lets the cube go."""

from itertools import chain, product

import pytest
from avr_simulator import CYCLES_PER_MS, CYCLES_PER_US, AvrSimulator, Script, Trace
from recorded_servos import RecordedServos

from robot.protocol import messages
from robot.protocol.frames import ABORT_FRAME, encode_frame
from robot.protocol.messages import Action, ActionKind, Event, EventKind, Fault, OutputMode
from robot.protocol.settings import Setting
from robot.virtual.servos import ServoArm, ServoDrive

pytestmark = pytest.mark.avr

CLAW, CARRIAGE = 0, 5
OPEN_US, CLOSED_US = 1500, 1900
HOLDS_FROM_US = 1850
SILENT_MS = 150
UNDER_WAY = {
    "position": (Action(ActionKind.POSITION, CLAW, 1870, 2),),
    "move": (Action(ActionKind.MOVE_BY, CARRIAGE, 6000),),
    "wait": (Action(ActionKind.WAIT, 0, 400),),
    "output": (
        Action(ActionKind.OUTPUT, 0, OutputMode.ON),
        Action(ActionKind.WAIT, 0, 300),
    ),
    "home": (Action(ActionKind.HOME, CARRIAGE, -6000, 0, 0),),
}
ENDS = {
    "abort": (EventKind.ABORTED, Fault.HOST_ABORT),
    "silence": (EventKind.ABORTED, Fault.HOST_SILENT),
    "e-stop": (EventKind.ESTOP, 0),
    "host restarts": (EventKind.QUEUE_EMPTY, 0),
}
FEW = {*product(["position"], ENDS, ["uno"]), *product(UNDER_WAY, ["e-stop"], ["uno"])}
FEW |= {("home", "abort", "uno"), ("home", "silence", "mega"), ("position", "e-stop", "mega")}


def position(pulse_us: int, speed: int = 0, dwell: int = 0) -> tuple[Action, ...]:
    return (Action(ActionKind.POSITION, CLAW, pulse_us, speed, dwell),)


def held(trace: Trace, from_ms: float, until_ms: float) -> bool:
    arm = ServoArm(OPEN_US)
    arms = RecordedServos({CLAW: arm})
    moments = chain(arms.follow(trace.edges), arms.live(int(until_ms * CYCLES_PER_MS)))
    found = [
        arm.pulse_us != 0 and arm.at_us >= HOLDS_FROM_US
        for cycle in moments
        if from_ms <= cycle / CYCLES_PER_MS <= until_ms
    ]
    return bool(found) and all(found)


@pytest.mark.parametrize(
    ("to_us", "speed", "board"),
    [(1900, 40, "uno"), (600, 255, "uno"), (1503, 7, "mega"), (1490, 1, "uno"), (600, 255, "mega")],
)
def test_a_pulse_goes_as_the_virtual_board_says(
    simulator: AvrSimulator, script: Script, to_us: int, speed: int, board: str
) -> None:
    """Frame by frame, to the microsecond."""
    script.enable()
    script.step(position(OPEN_US))
    script.now_ms += 60
    sent_ms = script.step(position(to_us, speed))
    drive = ServoDrive()
    drive.aim(OPEN_US, 0)
    drive.aim(to_us, speed)
    expected = [drive.at_us]
    while not drive.reached:
        drive.frame()
        expected.append(drive.at_us)
    trace = simulator.run(script, sent_ms + 20 * len(expected) + 60, board)
    pulses = [round(length / CYCLES_PER_US) for _, length in trace.pulses(CLAW)]
    last_before = next(place for place, pulse_us in enumerate(pulses) if pulse_us != OPEN_US) - 1
    assert pulses[last_before : last_before + len(expected)] == expected
    assert set(pulses[last_before + len(expected) :]) == {to_us}


@pytest.mark.parametrize(("what", "how", "board"), sorted(FEW))
def test_no_stop_lets_the_cube_go(simulator: AvrSimulator, what: str, how: str, board: str) -> None:
    script = Script()
    script.set(Setting.HOST_TIMEOUT_MS, SILENT_MS if how == "silence" else 0)
    script.enable()
    script.step(position(CLOSED_US, 0, 10))
    script.now_ms += 160
    begun_ms = script.step(UNDER_WAY[what])
    if how != "host restarts":
        script.step(position(OPEN_US))  # never begins
    stop_ms = begun_ms + 100
    script.at(stop_ms + 200, "switch close 0")
    if how == "abort":
        script.at(stop_ms, f"send {ABORT_FRAME.hex()}")
    elif how == "e-stop":
        script.at(stop_ms, "estop 1")
        script.at(stop_ms + 50, "estop 0")
    elif how == "host restarts":
        for message in (messages.Hello(1, 4711), messages.Hello(1, 4712), messages.StatusRequest()):
            script.at(stop_ms, f"send {encode_frame(message).hex()}")
    end_ms = stop_ms + 420
    trace = simulator.run(script, end_ms, board)
    ends = [(event.kind, event.arg) for event in trace.messages(Event)]
    assert ends == [(EventKind.QUEUE_EMPTY, 0), ENDS[how]]
    assert len(trace.messages(messages.HelloReply)) == (2 if how == "host restarts" else 0)
    assert held(trace, begun_ms, end_ms)
