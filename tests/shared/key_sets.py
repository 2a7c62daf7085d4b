"""Sets of keys for tests, which only compiled code can fill and ask."""

import numpy as np
from numba import int64, uint8, uint64, void

from solver.kernels.arrays import Bytes, Quads, read, written
from solver.kernels.compiled import compiled
from solver.kernels.ways.key_set import hash_of, holds, put


@compiled(void(read(uint64), written(uint8), int64))
def _put_all(keys: Quads, made: Bytes, bits: int) -> None:
    for key in keys:
        put(made, bits, hash_of(int64(key)))


@compiled(int64(read(uint64), int64, int64))
def _claims(keys: Quads, made: int, bits: int) -> int:
    claimed = 0
    for key in keys:
        claimed += holds(made, bits, hash_of(int64(key)))
    return claimed


def members(keys: Quads, bits: int) -> Bytes:
    """The set of some keys, of so many bits, a power of two given by its exponent."""
    made = np.zeros(1 << bits - 3, np.uint8)
    _put_all(_unwritable(keys), made, bits)
    return made


def claims(keys: Quads, made: int, bits: int) -> int:
    """How many of some keys a set claims; the set is given by its address."""
    return int(_claims(_unwritable(keys), made, bits))


def _unwritable(keys: Quads) -> Quads:
    keys = keys.view()
    keys.flags.writeable = False
    return keys
