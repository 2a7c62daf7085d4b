"""Packets in frames: type, sequence number, payload and checksum, byte-stuffed, ended by a zero."""

from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import dataclass

from robot.protocol.cobs import CobsError, decode, encode
from robot.protocol.messages import (
    MAX_PAYLOAD,
    PROTOCOL_VERSION,
    SPEC_BY_CODE,
    SPEC_BY_KIND,
    Abort,
    HelloReply,
    StatusRequest,
    foreign_version,
)
from robot.protocol.schema import Message

POLYNOMIAL = 0x1021
INITIAL = 0xFFFF


def crc16(data: bytes) -> int:
    """Compute the checksum of some bytes.

    Polynomial 0x1021, start 0xFFFF, not reflected, no final exclusive-or; the check value, the
    checksum of the nine bytes "123456789", is 0x29B1. Every error within 16 neighbouring bits is
    found. Source: the catalogue of parametrised CRC algorithms, entry CRC-16/IBM-3740; the standard
    library's `crc_hqx` is the same polynomial with the start left to the caller.
    """
    return crc_hqx(data, INITIAL)


HEADER_SIZE = 2
CRC_SIZE = 2
MAX_PACKET = HEADER_SIZE + MAX_PAYLOAD + CRC_SIZE
MAX_ENCODED = MAX_PACKET + 1  # COBS adds one byte to anything below 255 bytes
DELIMITER = b"\x00"


@dataclass(frozen=True, slots=True)
class Packet:
    """A message as received, intact."""

    seq: int
    message: Message


@dataclass(frozen=True, slots=True)
class ForeignHello:
    """An intact HELLO_REPLY that this program cannot read.

    Attributes:
        version: The board's protocol version.
        unknown: What our version does not define, such as "9 is not a valid BoardKind"; empty for
            another version.
    """

    version: int
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Garbage:
    """A frame that was dropped: damaged on the way, or not one of ours."""

    size: int
    problem: str


@dataclass(frozen=True, slots=True)
class Unknown(Garbage):
    """An intact packet of an unknown type or length, which a board refuses.

    Attributes:
        code: Its type.
        seq: Its sequence number.
    """

    code: int
    seq: int


Received = Packet | ForeignHello | Garbage


def encode_frame(message: Message, seq: int = 0) -> bytes:
    """Put a message into a frame.

    The frame begins and ends with a zero, so noise before it, or the rest of an earlier frame, is
    never taken for a part of it.

    Args:
        message: Any message of the table.
        seq: 0..255; 0 for unsequenced messages.
    """
    spec = SPEC_BY_KIND[type(message)]
    body = bytes((spec.code, seq)) + spec.pack(message)
    return b"\x00" + encode(body + crc16(body).to_bytes(CRC_SIZE, "little")) + b"\x00"


ABORT_FRAME = encode_frame(Abort())
STATUS_REQUEST_FRAME = encode_frame(StatusRequest())


def decode_frame(encoded: bytes) -> Received:
    """Read the bytes between two delimiters.

    Returns:
        The packet, or what was wrong with it; damage is expected on a wire and does not raise an
        error.
    """
    try:
        packet = decode(encoded)
    except CobsError as error:
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
        return Unknown(len(body), f"no message has type 0x{code:02X}", code, seq)
    spec = SPEC_BY_CODE[code]
    try:
        return Packet(seq, spec.unpack(payload))
    except ValueError as error:
        if spec.kind is HelloReply and len(payload) in spec.sizes:
            return ForeignHello(PROTOCOL_VERSION, str(error))
        return Unknown(len(body), str(error), code, seq)


class FrameDecoder:
    """Splits a stream of bytes into frames; the pieces may have any size."""

    def __init__(self) -> None:
        self._frame = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> Iterator[Received]:
        """Take some bytes and yield the frames that they complete, in order."""
        *ended, rest = data.split(DELIMITER)
        for piece in ended:
            self._take(piece)
            received = self._end_of_frame()
            if received is not None:
                yield received
        self._take(rest)

    @property
    def pending(self) -> int:
        """Bytes of the incomplete frame."""
        return len(self._frame)

    def _take(self, piece: bytes) -> None:
        """Keep at most as many bytes as the longest frame has."""
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
