"""The compiled search for the nearest state that fits a partial one, and its tables of distances.

A piece is tracked by its slot: place times number of orientations, plus its orientation. Corners
and edges have 24 slots each. A table has the distance of each arrangement of a few pieces.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

import numpy as np
from numba import int64, uint8, void
from numpy.typing import NDArray

from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, read, written

SLOTS = 24
FAR = 255
NONE, FOUND, MORE = 0, 1, 2
"""Results: no such solution, one was found, or the visits were used up first."""
DEPTH, VISITS = 0, 1
"""Places in the state of the search: turns made, and positions visited."""


@compiled(void(read(uint8, 3), read(int64), written(uint8)))
def fill_distances(turned: NDArray[np.uint8], kinds: Ints, distances: Bytes) -> None:
    """Complete a table of distances, in which the arrangements of the goal are 0, others `FAR`.

    Args:
        turned: The slot of each slot after each turn, shape (2 kinds, 18, 24).
        kinds: 0 for each corner of the table, 1 for each edge.
        distances: The table; an arrangement is a number with 24 as its base, first piece highest.
    """
    pieces = len(kinds)
    slots = np.empty(pieces, np.int64)
    found, distance = True, 0
    while found:
        found = False
        for arrangement in range(len(distances)):
            if distances[arrangement] != distance:
                continue
            rest = arrangement
            for i in range(pieces - 1, -1, -1):
                slots[i] = rest % SLOTS
                rest //= SLOTS
            for turn in range(18):
                after = 0
                for i in range(pieces):
                    after = after * SLOTS + turned[kinds[i], turn, slots[i]]
                if distances[after] == FAR:
                    distances[after] = distance + 1
                    found = True
        distance += 1


@inlined
def farther(groups: Ints, offsets: Ints, distances: Bytes, slots: Bytes, rest: int) -> bool:
    """Return whether the pieces of a table need more than a number of turns."""
    for group in range(len(groups)):
        place = 0
        for i in range(groups.shape[1]):
            if groups[group, i] >= 0:
                place = place * SLOTS + slots[groups[group, i]]
        if distances[offsets[group] + place] > rest:
            return True
    return False


@inlined
def fits(allowed: Bytes, slots: Bytes) -> bool:
    """Return whether every piece is where it may be."""
    fitting = 0
    for i in range(len(slots)):
        fitting += allowed[i, slots[i]]
    return fitting == len(slots)


@compiled(
    int64(
        *(read(uint8, 3), read(int64), read(uint8, 2), read(int64, 2), read(int64), read(uint8)),
        *(read(int64), int64, int64, written(uint8, 2), written(int64), written(uint8)),
        written(int64),
    )
)
def search_fitting(
    turned: NDArray[np.uint8],
    kinds: Ints,
    allowed: Bytes,
    groups: Ints,
    offsets: Ints,
    distances: Bytes,
    followers: Ints,
    length: int,
    most: int,
    slots: Bytes,
    left: Ints,
    turns: Bytes,
    state: Ints,
) -> int:
    """Search the solutions of a number of turns depth first; go on where the last call ended.

    Args:
        turned: The slot of each slot after each turn, shape (2 kinds, 18, 24).
        kinds: 0 for each tracked corner, 1 for each tracked edge.
        allowed: The slots in which each tracked piece may end, shape (pieces, 24).
        groups: Pieces of each table, shape (tables, 5); -1 for no more.
        offsets: Where each table begins in `distances`.
        distances: All tables.
        followers: Bits of the turns that may follow each turn; 18: the first ones.
        length: Number of turns.
        most: Number of positions to visit at most in this call.
        slots: The slots of the pieces after each number of turns, shape (length + 1, pieces).
        left: Bits of the turns to try after each number of turns.
        turns: The turns made.
        state: See `DEPTH` and `VISITS`.

    Returns:
        `NONE`, `FOUND` or `MORE`.
    """
    pieces, depth, last_visit = len(kinds), state[DEPTH], state[VISITS] + most
    while depth >= 0:
        if state[VISITS] >= last_visit:
            state[DEPTH] = depth
            return MORE
        if left[depth] == 0:
            depth -= 1
            continue
        turn = 0
        while left[depth] >> turn & 1 == 0:
            turn += 1
        left[depth] &= left[depth] - 1
        turns[depth] = turn
        state[VISITS] += 1
        rest = length - depth - 1
        for i in range(pieces):
            slots[depth + 1, i] = turned[kinds[i], turn, slots[depth, i]]
        if farther(groups, offsets, distances, slots[depth + 1], rest):
            continue
        if rest > 0:
            depth += 1
            left[depth] = followers[turn]
        elif fits(allowed, slots[depth + 1]):
            state[DEPTH] = depth
            return FOUND
    state[DEPTH] = depth
    return NONE
