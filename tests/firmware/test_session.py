"""What the board says: greetings, acknowledgements, refusals, events."""

import pytest

from robot.protocol.frames import encode_frame
from robot.protocol.messages import (
    NO_MOTOR,
    PROTOCOL_VERSION,
    Ack,
    BoardKind,
    Event,
    EventKind,
    Get,
    Hello,
    HelloReply,
    Nak,
    Reason,
    ResetCause,
    Set,
    StallInput,
    State,
    Status,
    StatusRequest,
    Value,
)
from robot.protocol.schema import Message
from robot.protocol.settings import Setting
from robot.simulator.avr_simulator import AvrSimulator, Script
from robot.virtual.virtual_board import FIRMWARE_VERSION

pytestmark = pytest.mark.avr


def ask(script: Script, message: Message) -> None:
    """Send what no sequence number belongs to."""
    script.at(script.now_ms, f"send {encode_frame(message).hex()}")
    script.now_ms += 2


def test_hello_enable_move(simulator: AvrSimulator, script: Script) -> None:
    ask(script, Hello(1, 4711))
    script.move(0, 1)
    script.seq -= 1  # a refused message does not count
    script.number -= 1
    script.send(Get(Setting.STEPS_PER_QUARTER, 0))
    script.enable()
    script.move(0, 1)
    script.move(1, -1, 4, 2)
    script.now_ms += 130
    ask(script, StatusRequest())
    trace = simulator.run(script, script.now_ms + 10)

    (reply,) = trace.messages(HelloReply)
    assert (reply.nonce, reply.protocol, reply.board) == (4711, PROTOCOL_VERSION, BoardKind.UNO)
    assert reply.reset_cause is ResetCause.POWER_ON
    version = reply.firmware_major, reply.firmware_minor, reply.firmware_patch
    assert version == FIRMWARE_VERSION
    assert (reply.lanes, reply.state) == (2, State.DISABLED)
    assert (reply.accepted, reply.executed) == (0, 0)
    assert reply.queue_size >= 32
    assert [nak.reason for nak in trace.messages(Nak)] == [Reason.NOT_ENABLED]
    assert [value.value for value in trace.messages(Value)] == [400]
    last = trace.messages(Ack)[-1]
    assert (last.next_seq, last.executed) == (4, 2)
    assert [event.kind for event in trace.messages(Event)] == [EventKind.QUEUE_EMPTY]
    (status,) = trace.messages(Status)
    assert (status.state, status.accepted, status.executed) == (State.IDLE, 2, 2)
    assert trace.of("enable", level=0)
    assert [len(trace.steps(channel)) for channel in range(6)] == [400, 400, 0, 0, 800, 0]
    assert [trace.position(channel) for channel in range(6)] == [400, -400, 0, 0, 800, 0]
    assert trace.lost_bytes == 0


def test_button_and_emergency_stop(simulator: AvrSimulator, script: Script) -> None:
    script.at(50, "button press")
    script.at(150, "button release")
    script.now_ms = 200
    script.enable()
    script.at(220, "estop 1")
    script.now_ms = 230
    script.enable()
    trace = simulator.run(script, 260)
    assert [event.kind for event in trace.messages(Event)] == [EventKind.BUTTON, EventKind.ESTOP]
    assert [nak.reason for nak in trace.messages(Nak)] == [Reason.ESTOP]
    assert [edge.level for edge in trace.edges if edge.kind == "enable"] == [0, 1]


def test_a_reset_is_told_and_settings_survive_it(simulator: AvrSimulator, script: Script) -> None:
    script.motors(800, 20_000, 2_000_000, 2)
    ask(script, Hello(1, 3))
    script.enable()
    script.at(1700, "reset")
    script.now_ms, script.seq = 1800, 0
    ask(script, Hello(1, 4))
    script.enable()
    script.move(2, 1)
    trace = simulator.run(script, 1950)
    before, after = trace.messages(HelloReply)
    assert after.boot_id != before.boot_id
    assert (before.state, after.state) == (State.DISABLED, State.DISABLED)
    (reset,) = trace.of("reset")
    assert trace.of("enable", level=0)[-1] > trace.of("enable", level=1)[-1] >= reset
    assert trace.position(2) == 800


SOFT = [Set(Setting.SOFT_START, 0, soft_start) for soft_start in (1, 2, 3)]
UART = Set(Setting.DRIVER_ADDRESS, 0, 1)
EACH = Set(Setting.STALL_INPUT, NO_MOTOR, StallInput.EACH)
NONE_OF_THEM = [Set(Setting.SOFT_START, 0, 0), Set(Setting.DRIVER_ADDRESS, 0, 0)]


@pytest.mark.parametrize(
    ("board", "taken", "refused"),
    [
        ("uno", NONE_OF_THEM, [*SOFT, UART, EACH]),
        ("nano", NONE_OF_THEM, [*SOFT, UART, EACH]),
        ("cnc-shield", [UART], [*SOFT, EACH, Set(Setting.DIRECTION, 4, 1)]),
        ("mega", [*SOFT, UART, EACH], []),
        ("ramps", SOFT, []),
        ("mks-gen-l", SOFT, [Set(Setting.DIRECTION, 5, 1)]),
    ],
)
def test_a_board_refuses_settings_of_what_it_lacks(
    simulator: AvrSimulator, script: Script, board: str, taken: list[Set], refused: list[Set]
) -> None:
    for each in taken:
        script.send(each, 15.0)
    for each in refused:
        script.send(each, 15.0)
        script.seq -= 1  # a refused message does not count
    trace = simulator.run(script, script.now_ms + 20, board)
    reasons = [nak.reason for nak in trace.messages(Nak)]
    assert reasons == [Reason.OUT_OF_RANGE] * len(refused)
