"""The walk down Thistlethwaite's four tables, compiled."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from solver import descent

Bytes = NDArray[np.uint8]
Shorts = NDArray[np.int16]
Ints = NDArray[np.int64]
Four = tuple[Any, ...]

_BYTES = "Array(uint8, 1, 'C', readonly=True)"
_ROWS = "Array(uint8, 2, 'C', readonly=True)"
_LOOKUP = "Array(int16, 1, 'C', readonly=True)"
_MOVE_TABLE = "Array(int16, 2, 'C', readonly=True)"
_TURNS = "Array(int64, 1, 'C', readonly=True)"
_FOUR_BYTES, _FOUR_TURNS = f"UniTuple({_BYTES}, 4)", f"UniTuple({_TURNS}, 4)"
_FOUR_LOOKUPS, _FOUR_MOVES = f"UniTuple({_LOOKUP}, 4)", f"UniTuple({_MOVE_TABLE}, 4)"


descend = njit(
    f"int64(uint8[::1], {_ROWS}, {_FOUR_MOVES}, {_FOUR_MOVES}, {_FOUR_BYTES}, {_FOUR_TURNS},"
    f" {_FOUR_LOOKUPS}, int64[::1])",
    nogil=True,
    cache=True,
)(descent.descend)
"""`solver.descent.descend`, compiled: microseconds instead of milliseconds."""
