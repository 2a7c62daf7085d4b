"""Consistent overhead byte stuffing: bytes of any value become bytes without a zero.

A zero byte then ends a frame and nothing else, so that a receiver finds the next frame after any
damage. Source: S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions
on Networking 7 (1999) 159-172.
"""

LONGEST_BLOCK = 254


class CobsError(ValueError):
    """The bytes are no COBS encoding; a receiver drops such a frame."""


def encode(data: bytes) -> bytes:
    """Encode bytes so that none of them is zero.

    Each block begins with its own length: the distance to the next zero of the data.
    """
    encoded = bytearray()
    for block in data.split(b"\x00"):
        rest = block
        while len(rest) >= LONGEST_BLOCK:
            encoded.append(LONGEST_BLOCK + 1)
            encoded += rest[:LONGEST_BLOCK]
            rest = rest[LONGEST_BLOCK:]
        encoded.append(len(rest) + 1)
        encoded += rest
    return bytes(encoded)


def decode(encoded: bytes) -> bytes:
    """Decode what `encode` made.

    Raises:
        CobsError: A zero inside, or a block that claims more bytes than there are.
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
        if length <= LONGEST_BLOCK and end < len(encoded):
            data.append(0)
        position = end
    return bytes(data)
