"""Compiled code that fills the two-phase tables breadth first, one byte per entry.

Both tables are indexed by (class, value): the class of one coordinate under the sixteen symmetries
that keep the U-D axis, and the value of another one in the frame of the class's representative.
Kernels work on a range of classes, so several threads can share a pass: if they write the same
byte, then with the same value.
"""
# ruff: noqa: PLR0917, PLR0912 - compiled functions take their arrays by position and branch
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="arg-type, no-any-return, return-value"

import numpy as np
from numba import int64, uint8, uint16, uint32, void

from solver.kernels import packed
from solver.kernels.arrays import Bytes, Ints, Longs, Words, read, written
from solver.kernels.compiled import compiled, inlined

UNREACHED = 255
SYMMETRIES = 16


@compiled(
    int64(
        *(read(int64, 2), read(int64, 2), read(int64), read(int64)),
        *(written(uint32), written(uint32), written(uint16)),
        read(int64),
    )
)
def classify_flip_slices(
    edges: Ints,
    flips: Ints,
    inverse: Ints,
    masks: Ints,
    number: Longs,
    representatives: Longs,
    selves: Words,
    symmetries: Ints,
) -> int:
    """Sort the flip-slice states (slice * 2048 + flip) into classes under a group of symmetries.

    Writes ``class << 4 | symmetry`` for each state (the symmetry leads to the representative), the
    representative and the bit set of its own symmetries for each class; returns their number.
    ``masks`` contains the set of places of each slice number.
    """
    slice_number = np.zeros(4096, np.int64)
    for i in range(len(masks)):
        slice_number[masks[i]] = i
    number[:] = 0xFFFFFFFF
    classes = 0
    piece = np.empty(12, np.int64)
    for state in range(len(number)):
        if number[state] != 0xFFFFFFFF:
            continue
        mask, flip = masks[state >> 11], state & 2047
        inside, outside, odd = 8, 0, 0
        for i in range(11):
            odd ^= flip >> i & 1
        for i in range(12):
            if mask >> i & 1:
                piece[i] = inside
                inside += 1
            else:
                piece[i] = outside
                outside += 1
        selves[classes] = 0
        for s in symmetries:
            back = inverse[s]
            new_mask, new_flip = 0, 0
            for i in range(12):
                j = edges[back, i]
                turned = odd if j == 11 else flip >> (10 - j) & 1
                turned ^= flips[s, piece[j]] ^ flips[back, i]
                if edges[s, piece[j]] >= 8:
                    new_mask |= 1 << i
                if i < 11:
                    new_flip |= turned << (10 - i)
            there = slice_number[new_mask] * 2048 + new_flip
            if there == state:
                selves[classes] |= 1 << s
            if number[there] == 0xFFFFFFFF:
                number[there] = packed.pack_entry(classes, back)
        number[state] = packed.pack_entry(classes, 0)
        representatives[classes] = state
        classes += 1
    return classes


_SPREAD = int64(
    *(written(uint8), int64, int64, int64),
    *(read(uint32, 2), read(uint16, 3), read(uint16, 2), read(uint16), read(int64)),
)
_MOST = 4
"""Maximum cost of a turn."""


@inlined
def _values_at(distances: Bytes, distance: int, values: Words) -> int:
    """List the values of a class at a distance, with one spare place; return their number."""
    count, wanted = 0, np.uint8(distance)
    for value in range(len(distances)):  # several at once: most classes have none
        count |= distances[value] == wanted
    if count == 0:
        return 0
    count = 0
    for value in range(len(distances)):
        values[count] = value
        count += distances[value] == wanted
    return count


@compiled(_SPREAD)
def spread_forward(
    distances: Bytes,
    goal: int,
    first: int,
    last: int,
    class_moves: Longs,
    moved_values: Words,
    conjugates: Words,
    selves: Words,
    costs: Ints,
) -> int:
    """Set the distance ``goal`` for unreached neighbours over turns of cost 1 to 4.

    ``moved_values`` contains, by symmetry, turn and value, the result of the turn in the symmetry's
    frame. All values of a class are moved by one turn after the other: the memory accesses are then
    local and use the processor's cache.

    Self-symmetric classes have several entries for one state; all of them are set. Returns the
    number of states set, approximate if several threads work at once.
    """
    size = moved_values.shape[2]
    values = np.empty(size + 1, np.uint16)
    reached = 0
    for cls in range(first, last):
        for cost in range(1, min(_MOST, goal) + 1):
            if not np.any(costs == cost):
                continue
            count = _values_at(distances[cls * size : (cls + 1) * size], goal - cost, values)
            for turn in range(len(costs) if count else 0):
                if costs[turn] != cost:
                    continue
                there, by = packed.unpack_entry(np.int64(class_moves[cls, turn]))
                row, moves = distances[there * size : (there + 1) * size], moved_values[by, turn]
                for i in range(count):  # without a branch, which the processor could not predict
                    moved = moves[values[i]]
                    reached += row[moved] == UNREACHED
                    row[moved] = min(row[moved], uint8(goal))
                if selves[there] == 1:
                    continue
                for i in range(count):
                    moved = moves[values[i]]
                    if row[moved] != goal:
                        continue
                    for s in range(1, SYMMETRIES):
                        if selves[there] >> s & 1:
                            row[conjugates[moved, s]] = goal
    return reached


@compiled(_SPREAD)
def spread_backward(
    distances: Bytes,
    goal: int,
    first: int,
    last: int,
    class_moves: Longs,
    moved_values: Words,
    _conjugates: Words,
    _selves: Words,
    costs: Ints,
) -> int:
    """Set the distance ``goal`` for unreached entries with a neighbour that explains it."""
    size = moved_values.shape[2]
    values = np.empty(size + 1, np.uint16)
    reached = 0
    for cls in range(first, last):
        own = distances[cls * size : (cls + 1) * size]
        left = _values_at(own, UNREACHED, values)
        for turn in range(len(costs)):
            if costs[turn] > goal:
                continue
            there, by = packed.unpack_entry(np.int64(class_moves[cls, turn]))
            count, left, wanted = left, 0, uint8(goal - costs[turn])
            row, moves = distances[there * size : (there + 1) * size], moved_values[by, turn]
            for i in range(count):  # without a branch, which the processor could not predict
                value = values[i]
                hit = row[moves[value]] == wanted
                own[value] = uint8(goal) if hit else uint8(UNREACHED)
                values[left] = value
                left += not hit
            reached += count - left
    return reached


@inlined
def _grade(distance: int, near: int) -> int:
    """Return how far a distance is beyond ``near``, 0 to 3."""
    beyond = uint8(max(distance, near) - near)
    return min(beyond, uint8(3))


@compiled(void(written(uint8), int64, written(uint8), int64))
def pack_phase_one(distances: Bytes, size: int, grades: Bytes, near: int) -> None:
    """Pack two bits per entry: 0 up to distance ``near``, then 1, 2, and 3 for all beyond.

    Each class starts at a byte boundary.
    """
    row, least = (size + 3) // 4, uint8(near)
    for cls in range(len(distances) // size):
        packs = grades[cls * row : (cls + 1) * row]
        for value in range(size % 4):
            last = distances[cls * size + size - size % 4 + value]
            packs[row - 1] |= packed.pack_grade(_grade(last, least), value)
        for place in range(size // 4):  # several at once
            at = cls * size + 4 * place
            for value in range(4):
                grade = _grade(distances[at + value], least)
                packs[place] |= packed.pack_grade(grade, value)


@inlined
def free_slot(keys: Longs, key: int, bits: int) -> int:
    """Enter a key into a hash of 2**bits places, as key + 1 (0 is empty); return its place."""
    slot = packed.hash_slot(key, bits)
    while keys[slot] != 0:
        slot = (slot + 1) & ((1 << bits) - 1)
    keys[slot] = key + 1
    return slot


@compiled(void(read(int64), written(uint8), written(uint32), written(uint8), int64))
def fill_pair_hash(states: Ints, distances: Bytes, keys: Longs, values: Bytes, bits: int) -> None:
    """Enter states into a hash of 2**bits places, with their distances."""
    for state in states:
        values[free_slot(keys, state, bits)] = distances[state]
