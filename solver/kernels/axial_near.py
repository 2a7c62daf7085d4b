"""Compiled code that builds the hash of the states near G2 in a metric of axial turns.

Key of a state: class * 2187 + twist. Its value packs the distance (8 bits) and the place of its
first ending. Endings are packed six bits a turn, first lowest; bit 63 marks a state's last one.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="arg-type, assignment"

import numpy as np
from numba import njit
from numpy.typing import NDArray

TWISTS = 2187
HASH_FACTOR = 0x9E3779B1
HASH_BITS = 19

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint16]
Longs = NDArray[np.uint32]
Quads = NDArray[np.uint64]
Ints = NDArray[np.int64]

_BYTES = "Array(uint8, 1, 'C', readonly=True)"
_BYTE_ROWS = "Array(uint8, 2, 'C', readonly=True)"
_WORD_ROWS = "Array(uint16, 2, 'C', readonly=True)"
_LONG_ROWS = "Array(uint32, 2, 'C', readonly=True)"
_INTS = "Array(int64, 1, 'C', readonly=True)"


@njit("boolean(int64)", nogil=True, cache=True)
def is_entry(turn: int) -> bool:
    """Whether a turn enters G2 and stands for all that differ from it by half turns."""
    axis, a, b = turn // 15, (turn % 15 + 1) // 4, (turn % 15 + 1) % 4
    return axis > 0 and a < 2 and b < 2


@njit(
    f"int64({_BYTES}, {_LONG_ROWS}, {_WORD_ROWS}, {_WORD_ROWS}, {_BYTE_ROWS}, {_BYTE_ROWS},"
    f" {_INTS}, uint64[::1], int64, int64, int64, int64, int64, int64, int64)",
    nogil=True,
    cache=True,
)
def collect_endings(
    distances: Bytes,
    class_moves: Longs,
    twist_moves: Words,
    conjugates: Words,
    products: Bytes,
    frame_turns: Bytes,
    costs: Ints,
    endings: Quads,
    count: int,
    cls: int,
    twist: int,
    symmetry: int,
    axis: int,
    depth: int,
    word: int,
) -> int:
    """Append the cheapest ways into G2; the new number of endings.

    Turns are named in the frame in which the way starts, and so is the axis that the next turn
    must not have.
    """
    distance = np.int64(distances[cls * TWISTS + twist])
    if distance == 0:
        endings[count] = word
        return count + 1
    below = depth + 1
    for turn in range(45):
        if turn // 15 == axis or costs[turn] > distance:
            continue
        if costs[turn] == distance and not is_entry(turn):
            continue
        frame = frame_turns[symmetry, turn]
        entry = class_moves[cls, frame]
        by = entry & 15
        moved = np.int64(conjugates[twist_moves[twist, frame], by])
        there = np.int64(entry >> 4)
        if distances[there * TWISTS + moved] == distance - costs[turn]:
            count = collect_endings(
                distances,
                class_moves,
                twist_moves,
                conjugates,
                products,
                frame_turns,
                costs,
                endings,
                count,
                there,
                moved,
                np.int64(products[by, symmetry]),
                np.int64(turn // 15),
                below,
                word | np.int64(turn) << (6 * depth),
            )
    return count


@njit(
    f"int64({_BYTES}, {_INTS}, {_LONG_ROWS}, {_WORD_ROWS}, {_WORD_ROWS}, {_BYTE_ROWS},"
    f" {_BYTE_ROWS}, {_INTS}, uint32[::1], uint32[::1], uint64[::1])",
    nogil=True,
    cache=True,
)
def fill_near(
    distances: Bytes,
    states: Ints,
    class_moves: Longs,
    twist_moves: Words,
    conjugates: Words,
    products: Bytes,
    frame_turns: Bytes,
    costs: Ints,
    keys: Longs,
    values: Longs,
    endings: Quads,
) -> int:
    """Enter the states into the hash (keys preset to 0) and list their endings; their number."""
    count = 0
    start, none = np.int64(0), np.int64(3)
    for key in states:
        begin = count
        if distances[key] > 0:
            count = collect_endings(
                distances,
                class_moves,
                twist_moves,
                conjugates,
                products,
                frame_turns,
                costs,
                endings,
                count,
                np.int64(key // TWISTS),
                np.int64(key % TWISTS),
                start,
                none,
                start,
                start,
            )
            endings[count - 1] |= np.uint64(1) << np.uint64(63)
        slot = ((key * HASH_FACTOR) & 0xFFFFFFFF) >> (32 - HASH_BITS)
        while keys[slot] != 0:
            slot = (slot + 1) & ((1 << HASH_BITS) - 1)
        keys[slot] = key + 1
        values[slot] = np.int64(distances[key]) | begin << 8
    return count
