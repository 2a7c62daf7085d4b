"""CRC-16/CCITT-FALSE, which guards every packet."""

from binascii import crc_hqx

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
