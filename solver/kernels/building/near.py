"""Compiled code that builds the hash of the states near G2, with their complete endings.

Key of a state: class * 2187 + twist. For its value and the endings see `solver.kernels.packed`.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="arg-type, assignment, no-any-return"

from typing import NamedTuple

import numpy as np
from numba import int64, uint8, uint16, uint32, uint64, void

from solver.kernels import packed
from solver.kernels.arrays import Bytes, Ints, Longs, Quads, Words, read, record, written
from solver.kernels.building.fill import free_slot
from solver.kernels.compiled import compiled
from solver.kernels.slots import AXIAL_TURNS, HASH_BITS, NO_AXIS, TWISTS


class NearTables(NamedTuple):
    """The effect of turns on a state, and the distance of each state from G2.

    Attributes:
        distances: One for each key.
        class_moves: Entries, by class and turn.
        twist_moves: Twists after turns, by twist and turn.
        conjugates: Twists seen through the symmetries.
        products: Products of the symmetries.
        frame_turns: Each turn in the frame of a symmetry.
    """

    distances: Bytes
    class_moves: Longs
    twist_moves: Words
    conjugates: Words
    products: Bytes
    frame_turns: Bytes


class NearStep(NamedTuple):
    """A place on a path into G2.

    Attributes:
        cls: Class.
        twist: Twist.
        symmetry: The symmetry from the frame at the start of the path.
        last: The turn, or the axis, that restricts the next turn.
        depth: Number of turns.
        word: The turns, as an ending.
    """

    cls: int
    twist: int
    symmetry: int
    last: int
    depth: int
    word: int


WAYS = record(
    *(NearTables, read(uint8), read(uint32, 2), read(uint16, 2)),
    *(read(uint16, 2), read(uint8, 2), read(uint8, 2)),
)
STEP = record(NearStep)


@compiled(int64(WAYS, read(int64), written(uint64), int64, STEP))
def collect_endings(
    ways: NearTables, costs: Ints, endings: Quads, count: int, step: NearStep
) -> int:
    """Append the cheapest paths into G2; return the new number of endings.

    Turns are named in the frame at the start of the path, and so is the axis that the next turn
    must not have.
    """
    distance = np.int64(ways.distances[step.cls * TWISTS + step.twist])
    if distance == 0:
        endings[count] = step.word
        return count + 1
    for turn in range(AXIAL_TURNS):
        if turn // 15 == step.last or costs[turn] > distance:
            continue
        if costs[turn] == distance and not packed.enters_g2(turn):
            continue
        frame = ways.frame_turns[step.symmetry, turn]
        entry = ways.class_moves[step.cls, frame]
        there, by = packed.unpack_entry(np.int64(entry))
        moved = np.int64(ways.conjugates[ways.twist_moves[step.twist, frame], by])
        if ways.distances[there * TWISTS + moved] == distance - costs[turn]:
            symmetry, axis = np.int64(ways.products[by, step.symmetry]), np.int64(turn // 15)
            word = step.word | packed.pack_ending(np.int64(turn), step.depth)
            following = NearStep(there, moved, symmetry, axis, step.depth + 1, word)
            count = collect_endings(ways, costs, endings, count, following)
    return count


@compiled(
    int64(
        *(read(uint8), read(int64), read(uint32, 2), read(uint16, 2), read(uint16, 2)),
        *(read(uint8, 2), read(uint8, 2), read(int64)),
        *(written(uint32), written(uint32), written(uint64)),
    )
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
    """Enter the states into the hash (keys preset to 0) with their endings; return their number."""
    ways = NearTables(distances, class_moves, twist_moves, conjugates, products, frame_turns)
    count, zero, none = 0, np.int64(0), np.int64(NO_AXIS)
    for key in states:
        begin = count
        if distances[key] > 0:
            cls, twist = np.int64(key // TWISTS), np.int64(key % TWISTS)
            step = NearStep(cls, twist, zero, none, zero, zero)
            count = collect_endings(ways, costs, endings, count, step)
            endings[count - 1] |= np.uint64(1) << np.uint64(63)
        distance = np.int64(distances[key])
        values[free_slot(keys, key, HASH_BITS)] = packed.pack_near(distance, begin)
    return count


@compiled(
    void(
        *(read(uint32), read(uint8), read(uint32, 2), read(uint16, 2), read(uint16, 2)),
        *(read(int64), written(uint64)),
    )
)
def fill_turns(
    keys: Longs,
    distances: Bytes,
    class_moves: Longs,
    twist_moves: Words,
    conjugates: Words,
    costs: Ints,
    turns: Quads,
) -> None:
    """Write, for each state of the hash, the turns that one more unit of cost allows.

    The sum of their cost and the distance after them exceeds the distance of the state by at most
    one.
    """
    for slot in range(len(keys)):
        if keys[slot] == 0:
            continue
        key = np.int64(keys[slot]) - 1
        cls, twist, allowed = key // TWISTS, key % TWISTS, np.int64(0)
        most = np.int64(distances[key]) + 1
        for turn in range(AXIAL_TURNS):
            there, by = packed.unpack_entry(np.int64(class_moves[cls, turn]))
            moved = np.int64(conjugates[twist_moves[twist, turn], by])
            if np.int64(distances[there * TWISTS + moved]) + costs[turn] <= most:
                allowed |= np.int64(1) << np.int64(turn)
        turns[slot] = np.uint64(allowed)


@compiled(
    void(
        *(read(uint32), read(uint32), read(uint64), read(int64), read(uint32), written(uint32)),
    )
)
def fill_heads(
    keys: Longs, values: Longs, endings: Quads, costs: Ints, turned: Longs, heads: Longs
) -> None:
    """Write, for each ending, its effect on the corners, and its first and last axis.

    ``turned`` has the packed permutations of the 45 turns.
    """
    for slot in range(len(keys)):
        distance, at = packed.unpack_near(np.int64(values[slot]))
        if keys[slot] == 0 or distance == 0:
            continue
        more = True
        while more:
            word = np.int64(endings[at])
            more = word >= 0
            turn, rest = packed.unpack_ending(word)
            corners, first, left = np.int64(turned[turn]), turn // 15, distance - costs[turn]
            while left > 0:
                turn, rest = packed.unpack_ending(rest)
                corners = packed.product(corners, np.int64(turned[turn]))
                left -= costs[turn]
            head = packed.pack_ending_head(corners, first, turn // 15)
            heads[at] = np.uint32(head if more else head | 1 << 31)
            at += 1


@compiled(void(read(int64), written(uint8), int64))
def fill_filter(states: Ints, bits: Bytes, size: int) -> None:
    """Set two bits for every state in a filter of 2**size bits, both in one cache line."""
    for key in states:
        first, second = packed.filter_bits(key, size)
        bits[first >> 3] |= 1 << (first & 7)
        bits[second >> 3] |= 1 << (second & 7)
