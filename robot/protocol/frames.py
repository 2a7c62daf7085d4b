"""Packets in frames: type, sequence number, payload and checksum, stuffed and ended by a zero."""

from collections.abc import Iterator
from dataclasses import dataclass

from robot.protocol import cobs
from robot.protocol.crc import crc16
from robot.protocol.messages import (
    MAX_PAYLOAD,
    SPEC_BY_CODE,
    SPEC_BY_KIND,
    Abort,
    StatusRequest,
    foreign_version,
)
from robot.protocol.schema import Message

HEADER_SIZE = 2
CRC_SIZE = 2
MAX_PACKET = HEADER_SIZE + MAX_PAYLOAD + CRC_SIZE
MAX_ENCODED = MAX_PACKET + 1  # COBS adds one byte to anything below 255 bytes
DELIMITER = b"\x00"


@dataclass(frozen=True, slots=True)
class Packet:
    """A message as it came over the wire, intact."""

    seq: int
    message: Message


@dataclass(frozen=True, slots=True)
class ForeignHello:
    """An intact HELLO_REPLY of another protocol version."""

    version: int


@dataclass(frozen=True, slots=True)
class Garbage:
    """A frame that was dropped: damaged on the way, or no frame of ours at all."""

    size: int
    problem: str


Received = Packet | ForeignHello | Garbage


def encode_frame(message: Message, seq: int = 0) -> bytes:
    """Put a message into a frame.

    The frame begins with a zero as well as ending with one, so that noise before it, or the
    torn end of an earlier frame, is never taken for a part of it.

    Args:
        message: Any message of the table.
        seq: 0..255; 0 for unsequenced messages.
    """
    spec = SPEC_BY_KIND[type(message)]
    body = bytes((spec.code, seq)) + spec.pack(message)
    return b"\x00" + cobs.encode(body + crc16(body).to_bytes(CRC_SIZE, "little")) + b"\x00"


ABORT_FRAME = encode_frame(Abort())
STATUS_REQUEST_FRAME = encode_frame(StatusRequest())


def decode_frame(encoded: bytes) -> Received:
    """Read the bytes between two delimiters.

    Returns:
        The packet, or what was wrong with it; damage is expected on a wire and raises nothing.
    """
    try:
        packet = cobs.decode(encoded)
    except cobs.CobsError as error:
        return Garbage(len(encoded), str(error))
    if len(packet) < HEADER_SIZE + CRC_SIZE:
        return Garbage(len(encoded), "too short for a packet")
    body, checksum = packet[:-CRC_SIZE], packet[-CRC_SIZE:]
    if crc16(body) != int.from_bytes(checksum, "little"):
        return Garbage(len(encoded), "the checksum does not match")
    return _read_body(body)


def _read_body(body: bytes) -> Received:
    """Read an intact packet without its checksum."""
    code, seq, payload = body[0], body[1], body[HEADER_SIZE:]
    version = foreign_version(code, payload)
    if version is not None:
        return ForeignHello(version)
    if code not in SPEC_BY_CODE:
        return Garbage(len(body), f"no message has type 0x{code:02X}")
    try:
        return Packet(seq, SPEC_BY_CODE[code].unpack(payload))
    except ValueError as error:
        return Garbage(len(body), str(error))


class FrameDecoder:
    """Cuts a stream of bytes into frames, whatever pieces it comes in."""

    def __init__(self) -> None:
        self._frame = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> Iterator[Received]:
        """Take some bytes and yield what they complete, in order."""
        *ended, rest = data.split(DELIMITER)
        for piece in ended:
            self._take(piece)
            received = self._end_of_frame()
            if received is not None:
                yield received
        self._take(rest)

    @property
    def pending(self) -> int:
        """Bytes of the frame that has not ended yet."""
        return len(self._frame)

    def _take(self, piece: bytes) -> None:
        """Keep no more of a frame than the longest one has."""
        self._frame += piece
        if len(self._frame) > MAX_ENCODED:
            self._overlong = True
            del self._frame[MAX_ENCODED:]

    def _end_of_frame(self) -> Received | None:
        frame, overlong = bytes(self._frame), self._overlong
        self._frame.clear()
        self._overlong = False
        if overlong:
            return Garbage(len(frame), "longer than any frame")
        return decode_frame(frame) if frame else None
