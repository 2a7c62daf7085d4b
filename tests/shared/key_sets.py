"""Sets of keys for tests, which only compiled code can fill and ask."""

from numba import int64, uint64

from puzzles.paths.kernels.phi_one import hash_of, holds
from solver.kernels.compiled import compiled
from solver.kernels.memory import Quads, read


@compiled(int64(read(uint64), int64, int64))
def _claims(keys: Quads, made: int, bits: int) -> int:
    claimed = 0
    for key in keys:
        claimed += holds(made, bits, hash_of(int64(key)))
    return claimed


def claims(keys: Quads, made: int, bits: int) -> int:
    """How many of some keys a set claims; the set is given by its address."""
    return int(_claims(_unwritable(keys), made, bits))


def _unwritable(keys: Quads) -> Quads:
    keys = keys.view()
    keys.flags.writeable = False
    return keys
