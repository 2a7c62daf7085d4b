"""Who is there: the first greeting, and the one after something was lost."""

import struct

import pytest
from link_peer import MOVE, Peer, ack, kinds, reply

from robot.link import events
from robot.protocol import cobs, messages
from robot.protocol.crc import crc16
from robot.protocol.frames import Packet
from robot.protocol.link_states import LinkState
from robot.protocol.messages import (
    State,
)


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
    assert new.hear(reply()) == [events.Connected(reply(), resumed=False)]
    assert new.link.state is LinkState.READY


@pytest.mark.parametrize(
    ("said", "heard"), [(b"", events.Silence.NOTHING), (b"\x55\x00", events.Silence.NOISE)]
)
def test_no_reply_tells_silence_from_noise(new: Peer, said: bytes, heard: events.Silence) -> None:
    new.link.receive(said, 0.5)
    assert new.wait(1.0) == [events.NotAnswered(heard)]
    assert new.link.state is LinkState.LOST


def test_a_board_of_protocol_2_is_recognised(new: Peer) -> None:
    """Its reply is shorter; it has the same type, and the version at the same place."""
    fields = (9, 2, 0, 1, 0, 1, 7, 1, 1, 0, 64, 0, 0, 6, 64)
    body = bytes((0x81, 0)) + struct.pack("<HBBBBBHBBBBIIBB", *fields)
    frame = b"\0" + cobs.encode(body + crc16(body).to_bytes(2, "little")) + b"\0"
    assert new.link.receive(frame, 0.5) == [events.OtherVersion(2)]
    assert new.link.state is LinkState.FOREIGN


def test_reconnecting_goes_on_from_what_the_board_took(peer: Peer) -> None:
    for _ in range(3):
        peer.link.send(MOVE)
    sent = peer.sent()
    peer.reopen(nonce=10)
    found = peer.hear(reply(nonce=10, next_seq=2, accepted=2, executed=1, state=State.MOVING))
    assert found[0] == events.Connected(peer.link.board or reply(), resumed=True)
    assert found[1] == events.Progress(2, 1)
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


def test_counts_of_another_host_are_told(peer: Peer) -> None:
    peer.link.send(MOVE)
    peer.sent()
    peer.hear(ack(5, accepted=5))
    nonce = peer.asked()
    found = peer.hear(reply(nonce=nonce, next_seq=5, accepted=5))
    assert kinds(found) == [events.Connected, events.Desynchronised]
