"""Compiled searches over masks: 24 places of an orbit, of which some hold a chosen set of pieces.

A state is one number: a bit for each place, and in bit 24 a parity. Its index in a table of
distances is the mask's rank among all masks with as many bits, in the colexicographic order.

This module also contains tables for the centres of several orbits on one axis, all at once. In the
last phase, every centre is on its axis: of an orbit's eight places on two opposite faces, four hold
the first colour. There are 70 such octets, so four orbits have 70**4 of them together.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

import numpy as np
from numba import int64, uint8, uint32
from numpy.typing import NDArray

from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, Longs, lowest_bit, read, record, written

UNREACHED = 255
OCTETS = 70


class MaskMaps(NamedTuple):
    """How turns change masks, and how masks are numbered.

    Attributes:
        bytes_by: The bits that each byte of a mask gives after each turn, shape (turns, 3, 256).
        odd: Whether a turn changes the parity, shape (turns,).
        ones: The number of bits of each half mask, shape (4096,).
        low: The rank that the lower half gives, shape (4096,).
        high: The rank that the upper half gives, by the bits of the lower, shape (13, 4096).
    """

    bytes_by: NDArray[np.uint32]
    odd: Bytes
    ones: Bytes
    low: Longs
    high: Longs


MASK_MAPS = record(
    MaskMaps, read(uint32, 3), read(uint8), read(uint8), read(uint32), read(uint32, 2)
)


@inlined
def turned_mask(state: int, turn: int, maps: MaskMaps) -> int:
    """Return a state after a turn."""
    made = int64(maps.bytes_by[turn, 0, state & 255]) | int64(
        maps.bytes_by[turn, 1, state >> 8 & 255]
    )
    made |= int64(maps.bytes_by[turn, 2, state >> 16 & 255])
    return made | (state >> 24 ^ int64(maps.odd[turn])) << 24


@inlined
def mask_index(state: int, maps: MaskMaps) -> int:
    """Return the index of a state in a table of distances."""
    low = state & 4095
    rank = int64(maps.low[low]) + int64(maps.high[maps.ones[low], state >> 12 & 4095])
    return rank << 1 | state >> 24


@compiled(int64(read(int64), int64, MASK_MAPS, int64, written(uint8), written(int64)))
def spread(
    states: Ints, usable: int, maps: MaskMaps, depth: int, distances: Bytes, reached: Ints
) -> int:
    """Set the next distance for unreached neighbours of states; write them, return their number.

    ``usable`` has a bit for each turn that may be made.
    """
    count = 0
    for state in states:
        todo = usable
        while todo:
            turn = lowest_bit(todo)
            todo &= todo - 1
            there = turned_mask(state, turn, maps)
            index = mask_index(there, maps)
            if distances[index] == UNREACHED:
                distances[index] = depth + 1
                reached[count] = there
                count += 1
    return count


@compiled(int64(written(uint8), int64, read(uint8, 3)))
def spread_octets(distances: Bytes, depth: int, turned: NDArray[np.uint8]) -> int:
    """Set the next distance for the unreached neighbours of states; return how many.

    Args:
        distances: The distance of each state, by its number: a digit of base 70 for each orbit.
        depth: The distance whose neighbours are wanted.
        turned: The number of each octet after each turn, shape (turns, orbits, 70).
    """
    turns, orbits, count = turned.shape[0], turned.shape[1], 0
    steps = np.empty((turns, orbits, OCTETS), np.int64)
    for turn in range(turns):
        step = 1
        for orbit in range(orbits - 1, -1, -1):
            for octet in range(OCTETS):
                steps[turn, orbit, octet] = step * int64(turned[turn, orbit, octet])
            step *= OCTETS
    digits = np.empty(orbits, np.int64)
    for state in range(len(distances)):
        if distances[state] != depth:
            continue
        left = state
        for orbit in range(orbits - 1, -1, -1):
            digits[orbit] = left % OCTETS
            left //= OCTETS
        for turn in range(turns):
            there = 0
            for orbit in range(orbits):
                there += steps[turn, orbit, digits[orbit]]
            if distances[there] == UNREACHED:
                distances[there] = depth + 1
                count += 1
    return count
