"""The compiled core of the search through stages: distances of sets of pieces, and beams on them.

A piece's code is the number of the slot that contains its first sticker. A set of pieces has one
index, from the codes of its pieces, into a table of its distances.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

import numpy as np
from numba import int32, int64, uint8, uint16, void
from numpy.typing import NDArray

from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, Words, lowest_bit, read, record, written

UNKNOWN = 255
BARRED = 2**16 - 1


class StageMaps(NamedTuple):
    """How turns move pieces, and how far sets of pieces are from their goals.

    Attributes:
        moves: The new code for each orbit, turn and code, shape (orbits, turns, 64).
        touched: The turns that change a code, one bit each, shape (orbits, 64).
        orbits: The orbit of each piece.
        salts: Random numbers for hashes, shape (pieces, 64).
        members: The pieces of each set, shape (sets, most).
        sizes: How many of these there are, shape (sets,).
        strides: The factor of each one's code, shape (sets, most).
        offsets: The first entry of each set's table.
        distances: The tables, one after the other.
        allowed: The turns allowed after each, one bit each; the last row is for the start.
    """

    moves: Bytes
    touched: Ints
    orbits: Ints
    salts: Ints
    members: Ints
    sizes: Ints
    strides: Ints
    offsets: Ints
    distances: Bytes
    allowed: Ints


STAGE_MAPS = record(
    StageMaps,
    *(read(uint8, 3), read(int64, 2), read(int64), read(int64, 2), read(int64, 2)),
    *(read(int64), read(int64, 2), read(int64), read(uint8), read(int64)),
)


@compiled(void(read(uint8, 3), read(int64), written(uint8), written(int32)))
def spread(moves: Bytes, strides: Ints, distances: Bytes, queue: NDArray[np.int32]) -> None:
    """Complete a table of distances in which only goals are not `UNKNOWN`.

    Args:
        moves: The new code for each piece of the set, turn and code.
        strides: The factor of each piece's code.
        distances: The table.
        queue: Room for as many numbers.
    """
    end, pieces = 0, len(strides)
    for index in range(len(distances)):
        if distances[index] == 0:
            queue[end] = index
            end += 1
    codes = np.empty(pieces, np.int64)
    at = 0
    while at < end:
        rest = int64(queue[at])
        far = distances[rest] + 1
        at += 1
        for piece in range(pieces):
            codes[piece] = rest // strides[piece]
            rest -= codes[piece] * strides[piece]
        for turn in range(moves.shape[1]):
            there = 0
            for piece in range(pieces):
                there += int64(moves[piece, turn, codes[piece]]) * strides[piece]
            if distances[there] == UNKNOWN:
                distances[there] = far
                queue[end] = there
                end += 1


@inlined
def rate_set(state: Bytes, number: int, maps: StageMaps, changes: Ints) -> int:
    """Return a set's distance, and add to each turn how much it changes that."""
    index, turns = maps.offsets[number], 0
    for at in range(maps.sizes[number]):
        piece = maps.members[number, at]
        code = state[piece]
        turns |= maps.touched[maps.orbits[piece], code]
        index += int64(code) * maps.strides[number, at]
    here = int64(maps.distances[index])
    while turns:
        turn = lowest_bit(turns)
        turns &= turns - 1
        index = maps.offsets[number]
        for at in range(maps.sizes[number]):
            piece = maps.members[number, at]
            code = maps.moves[maps.orbits[piece], turn, state[piece]]
            index += int64(code) * maps.strides[number, at]
        changes[turn] += int64(maps.distances[index]) - here
    return here


@compiled(void(read(uint8, 2), read(int64), int64, int64, STAGE_MAPS, written(uint16, 2)))
def rate_turns(
    states: Bytes, lasts: Ints, first: int, end: int, maps: StageMaps, totals: Words
) -> None:
    """Write the sum of all sets' distances after each turn of some states.

    Args:
        states: The codes of the pieces, shape (states, pieces).
        lasts: The last turn of each, or the number of turns for none.
        first: The first of these states.
        end: The one after the last of them.
        maps: The stage.
        totals: The sums, shape (states, turns); `BARRED` where a turn may not follow.
    """
    turns = totals.shape[1]
    changes = np.empty(turns, np.int64)
    for row in range(first, end):
        changes[:] = 0
        whole = 0
        for number in range(len(maps.sizes)):
            whole += rate_set(states[row], number, maps, changes)
        for turn in range(turns):
            may = maps.allowed[lasts[row]] >> turn & 1
            totals[row, turn] = whole + changes[turn] if may else BARRED


@compiled(int64(read(uint16, 2), int64, written(int64)))
def best_turns(totals: Words, most: int, chosen: Ints) -> int:
    """Write the numbers of turns with the least totals, the best first; return how many.

    Of equal ones that are too many, every so many-th is taken.

    Args:
        totals: The totals, shape (states, turns).
        most: Number of turns to write.
        chosen: Room for them; a number is that of the state, times the turns, plus the turn.
    """
    counts = np.zeros(BARRED + 2, np.int64)
    states, turns = totals.shape
    for row in range(states):
        for turn in range(turns):
            counts[int64(totals[row, turn]) + 1] += 1
    limit, before = 0, 0
    while limit < BARRED and before + counts[limit + 1] <= most:
        before += counts[limit + 1]
        limit += 1
    for value in range(limit):
        counts[value + 1] += counts[value]
    kept = most - before if limit < BARRED else 0
    tied = counts[limit + 1] if limit < BARRED else 0
    written_ties, seen_ties, skip = 0, 0, 0
    for row in range(states):
        for turn in range(turns):
            value = int64(totals[row, turn])
            if value < limit:
                chosen[counts[value]] = row * turns + turn
                counts[value] += 1
            elif value == limit and limit < BARRED:
                seen_ties += 1
                skip += kept
                if skip >= tied and written_ties < kept:
                    skip -= tied
                    chosen[before + written_ties] = row * turns + turn
                    written_ties += 1
    return before + written_ties


@inlined
def add_key(key: int, seen: Ints) -> bool:
    """Add a hash to a table whose length is a power of two; return whether it is new."""
    key |= 1
    at = (key >> 1) & (len(seen) - 1)
    while seen[at] != 0 and seen[at] != key:
        at = (at + 1) & (len(seen) - 1)
    if seen[at] == key:
        return False
    seen[at] = key
    return True


@compiled(
    int64(
        *(read(uint8, 2), read(int64), read(uint16, 2), STAGE_MAPS),
        *(written(int64), written(uint8, 2), written(int64)),
    )
)
def make_new(
    states: Bytes,
    chosen: Ints,
    totals: Words,
    maps: StageMaps,
    seen: Ints,
    made: Bytes,
    kept: Ints,
) -> int:
    """Write the states after turns if they are new; return how many there are.

    Args:
        states: The codes before, shape (states, pieces).
        chosen: The turns, as `best_turns` writes them.
        totals: The totals of all turns; with 0 a state is at the goal, and always new: what the
            stage does not consider differs.
        maps: The stage.
        seen: A hash table of all states so far; its length is a power of two.
        made: The codes after turns; its length is the number of states wanted.
        kept: The turn that made each.
    """
    count, pieces, turns = 0, states.shape[1], totals.shape[1]
    for number in chosen:
        if count == len(made):
            break
        row, turn, key = number // turns, number % turns, 0
        for piece in range(pieces):
            code = maps.moves[maps.orbits[piece], turn, states[row, piece]]
            made[count, piece] = code
            key ^= maps.salts[piece, code]
        if totals[row, turn] == 0:
            kept[count] = number
            count += 1
            continue
        if add_key(key, seen):
            kept[count] = number
            count += 1
    return count
