"""Compiled code of Thistlethwaite's four stages: filling the tables and walking down them.

Each stage is a pair of coordinates (a, b) with a move table each; the table holds the distance to
the stage's goal at ``a * (size_b >> fold) + (b >> fold)``. In the last stage the parity of a says
which of two neighbouring b is meant, so ``fold`` is 1 there and halves the table.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position

from __future__ import annotations

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


@njit(
    f"int64({_MOVE_TABLE}, {_MOVE_TABLE}, {_TURNS}, {_BYTES}, {_BYTES}, int64, uint8[::1],"
    " int32[::1])",
    nogil=True,
    cache=True,
)
def fill_distances(
    a_moves: Shorts,
    b_moves: Shorts,
    turns: Ints,
    a_parity: Bytes,
    b_parity: Bytes,
    fold: int,
    distances: Bytes,
    queue: NDArray[np.int32],
) -> int:
    """Fill distances (preset to 255) breadth first from (0, 0); queue is as long as distances.

    Returns the number of states reached. Parities are those of the coordinates as permutations
    and matter where fold is 1 only.
    """
    row = b_moves.shape[0] >> fold
    distances[0] = 0
    queue[0] = 0
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        a = here // row
        b = (here - a * row) << fold
        if fold and a_parity[a] != b_parity[b]:
            b += 1
        after = distances[here] + 1
        for turn in turns:
            there = a_moves[a, turn] * row + (b_moves[b, turn] >> fold)
            if distances[there] == 255:
                distances[there] = after
                queue[tail] = there
                tail += 1
    return tail


descend = njit(
    f"int64(uint8[::1], {_ROWS}, {_FOUR_MOVES}, {_FOUR_MOVES}, {_FOUR_BYTES}, {_FOUR_TURNS},"
    f" {_FOUR_LOOKUPS}, int64[::1])",
    nogil=True,
    cache=True,
)(descent.descend)
"""`solver.descent.descend`, compiled: microseconds instead of milliseconds."""
