"""Sets of keys that may claim a key that is not in them, never the other way round.

Each key has three bits, all in one line of 64 bytes, so that a look at a set waits for the memory
once (B. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970; in lines:
F. Putze, P. Sanders, J. Singler, "Cache-, hash- and space-efficient Bloom filters", 2007).
"""
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return, return-value"

import numpy as np
from numba import int64, uint8, uint64

from solver.kernels.arrays import Bytes
from solver.kernels.compiled import inlined
from solver.kernels.memory import load8, prefetch

_MIX, _STIR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_HALF, _WORD = np.uint64(32), np.uint64(64)
_LINE_BITS = 9


@inlined
def hash_of(key: int) -> int:
    """What tells the line of a key, by its highest bits, and the bits in it, by its lowest."""
    mixed = uint64(key) * _MIX
    return int64((mixed ^ mixed >> _HALF) * _STIR)


@inlined
def line_of(hashed: int, bits: int) -> int:
    """The first byte of a hash's line in a set of so many bits, a power of two by its exponent."""
    return int64(uint64(hashed) >> (_WORD - uint64(bits - _LINE_BITS))) << 6


@inlined
def put(members: Bytes, bits: int, hashed: int) -> None:
    """Make a key a member, given its hash."""
    line, places = line_of(hashed, bits), hashed >> 5
    for _ in range(3):
        members[line + (places >> 3 & 63)] |= uint8(1 << (places & 7))
        places >>= _LINE_BITS


@inlined
def fetch(members: int, bits: int, hashed: int) -> None:
    """Have the memory fetch what `holds` looks at; the set is given by its address."""
    prefetch(members + line_of(hashed, bits))


@inlined
def holds(members: int, bits: int, hashed: int) -> int:
    """Whether a key may be a member: 1 or 0."""
    line, places, found = members + line_of(hashed, bits), hashed >> 5, 1
    for _ in range(3):
        found &= load8(line, places >> 3 & 63) >> (places & 7)
        places >>= _LINE_BITS
    return found & 1
