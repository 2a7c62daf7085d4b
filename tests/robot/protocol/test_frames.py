"""CRC, COBS and frames: published vectors, chunks and damage; generated files."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from robot.protocol import codegen, frames
from robot.protocol.frames import FrameDecoder, Garbage, Packet, crc16, decode_frame, encode_frame
from robot.protocol.messages import MESSAGES, PROTOCOL_VERSION, Ack, HelloReply
from robot.protocol.schema import Field, Message, MessageSpec

_LIMITS = {letter: (0, 2**bits - 1) for letter, bits in (("B", 8), ("H", 16), ("I", 32))}
_LIMITS["h"] = -(2**15), 2**15 - 1


def _values(field: Field) -> st.SearchStrategy[int]:
    if field.enum is not None:
        return st.sampled_from(list(field.enum))
    return st.integers(*_LIMITS[field.wire.value])


@st.composite
def messages_of(draw: st.DrawFn, spec: MessageSpec) -> Message:
    values: list[object] = [draw(_values(field)) for field in spec.head.fields]
    if spec.kind is HelloReply:
        values[1] = PROTOCOL_VERSION
    if spec.part is not None:
        kind = spec.part.kind
        part = st.tuples(*map(_values, spec.part.fields)).map(lambda row: kind(*row))
        parts = st.lists(part, min_size=1, max_size=spec.most)
        values.append(draw(parts.map(tuple)))
    return spec.kind(*values)


any_message = st.sampled_from(MESSAGES).flatmap(messages_of)


def test_crc_check_value_and_cobs_vectors() -> None:
    """Examples of the paper and of the encyclopedia's article on it."""
    assert crc16(b"123456789") == 0x29B1
    assert crc16(b"") == 0xFFFF
    for data, encoded in (
        (b"\x00", b"\x01\x01"),
        (b"\x00\x00", b"\x01\x01\x01"),
        (b"\x00\x11\x00", b"\x01\x02\x11\x01"),
        (b"\x11\x22\x00\x33", b"\x03\x11\x22\x02\x33"),
        (b"\x11\x22\x33\x44", b"\x05\x11\x22\x33\x44"),
        (b"\x11\x00\x00\x00", b"\x02\x11\x01\x01\x01"),
        (b"", b"\x01"),
    ):
        assert frames.encode(data) == encoded
        assert frames.decode(encoded) == data


@given(st.lists(st.tuples(any_message, st.integers(0, 255)), max_size=6), st.data())
def test_any_chunking_gives_the_same_packets(
    sent: list[tuple[Message, int]], data: st.DataObject
) -> None:
    stream = b"".join(encode_frame(message, seq) for message, seq in sent)
    decoder = FrameDecoder()
    received = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        received += list(decoder.feed(stream[:size]))
        stream = stream[size:]
    assert received == [Packet(seq, message) for message, seq in sent]


@settings(max_examples=30)
@given(any_message)
def test_every_damage_of_one_place_is_rejected(message: Message) -> None:
    """A flipped bit, a missing end or beginning, a byte that is lost or comes twice."""
    frame = encode_frame(message, seq=7)
    inside = frame[1:-1]
    assert isinstance(decode_frame(inside), Packet)
    for bit in range(8 * len(inside)):
        damaged = bytearray(frame)
        damaged[1 + bit // 8] ^= 1 << bit % 8
        received = list(FrameDecoder().feed(bytes(damaged)))
        assert received
        assert all(isinstance(item, Garbage) for item in received), bit
    pieces = [inside[:place] for place in range(1, len(inside))]
    pieces += [inside[place:] for place in range(1, len(inside))]
    pieces += [inside[:place] + inside[place + 1 :] for place in range(len(inside))]
    pieces += [inside[: place + 1] + inside[place:] for place in range(len(inside))]
    assert [piece for piece in pieces if not isinstance(decode_frame(piece), Garbage)] == []


@given(st.binary(max_size=300))
def test_noise_is_survived_and_the_next_frame_is_read(noise: bytes) -> None:
    decoder = FrameDecoder()
    list(decoder.feed(noise))
    message = Ack(next_seq=1, credits=2, accepted=3, executed=3)
    assert list(decoder.feed(encode_frame(message)))[-1] == Packet(0, message)


def test_an_overlong_frame_is_dropped_whole_and_intact_packets_of_no_use_say_why() -> None:
    received = list(FrameDecoder().feed(b"\x05" * (frames.MAX_ENCODED + 1) + b"\x00"))
    assert [type(item) for item in received] == [Garbage]
    for body, told in (
        (b"\x7f\x00", "0x7F"),
        (b"\x82\x00\x01", "ACK 10 1"),
        (b"\x10\x00" + bytes(5), "STEP 11 17 23 29 5"),
        (b"\x10\x00" + bytes(12), "STEP 11 17 23 29 12"),
        (b"\x84\x00\x09" + bytes(14), "State 9"),
    ):
        found = decode_frame(frames.encode(body + crc16(body).to_bytes(2, "little")))
        assert isinstance(found, Garbage)
        assert [word for word in told.split() if word not in found.problem] == []


def test_constant_frames_hold_no_zero_inside() -> None:
    assert frames.ABORT_FRAME.hex() == "000203035c4800"
    assert frames.STATUS_REQUEST_FRAME.hex() == "000202036d7b00"


ROOT = Path(__file__).resolve().parents[3]


def test_generated_files_are_fresh() -> None:
    assert codegen.stale_files(ROOT) == {}, "run `python -m robot.protocol.codegen`"


def test_stale_and_missing_files_are_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    manual = tmp_path / codegen.MANUAL
    manual.write_text(
        (ROOT / codegen.MANUAL).read_text().replace("| 0x82 | ACK |", "| 0x82 | OK |")
    )
    assert set(codegen.stale_files(tmp_path)) == {
        manual,
        tmp_path / codegen.HEADER,
        tmp_path / codegen.HOST_HEADER,
    }
