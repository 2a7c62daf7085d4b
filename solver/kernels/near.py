"""Compiled code that builds the hash of the states near G2, with their complete endings.

Key of a state: class * 2187 + twist. Its value packs the distance (4 bits), the turns that lead
nearer (18 bits from bit 4), those that keep the distance (18 bits from bit 22), and the place of
its first ending (24 bits from bit 40).
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="arg-type, assignment"

import numpy as np
from numba import njit
from numpy.typing import NDArray

TWISTS = 2187
HASH_FACTOR = 0x9E3779B1
FILTER_BITS, SMALL_FILTER_BITS, HASH_BITS = 25, 21, 18

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint16]
Longs = NDArray[np.uint32]
Ints = NDArray[np.int64]

_BYTES = "Array(uint8, 1, 'C', readonly=True)"
_BYTE_ROWS = "Array(uint8, 2, 'C', readonly=True)"
_WORD_ROWS = "Array(uint16, 2, 'C', readonly=True)"
_LONG_ROWS = "Array(uint32, 2, 'C', readonly=True)"
_LONGS = "Array(uint32, 1, 'C', readonly=True)"
_KEYS = "Array(int64, 1, 'C', readonly=True)"


@njit(
    f"int64({_BYTES}, {_LONG_ROWS}, {_WORD_ROWS}, {_WORD_ROWS}, {_BYTE_ROWS}, {_BYTE_ROWS},"
    f" {_LONGS}, uint32[::1], int64, int64, int64, int64, int64, int64, int64)",
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
    allowed: Longs,
    endings: Longs,
    count: int,
    cls: int,
    twist: int,
    symmetry: int,
    last: int,
    depth: int,
    word: int,
) -> int:
    """Append the shortest ways into G2 that end in a clockwise turn; the new number of endings.

    The other ways are these with the last turn the other way round. Turns are named in the frame
    in which the way starts.
    """
    distance = distances[cls * TWISTS + twist]
    if distance == 0:
        endings[count] = word
        return count + 1
    below = depth + 1
    for turn in range(18):
        if not allowed[last] >> turn & 1 or (distance == 1 and turn % 3 != 0):
            continue
        frame = frame_turns[symmetry, turn]
        entry = class_moves[cls, frame]
        by = entry & 15
        moved = np.int64(conjugates[twist_moves[twist, frame], by])
        there = np.int64(entry >> 4)
        if distances[there * TWISTS + moved] == distance - 1:
            count = collect_endings(
                distances,
                class_moves,
                twist_moves,
                conjugates,
                products,
                frame_turns,
                allowed,
                endings,
                count,
                there,
                moved,
                np.int64(products[by, symmetry]),
                np.int64(turn),
                below,
                word | np.int64(turn) << (5 * depth),
            )
    return count


@njit(
    f"int64({_BYTES}, {_KEYS}, {_LONG_ROWS}, {_WORD_ROWS}, {_WORD_ROWS}, {_BYTE_ROWS},"
    f" {_BYTE_ROWS}, {_LONGS}, uint32[::1], uint64[::1], uint32[::1])",
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
    allowed: Longs,
    keys: Longs,
    values: NDArray[np.uint64],
    endings: Longs,
) -> int:
    """Enter the states into the hash (keys preset to 0) and list their endings; their number."""
    count = 0
    start, first, none = np.int64(0), np.int64(0), np.int64(18)
    for key in states:
        cls, twist = key // TWISTS, key % TWISTS
        distance = np.int64(distances[key])
        nearer, level = 0, 0
        for turn in range(18):
            entry = class_moves[cls, turn]
            moved = np.int64(conjugates[twist_moves[twist, turn], entry & 15])
            other = np.int64(distances[np.int64(entry >> 4) * TWISTS + moved])
            nearer |= (other < distance) << turn
            level |= (other == distance) << turn
        begin = count
        if distance > 0:
            count = collect_endings(
                distances,
                class_moves,
                twist_moves,
                conjugates,
                products,
                frame_turns,
                allowed,
                endings,
                count,
                cls,
                twist,
                first,
                none,
                start,
                first,
            )
            endings[count - 1] |= np.uint32(1 << 31)
        slot = ((key * HASH_FACTOR) & 0xFFFFFFFF) >> (32 - HASH_BITS)
        while keys[slot] != 0:
            slot = (slot + 1) & ((1 << HASH_BITS) - 1)
        keys[slot] = key + 1
        values[slot] = distance | nearer << 4 | level << 22 | begin << 40
    return count


@njit(f"void({_KEYS}, uint8[::1], int64)", nogil=True, cache=True)
def fill_filter(states: Ints, bits: Bytes, size: int) -> None:
    """Set two bits for every state in a filter of 2**size bits, both in one cache line."""
    for key in states:
        product = (key * HASH_FACTOR) & 0xFFFFFFFF
        first = product >> (32 - size)
        second = first & ~511 | product & 511
        bits[first >> 3] |= 1 << (first & 7)
        bits[second >> 3] |= 1 << (second & 7)
