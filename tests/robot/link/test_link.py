"""The link by itself: bytes and time in, events and bytes out; greetings and refusals."""

import struct
from dataclasses import replace
from typing import cast

import pytest
from link_peer import MOVE, Peer, ack, kinds, reply, status

from robot.link import events
from robot.link.packet_log import where_refused
from robot.link.timers import POLL_INTERVAL_S, RESEND_AFTER_S, SILENCE_S
from robot.protocol import frames, messages
from robot.protocol.frames import ForeignHello, Packet, crc16, encode_frame
from robot.protocol.link_states import TRANSITIONS, LinkMisuseError, LinkState, Signal, next_state
from robot.protocol.messages import WINDOW, WINDOW_BYTES, BoardKind, Fault, Reason, State
from robot.protocol.settings import Setting


@pytest.fixture
def peer() -> Peer:
    """A link that has greeted its board."""
    peer = Peer()
    peer.link.open(0.0, 5.0, nonce=9)
    peer.sent()
    peer.hear(reply())
    return peer


def test_other_messages_are_held_to_the_window(peer: Peer) -> None:
    for _ in range(WINDOW + 3):
        peer.link.send(messages.Clear())
    assert len(peer.sent()) == WINDOW
    peer.hear(ack(2, accepted=0))
    assert [packet.seq for packet in peer.sent()] == [WINDOW, WINDOW + 1]


POSITIONS = [messages.Action(messages.ActionKind.POSITION, i, 1500, 255, 255) for i in range(4)]
LONGEST = messages.Step(0, messages.Begin.AFTER_END, 0, tuple(POSITIONS))


def test_steps_are_held_to_the_places_that_they_take(peer: Peer) -> None:
    """A plain turn takes one place, other steps take two and one more for each action."""
    peer.hear(ack(0, accepted=0, places=5))
    for step in (LONGEST, MOVE, MOVE, MOVE):
        peer.link.send(step)
    assert peer.sent() == []  # none may pass the first
    peer.hear(ack(0, accepted=0, places=8))
    sent = [packet.message for packet in peer.sent()]
    assert [step.number for step in sent if isinstance(step, messages.Step)] == [1, 2, 3]
    peer.hear(ack(3, accepted=3, executed=1, places=6))
    assert len(peer.sent()) == 1


def test_no_more_bytes_fly_than_the_board_can_keep(peer: Peer) -> None:
    peer.hear(ack(0, accepted=0, places=64))
    for _ in range(WINDOW):
        peer.link.send(LONGEST)
    frames = peer.link.bytes_to_send(0.0)
    longest = len(encode_frame(LONGEST))
    assert len(frames) <= WINDOW_BYTES
    assert len(frames) // longest == WINDOW_BYTES // longest == 3
    peer.hear(ack(1, accepted=1, places=58))
    assert len(peer.sent()) == 1


def test_everything_unacknowledged_is_sent_again_and_ever_more_slowly(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.link.send(MOVE)
    first = peer.sent()
    peer.wait(RESEND_AFTER_S)
    assert peer.sent() == first
    peer.wait(RESEND_AFTER_S)
    assert peer.sent() == [Packet(0, messages.StatusRequest())]
    peer.wait(RESEND_AFTER_S)
    assert peer.sent() == first
    peer.hear(ack(1, accepted=1))
    peer.wait(RESEND_AFTER_S)
    assert peer.sent()[0] == first[1]


def test_a_working_board_is_polled_and_its_silence_noticed(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.sent()
    peer.hear(ack(1, accepted=1))
    peer.wait(POLL_INTERVAL_S)
    assert peer.sent() == [Packet(0, messages.StatusRequest())]
    for _ in range(round(SILENCE_S / POLL_INTERVAL_S) - 1):
        assert peer.wait(POLL_INTERVAL_S) == []
    assert peer.wait(POLL_INTERVAL_S) == [events.NotAnswered(noise=False)]
    assert peer.link.state is LinkState.LOST


def test_a_resting_board_may_be_silent(peer: Peer) -> None:
    assert peer.wait(100.0) == []
    assert peer.link.next_wake_s() is None
    peer.link.send(messages.Clear())
    peer.sent()
    assert peer.wait(0.5 * SILENCE_S) == []


def test_a_stop_drops_what_was_queued_and_says_where(peer: Peer) -> None:
    for _ in range(6):
        peer.link.send(MOVE)
    peer.sent()
    peer.hear(ack(4, accepted=4, executed=1))
    stopped = status(State.ABORTED, 2, 2, next_seq=4, fault=Fault.ESTOP)
    assert peer.hear(stopped) == [stopped]
    nonce = peer.asked()
    peer.hear(reply(nonce, state=State.ABORTED, next_seq=4, accepted=2, executed=2))
    assert peer.hear(stopped) == [stopped, events.Progress(2, 2), events.Stopped(stopped)]
    assert peer.link.settled
    assert not peer.link.working


def test_a_refused_message_is_told_once_and_an_old_refusal_not_taken_for_a_new_one(
    peer: Peer,
) -> None:
    wrong = messages.Set(key=99, motor=0, value=1)
    peer.link.send(wrong)
    peer.sent()
    for number, reason in enumerate((Reason.UNKNOWN_KEY, Reason(99))):  # one of newer boards
        nak = messages.Nak(next_seq=0, refused=0x11, reason=reason)
        assert peer.hear(nak, nak) == [events.Refused(wrong, reason)], number
        peer.link.send(wrong)
        peer.sent()
    assert peer.hear(messages.Nak(next_seq=0, refused=0x10, reason=Reason.ABORTED)) == []
    assert not peer.link.settled


def test_every_state_is_reached_and_can_be_opened_again_and_misuse_is_refused(peer: Peer) -> None:
    assert set(TRANSITIONS.values()) == set(LinkState)
    assert all((state, Signal.OPEN) in TRANSITIONS for state in LinkState)
    assert all((state, Signal.HANG_UP) in TRANSITIONS for state in LinkState)
    with pytest.raises(LinkMisuseError, match=r"REPLY .*CLOSED"):
        next_state(LinkState.CLOSED, Signal.REPLY)
    with pytest.raises(LinkMisuseError, match="Hello"):
        peer.link.send(messages.Hello(protocol=messages.PROTOCOL_VERSION, nonce=1))


def test_a_refusal_names_the_key_to_leave_out() -> None:
    keys = ("driver_address",)
    named = {
        messages.Set(Setting.DRIVER_ADDRESS, 2, 8): ["driver_address"],
        messages.Set(Setting.GAP_US, 255, 3): [],
        messages.Set(250, 255, 3): [],
        messages.Enable(1): [],
    }
    said = {message: where_refused(message) for message in named}
    assert {message: [k for k in keys if k in text] for message, text in said.items()} == named
    assert all(said.values())


@pytest.fixture
def new() -> Peer:
    """A link that is not answered yet."""
    new = Peer()
    new.link.open(0.0, 1.0, nonce=9)
    return new


def test_hello_is_repeated_until_it_is_answered(new: Peer) -> None:
    assert new.sent() == [Packet(0, messages.Hello(protocol=messages.PROTOCOL_VERSION, nonce=9))]
    assert new.wait(0.2) == []
    assert len(new.sent()) == 1
    assert new.hear(reply(nonce=8)) == []
    assert new.hear(reply()) == []
    assert new.link.state is LinkState.READY


def test_a_board_of_protocol_2_is_recognised(new: Peer) -> None:
    """Its reply is shorter; it has the same type, and the version at the same place."""
    fields = (9, 2, 0, 1, 0, 1, 7, 1, 1, 0, 64, 0, 0, 6, 64)
    body = bytes((0x81, 0)) + struct.pack("<HBBBBBHBBBBIIBB", *fields)
    frame = b"\0" + frames.encode(body + crc16(body).to_bytes(2, "little")) + b"\0"
    assert new.link.receive(frame, 0.5) == [ForeignHello(2)]
    assert new.link.state is LinkState.FOREIGN


def test_a_board_of_an_unknown_kind_is_not_noise(new: Peer) -> None:
    (found,) = new.hear(replace(reply(), board=cast(BoardKind, 99)))
    assert isinstance(found, ForeignHello)
    assert found.version == messages.PROTOCOL_VERSION
    assert "99" in found.unknown
    assert new.link.state is LinkState.FOREIGN


def test_reconnecting_continues_from_what_the_board_took(peer: Peer) -> None:
    for _ in range(3):
        peer.link.send(MOVE)
    sent = peer.sent()
    peer.reopen(nonce=10)
    found = peer.hear(reply(nonce=10, next_seq=2, accepted=2, executed=1, state=State.MOVING))
    assert found == [events.Progress(2, 1)]
    assert peer.sent() == sent[2:]


def test_another_boot_id_ends_everything(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.sent()
    peer.reopen(nonce=10)
    assert kinds(peer.hear(reply(nonce=10, boot_id=8))) == [events.BoardRestarted]
    assert peer.link.settled
    assert peer.link.state is LinkState.RESTARTED
    assert peer.sent() == []


def test_counts_that_go_back_make_the_link_ask_who_is_there(peer: Peer) -> None:
    for count in (1, 2, 3):
        peer.link.send(MOVE)
        peer.sent()
        peer.hear(ack(count, accepted=count, executed=count))
    assert peer.hear(ack(0, accepted=0)) == []
    assert peer.link.state is LinkState.GREETING
    nonce = peer.asked()
    restarted = reply(nonce=nonce, boot_id=8)
    assert peer.hear(restarted) == [events.BoardRestarted(restarted)]
