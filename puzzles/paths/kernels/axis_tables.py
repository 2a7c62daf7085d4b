"""The compiled core of tables for the centres of several orbits on one axis, all at once.

In the last phase, every centre is on its axis: of an orbit's eight places on two opposite faces,
four hold the first colour. There are 70 such octets, so four orbits have 70**4 of them together.
"""
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

import numpy as np
from numba import int64, uint8
from numpy.typing import NDArray

from solver.kernels.compiled import compiled
from solver.kernels.memory import Bytes, read, written

OCTETS = 70
UNREACHED_OCTETS = 255


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
            if distances[there] == UNREACHED_OCTETS:
                distances[there] = depth + 1
                count += 1
    return count
