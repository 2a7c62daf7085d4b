"""What the board says: greetings, acknowledgements, refusals, events."""

import pytest

from robot.protocol.frames import encode_frame
from robot.protocol.messages import (
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
