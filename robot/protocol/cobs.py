"""Consistent overhead byte stuffing: any bytes are encoded without zeros.

A zero byte always ends a frame, so a receiver finds the next frame after any damage. Source: S.
Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking 7
(1999) 159-172.
"""


class CobsError(ValueError):
    """The bytes are not valid COBS; a receiver drops such a frame."""


def encode(data: bytes) -> bytes:
    """Encode bytes so that none of them is zero.

    Each block begins with its own length: the distance to the next zero of the data. Our packets
    are shorter than the longest block of the encoding, 254 bytes.
    """
    return b"".join(bytes([len(block) + 1]) + block for block in data.split(b"\x00"))


def decode(encoded: bytes) -> bytes:
    """Decode the result of `encode`.

    Raises:
        CobsError: There is a zero inside, or a block is longer than the rest of the bytes.
    """
    if not encoded or 0 in encoded:
        raise CobsError("a COBS frame has at least one byte and no zero")
    data = bytearray()
    position = 0
    while position < len(encoded):
        length = encoded[position]
        end = position + length
        if end > len(encoded):
            raise CobsError("a block is cut short")
        data += encoded[position + 1 : end]
        if end < len(encoded):
            data.append(0)
        position = end
    return bytes(data)
