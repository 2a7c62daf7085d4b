"""CRC-16/CCITT-FALSE, which guards every packet."""

POLYNOMIAL = 0x1021
INITIAL = 0xFFFF


def _entry(byte: int) -> int:
    """Run one byte through the register, bit by bit.

    Args:
        byte: 0..255, which stands in the upper half of the register.

    Returns:
        The register after eight shifts.
    """
    register = byte << 8
    for _ in range(8):
        register = (register << 1) ^ (POLYNOMIAL if register & 0x8000 else 0)
    return register & 0xFFFF


_TABLE = tuple(_entry(byte) for byte in range(256))


def crc16(data: bytes) -> int:
    """Compute the checksum of some bytes.

    Polynomial 0x1021, start 0xFFFF, not reflected, no final exclusive-or; the check value, the
    checksum of the nine bytes "123456789", is 0x29B1. Every error within 16 neighbouring bits is
    found. Source: the catalogue of parametrised CRC algorithms, entry CRC-16/IBM-3740.
    """
    register = INITIAL
    for byte in data:
        register = ((register << 8) & 0xFFFF) ^ _TABLE[(register >> 8) ^ byte]
    return register
