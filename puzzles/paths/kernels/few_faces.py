"""The compiled core of the last stage: a depth-first search with exact distances of two orbits.

A position consists of three numbers: the places of one orbit's pieces, their orientations, and the
places of the other orbit's pieces.
"""

from typing import NamedTuple

import numpy as np
from numba import int64, uint8, uint32, void
from numpy.typing import NDArray

from solver.kernels.compiled import compiled
from solver.kernels.memory import Bytes, Ints, Longs, lowest_bit, read, record, written

_UNKNOWN = 255


class FewMaps(NamedTuple):
    """How turns change the numbers of a position, and how far from home these are.

    Attributes:
        places: The new number for each number and turn, shape (numbers, turns).
        twists: As well, of orientations.
        others: As well, of the other orbit's places.
        far: Distances of places times the number of orientations, plus orientation.
        others_far: Distances of the other orbit's places.
        allowed: The turns allowed after each, one bit each; the last row is for the start.
    """

    places: Longs
    twists: Longs
    others: Longs
    far: Bytes
    others_far: Bytes
    allowed: Ints


FEW_MAPS = record(
    FewMaps,
    *(read(uint32, 2), read(uint32, 2), read(uint32, 2)),
    *(read(uint8), read(uint8), read(int64)),
)


@compiled(void(read(uint32, 2), read(uint32, 2), written(uint8), written(uint32)))
def spread_pairs(places: Longs, twists: Longs, far: Bytes, queue: NDArray[np.uint32]) -> None:
    """Write how far each pair of numbers is from the first one.

    Args:
        places: The new number for each number and turn.
        twists: As well, of the second number.
        far: Distances of the first number times the count of the second, plus the second.
        queue: Room for as many numbers.
    """
    count = len(twists)
    far[:] = _UNKNOWN
    far[0], queue[0] = 0, 0
    at, end = 0, 1
    while at < end:
        here = int64(queue[at])
        at += 1
        one, two = here // count, here % count
        for turn in range(places.shape[1]):
            there = int64(places[one, turn]) * count + int64(twists[two, turn])
            if far[there] == _UNKNOWN:
                far[there] = far[here] + 1
                queue[end] = there
                end += 1


@compiled(int64(read(int64), int64, FEW_MAPS, written(int64)))
def descend(start: Ints, depth: int, maps: FewMaps, word: Ints) -> int:
    """Search for a word of a number of turns that leads home.

    Args:
        start: The three numbers of the position.
        depth: The number of turns.
        maps: The turns and distances.
        word: The word, if there is one.

    Returns:
        1 if there is one, else 0.
    """
    count = len(maps.twists)
    numbers = np.empty((depth + 1, 3), np.int64)
    left = np.empty(depth + 1, np.int64)
    for i in range(3):  # numba compiles an assignment of arrays for two seconds
        numbers[0, i] = start[i]
    if maps.far[start[0] * count + start[1]] > depth or maps.others_far[start[2]] > depth:
        return 0
    level, left[0] = 0, maps.allowed[len(maps.allowed) - 1]
    if depth == 0:
        return 1
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        turn = lowest_bit(left[level])
        left[level] &= left[level] - 1
        rest = depth - level - 1
        other = int64(maps.others[numbers[level, 2], turn])
        if maps.others_far[other] > rest:
            continue
        place = int64(maps.places[numbers[level, 0], turn])
        twist = int64(maps.twists[numbers[level, 1], turn])
        if maps.far[place * count + twist] > rest:
            continue
        word[level] = turn
        if rest == 0:
            return 1
        level += 1
        numbers[level, 0], numbers[level, 1], numbers[level, 2] = place, twist, other
        left[level] = maps.allowed[turn]
    return 0
