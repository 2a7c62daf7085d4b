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


@njit(f"int64({_BYTES}, int64, int64, int64)", nogil=True, cache=True)
def _rank(row: Bytes, start: int, step: int, count: int) -> int:
    """Lexicographic rank of the count numbers at start, start + step, … of the row."""
    rank = 0
    for i in range(count):
        smaller = 0
        for j in range(i + 1, count):
            if row[start + j * step] < row[start + i * step]:
                smaller += 1
        rank = rank * (count - i) + smaller
    return rank


@njit(f"UniTuple(int64, 2)({_BYTES}, int64, {_FOUR_LOOKUPS})", nogil=True, cache=True)
def stage_coordinates(row: Bytes, stage: int, lookups: Four) -> tuple[int, int]:
    """The pair (a, b) of one stage for a cube of forty bytes (corners, twists, edges, flips).

    Lookups: slice numbers by mask, middle numbers by mask, corner cosets, square corners.
    """
    a, b = 0, 0
    if stage == 0:
        for i in range(28, 39):
            a = a * 2 + row[i]
    elif stage == 1:
        mask = 0
        for i in range(8, 15):
            a = a * 3 + row[i]
        for i in range(12):
            if row[16 + i] >= 8:
                mask |= 1 << i
        b = lookups[0][mask]
    elif stage == 2:
        mask = 0
        for i in range(8):
            if row[16 + i] & 1:
                mask |= 1 << i
        a = lookups[2][_rank(row, 0, 1, 8)]
        b = lookups[1][mask]
    else:
        a = lookups[3][_rank(row, 0, 1, 8)] * 24 + _rank(row, 17, 2, 4)
        b = _rank(row, 16, 2, 4) * 24 + _rank(row, 24, 1, 4)
    return a, b


@njit(f"void({_BYTES}, {_ROWS}, int64, uint8[::1])", nogil=True, cache=True)
def turn_row(row: Bytes, move_rows: Bytes, turn: int, after: Bytes) -> None:
    """Write the cube ``row`` after one turn to ``after``."""
    move = move_rows[turn]
    for i in range(8):
        place = move[i]
        after[i] = row[place]
        after[8 + i] = (row[8 + place] + move[8 + i]) % 3
    for i in range(16, 28):
        place = move[i]
        after[i] = row[16 + place]
        after[12 + i] = row[28 + place] ^ move[12 + i]


@njit(
    f"int64(uint8[::1], {_ROWS}, {_FOUR_MOVES}, {_FOUR_MOVES}, {_FOUR_BYTES}, {_FOUR_TURNS},"
    f" {_FOUR_LOOKUPS}, int64[::1])",
    nogil=True,
    cache=True,
)
def descend(
    row: Bytes,
    move_rows: Bytes,
    a_moves: Four,
    b_moves: Four,
    distances: Four,
    turns: Four,
    lookups: Four,
    moves: Ints,
) -> int:
    """Walk down the four tables, always taking the first turn that comes nearer.

    Writes the turns to ``moves`` (45 places), turns ``row`` along, and returns their number.
    """
    count = 0
    after = np.empty(40, np.uint8)
    for stage in range(4):
        fold = 1 if stage == 3 else 0
        size = b_moves[stage].shape[0] >> fold
        a, b = stage_coordinates(row, stage, lookups)
        togo = distances[stage][a * size + (b >> fold)]
        while togo > 0:
            for turn in turns[stage]:
                next_a, next_b = a_moves[stage][a, turn], b_moves[stage][b, turn]
                if distances[stage][next_a * size + (next_b >> fold)] == togo - 1:
                    a, b = next_a, next_b
                    moves[count] = turn
                    turn_row(row, move_rows, turn, after)
                    row[:] = after
                    break
            count += 1
            togo -= 1
    return count
