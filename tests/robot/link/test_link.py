"""The link by itself: bytes and time in, events and bytes out."""

import pytest

from robot.link import events
from robot.link.link import Link
from robot.link.timers import POLL_INTERVAL_S, RESEND_AFTER_S, SILENCE_S
from robot.protocol import messages
from robot.protocol.frames import FrameDecoder, Packet, encode_frame
from robot.protocol.link_states import LinkMisuseError, LinkState
from robot.protocol.messages import (
    WINDOW,
    BoardKind,
    EventKind,
    Fault,
    MoveStep,
    Reason,
    ResetCause,
    State,
)
from robot.protocol.schema import Message

MOVE = MoveStep(number=0, motor_a=0, quarters_a=1, motor_b=0xFF, quarters_b=0)


def reply(
    nonce: int = 9,
    *,
    boot_id: int = 7,
    state: State = State.IDLE,
    next_seq: int = 0,
    accepted: int = 0,
    executed: int = 0,
    protocol: int = messages.PROTOCOL_VERSION,
) -> messages.HelloReply:
    return messages.HelloReply(
        nonce=nonce,
        protocol=protocol,
        firmware_major=0,
        firmware_minor=1,
        firmware_patch=0,
        board=BoardKind.HOST,
        boot_id=boot_id,
        reset_cause=ResetCause.POWER_ON,
        state=state,
        next_seq=next_seq,
        credits=4,
        accepted=accepted,
        executed=executed,
        motors=6,
        queue_size=4,
    )


def status(
    state: State,
    accepted: int,
    executed: int,
    *,
    next_seq: int = 0,
    fault: Fault = Fault.NONE,
    partial_a: int = 0,
) -> messages.Status:
    return messages.Status(
        state=state,
        flags=0,
        credits=4,
        accepted=accepted,
        executed=executed,
        next_seq=next_seq,
        fault=fault,
        partial_a=partial_a,
        partial_b=0,
    )


def ack(next_seq: int, accepted: int, executed: int = 0, places: int = 4) -> messages.Ack:
    return messages.Ack(next_seq=next_seq, credits=places, accepted=accepted, executed=executed)


class Peer:
    """Reads what a link sends, and lets it hear messages."""

    def __init__(self) -> None:
        self.link = Link()
        self.now_s = 0.0
        self._decoder = FrameDecoder()

    def sent(self) -> list[Packet]:
        data = self.link.bytes_to_send(self.now_s)
        return [item for item in self._decoder.feed(data) if isinstance(item, Packet)]

    def hear(self, *said: Message) -> list[events.LinkEvent]:
        data = b"".join(encode_frame(message) for message in said)
        return self.link.receive(data, self.now_s)

    def wait(self, duration_s: float) -> list[events.LinkEvent]:
        self.now_s += duration_s
        return self.link.pass_time(self.now_s)


@pytest.fixture
def peer() -> Peer:
    peer = Peer()
    peer.link.open(0.0, 5.0, nonce=9)
    peer.sent()
    peer.hear(reply())
    return peer


def kinds(found: list[events.LinkEvent]) -> list[type]:
    return [type(event) for event in found]


def test_hello_is_repeated_until_it_is_answered() -> None:
    peer = Peer()
    peer.link.open(0.0, 1.0, nonce=9)
    assert peer.sent() == [Packet(0, messages.Hello(protocol=messages.PROTOCOL_VERSION, nonce=9))]
    assert peer.wait(0.2) == []
    assert len(peer.sent()) == 1
    assert peer.hear(reply(nonce=8)) == []
    assert peer.hear(reply()) == [events.Connected(reply(), resumed=False)]
    assert peer.link.state is LinkState.READY


def test_boot_noise_before_the_reply_is_passed_over() -> None:
    peer = Peer()
    peer.link.open(0.0, 1.0, nonce=9)
    noise = b"\xf0\x00optiboot\xff\x00\x00\x03\x82\x01"
    found = peer.link.receive(noise + encode_frame(reply()), 0.1)
    assert kinds(found) == [events.Connected]


@pytest.mark.parametrize(
    ("said", "heard"), [(b"", events.Silence.NOTHING), (b"\x55\x00", events.Silence.NOISE)]
)
def test_no_reply_tells_silence_from_noise(said: bytes, heard: events.Silence) -> None:
    peer = Peer()
    peer.link.open(0.0, 1.0, nonce=9)
    peer.link.receive(said, 0.5)
    assert peer.wait(1.0) == [events.NotAnswered(heard)]
    assert peer.link.state is LinkState.LOST


def test_another_version_is_recognised() -> None:
    peer = Peer()
    peer.link.open(0.0, 1.0, nonce=9)
    assert peer.hear(reply(protocol=3)) == [events.OtherVersion(3)]
    assert peer.link.state is LinkState.FOREIGN


def test_moves_are_numbered_and_never_exceed_the_credits(peer: Peer) -> None:
    for _ in range(6):
        peer.link.send(MOVE)
    first = peer.sent()
    assert [(packet.seq, packet.message.number) for packet in first] == [  # type: ignore[attr-defined]  # they are moves
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    assert peer.sent() == []
    peer.hear(ack(4, accepted=4, places=0))
    assert peer.sent() == []
    assert peer.hear(ack(4, accepted=4, executed=1, places=1)) == [events.Progress(4, 1)]
    assert [packet.seq for packet in peer.sent()] == [4]


def test_other_messages_are_held_to_the_window(peer: Peer) -> None:
    for _ in range(WINDOW + 3):
        peer.link.send(messages.Clear())
    assert len(peer.sent()) == WINDOW
    peer.hear(ack(2, accepted=0))
    assert [packet.seq for packet in peer.sent()] == [WINDOW, WINDOW + 1]


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


def test_sequence_numbers_wrap_around(peer: Peer) -> None:
    for count in range(1, 600):
        peer.link.send(MOVE)
        (packet,) = peer.sent()
        assert packet.seq == (count - 1) % 256
        peer.hear(ack(count % 256, accepted=count, executed=count))
    assert peer.link.settled


def test_a_working_board_is_polled_and_its_silence_noticed(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.sent()
    peer.hear(ack(1, accepted=1))
    peer.wait(POLL_INTERVAL_S)
    assert peer.sent() == [Packet(0, messages.StatusRequest())]
    for _ in range(round(SILENCE_S / POLL_INTERVAL_S) - 1):
        assert peer.wait(POLL_INTERVAL_S) == []
    assert peer.wait(POLL_INTERVAL_S) == [events.NotAnswered(events.Silence.NOTHING)]
    assert peer.link.state is LinkState.LOST


def test_a_host_that_slept_asks_before_it_calls_the_board_silent(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.sent()
    peer.hear(ack(1, accepted=1))
    assert peer.wait(60.0) == []
    assert Packet(0, messages.StatusRequest()) in peer.sent()
    for _ in range(3):
        assert peer.wait(POLL_INTERVAL_S) == []
    assert peer.wait(POLL_INTERVAL_S) == []
    assert peer.wait(POLL_INTERVAL_S) == [events.NotAnswered(events.Silence.NOTHING)]


def test_a_resting_board_may_be_silent(peer: Peer) -> None:
    assert peer.wait(100.0) == []
    assert peer.link.next_wake_s() is None
    peer.link.send(messages.Clear())
    peer.sent()
    assert peer.wait(0.5 * SILENCE_S) == []


def test_reconnecting_goes_on_from_what_the_board_took(peer: Peer) -> None:
    for _ in range(3):
        peer.link.send(MOVE)
    sent = peer.sent()
    peer.link.hang_up()
    peer.link.open(1.0, 5.0, nonce=10)
    peer.sent()
    found = peer.hear(reply(nonce=10, next_seq=2, accepted=2, executed=1, state=State.MOVING))
    assert found[0] == events.Connected(peer.link.board or reply(), resumed=True)
    assert found[1] == events.Progress(2, 1)
    assert peer.sent() == sent[2:]


def test_another_boot_id_ends_everything(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.sent()
    peer.link.hang_up()
    peer.link.open(1.0, 5.0, nonce=10)
    peer.sent()
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
    (hello,) = peer.sent()
    assert isinstance(hello.message, messages.Hello)
    restarted = reply(nonce=hello.message.nonce, boot_id=8)
    assert peer.hear(restarted) == [events.BoardRestarted(restarted)]


def test_counts_of_another_host_are_told(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.sent()
    peer.hear(ack(5, accepted=5))
    (hello,) = peer.sent()
    assert isinstance(hello.message, messages.Hello)
    found = peer.hear(reply(nonce=hello.message.nonce, next_seq=5, accepted=5))
    assert kinds(found) == [events.Connected, events.Desynchronised]


def test_a_stop_drops_what_was_queued_and_says_where(peer: Peer) -> None:
    for _ in range(6):
        peer.link.send(MOVE)
    peer.sent()
    peer.hear(ack(4, accepted=4, executed=1))
    stopped = status(State.ABORTED, 2, 2, next_seq=4, fault=Fault.ESTOP)
    assert peer.hear(stopped) == [events.Reported(stopped)]
    (hello,) = peer.sent()
    assert isinstance(hello.message, messages.Hello)
    nonce = hello.message.nonce
    peer.hear(reply(nonce, state=State.ABORTED, next_seq=4, accepted=2, executed=2))
    assert peer.hear(stopped) == [
        events.Reported(stopped),
        events.Progress(2, 2),
        events.Stopped(stopped),
    ]
    assert peer.link.settled
    assert not peer.link.working


def test_a_stop_seen_first_in_an_acknowledgement_is_looked_into(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.link.send(MOVE)
    peer.sent()
    peer.hear(ack(2, accepted=2))
    peer.hear(ack(2, accepted=1, executed=1))
    (hello,) = peer.sent()
    assert isinstance(hello.message, messages.Hello)
    nonce = hello.message.nonce
    found = peer.hear(reply(nonce, state=State.ABORTED, next_seq=2, accepted=1, executed=1))
    assert kinds(found) == [events.Connected]
    peer.link.send(MOVE)
    assert peer.sent() == [Packet(0, messages.StatusRequest())]
    stopped = status(State.ABORTED, 1, 1, next_seq=2, fault=Fault.HOST_SILENT)
    assert kinds(peer.hear(stopped)) == [events.Reported, events.Progress, events.Stopped]


def test_a_refused_message_is_told_once(peer: Peer) -> None:
    wrong = messages.Set(key=99, motor=0, value=1)
    peer.link.send(wrong)
    peer.sent()
    nak = messages.Nak(next_seq=0, refused=0x11, reason=Reason.UNKNOWN_KEY)
    assert peer.hear(nak, nak) == [events.Refused(wrong, Reason.UNKNOWN_KEY)]


def test_an_old_refusal_is_not_taken_for_a_new_one(peer: Peer) -> None:
    peer.link.send(messages.Clear())
    peer.sent()
    old = messages.Nak(next_seq=0, refused=0x10, reason=Reason.ABORTED)
    assert peer.hear(old) == []
    assert not peer.link.settled


def test_a_move_refused_for_the_state_makes_the_link_ask_for_it(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.sent()
    nak = messages.Nak(next_seq=0, refused=0x10, reason=Reason.NOT_ENABLED)
    assert peer.hear(nak) == []
    assert peer.sent() == [Packet(0, messages.StatusRequest())]
    peer.hear(status(State.DISABLED, 0, 0))
    (hello,) = peer.sent()
    assert isinstance(hello.message, messages.Hello)
    peer.hear(reply(hello.message.nonce, state=State.DISABLED))
    assert kinds(peer.hear(status(State.DISABLED, 0, 0))) == [events.Reported, events.Stopped]


def test_values_and_events_are_passed_on(peer: Peer) -> None:
    value = messages.Value(key=16, motor=255, value=1000)
    button = messages.Event(kind=EventKind.BUTTON, arg=0, executed=0)
    assert peer.hear(value, button) == [events.SettingRead(value), events.BoardSaid(button)]


def test_only_sequenced_messages_are_queued(peer: Peer) -> None:
    with pytest.raises(LinkMisuseError, match="Hello is not sent in sequence"):
        peer.link.send(messages.Hello(protocol=messages.PROTOCOL_VERSION, nonce=1))
