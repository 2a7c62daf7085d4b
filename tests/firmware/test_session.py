"""A live session: bytes over a pseudo-terminal to the real firmware, and the steps they cause."""

from typing import TYPE_CHECKING

import pytest

from robot.protocol.messages import (
    PROTOCOL_VERSION,
    Abort,
    Ack,
    Action,
    ActionKind,
    Begin,
    BoardKind,
    Enable,
    Event,
    EventKind,
    Fault,
    Get,
    Hello,
    HelloReply,
    Nak,
    Reason,
    ResetCause,
    State,
    Status,
    StatusRequest,
    Step,
    Value,
)
from robot.protocol.settings import Setting

if TYPE_CHECKING:
    from conftest import LiveBoard
from robot.virtual.virtual_board import FIRMWARE_VERSION

pytestmark = pytest.mark.avr


def say_hello(live: "LiveBoard", nonce: int) -> HelloReply:
    """Repeat HELLO until the board answers: it may still be starting."""
    for _ in range(20):
        live.send(Hello(1, nonce))
        try:
            return live.wait_for(HelloReply, 0.3)
        except AssertionError:
            continue
    raise AssertionError("no answer to HELLO")


def turn(number: int, *turns: tuple[int, int]) -> Step:
    actions = tuple(Action(ActionKind.TURN, *each) for each in turns)
    return Step(number, Begin.AFTER_END, 0, actions)


def test_hello_enable_move(live: "LiveBoard") -> None:
    reply = say_hello(live, 4711)
    assert (reply.nonce, reply.protocol, reply.board) == (4711, PROTOCOL_VERSION, BoardKind.UNO)
    assert reply.reset_cause is ResetCause.POWER_ON
    version = reply.firmware_major, reply.firmware_minor, reply.firmware_patch
    assert version == FIRMWARE_VERSION
    assert reply.lanes == 2
    assert (reply.state, reply.accepted, reply.executed) == (State.DISABLED, 0, 0)
    assert reply.queue_size >= 32

    live.send(turn(1, (0, 1)), 0)
    assert live.wait_for(Nak).reason is Reason.NOT_ENABLED
    live.send(Get(Setting.STEPS_PER_QUARTER, 0), 0)
    assert live.wait_for(Value).value == 400
    live.send(Enable(1), 1)
    assert live.wait_for(Ack).next_seq in (1, 2)
    live.send(turn(1, (0, 1)), 2)
    live.send(turn(2, (1, -1), (4, 2)), 3)
    while live.wait_for(Ack).executed < 2:
        pass
    assert live.wait_for(Event).kind == EventKind.QUEUE_EMPTY
    live.send(StatusRequest())
    status = live.wait_for(Status)
    assert (status.state, status.accepted, status.executed) == (State.IDLE, 2, 2)

    trace = live.quit()
    assert trace.of("enable", level=0)
    assert [len(trace.steps(channel)) for channel in range(6)] == [400, 400, 0, 0, 800, 0]
    assert [trace.position(channel) for channel in range(6)] == [400, -400, 0, 0, 800, 0]
    assert trace.lost_bytes == 0


def test_abort_drops_the_rest_at_a_detent(live: "LiveBoard") -> None:
    say_hello(live, 1)
    live.send(Enable(1), 0)
    for number in range(1, 9):
        live.send(turn(number, (number % 6, 2)), number)
    while live.wait_for(Ack).executed < 2:
        pass
    live.send(Abort())
    event = live.wait_for(Event)
    while event.kind != EventKind.ABORTED:
        event = live.wait_for(Event)
    assert event.arg == Fault.HOST_ABORT
    live.send(StatusRequest())
    status = live.wait_for(Status)
    assert status.state is State.ABORTED
    assert status.accepted == status.executed < 8

    trace = live.quit()
    quarters = [trace.position(channel) / 400 for channel in range(6)]
    assert all(turned == int(turned) for turned in quarters)
    assert sum(quarters) == 2 * status.executed + status.done_0


def test_button_and_emergency_stop(live: "LiveBoard") -> None:
    say_hello(live, 2)
    live.command("button press")
    assert live.wait_for(Event).kind == EventKind.BUTTON
    live.command("button release")
    live.send(Enable(1), 0)
    live.wait_for(Ack)
    live.command("estop 1")
    assert live.wait_for(Event).kind == EventKind.ESTOP
    live.send(Enable(1), 1)
    assert live.wait_for(Nak).reason is Reason.ESTOP
    trace = live.quit()
    assert [edge.level for edge in trace.edges if edge.kind == "enable"] == [0, 1]


def test_a_reset_is_seen(live: "LiveBoard") -> None:
    before = say_hello(live, 3)
    live.send(Enable(1), 0)
    live.wait_for(Ack)
    live.command("reset")
    after = say_hello(live, 4)
    while after.nonce != 4:
        after = live.wait_for(HelloReply)
    assert after.boot_id != before.boot_id
    assert after.state is State.DISABLED
    trace = live.quit()
    assert len(trace.of("reset")) == 1
    assert [edge.level for edge in trace.edges if edge.kind == "enable"][-1] == 1
