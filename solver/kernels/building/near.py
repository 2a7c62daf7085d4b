"""Compiled code that builds the hash of the states near G2, with their complete endings.

Key of a state: class * 2187 + twist. For its value and the endings see `solver.kernels.packed`.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="arg-type, assignment, return-value, no-any-return"

from typing import NamedTuple

import numpy as np
from numba import int64, uint8, uint16, uint32, uint64, void

from solver.kernels import packed
from solver.kernels.building.fill import free_slot
from solver.kernels.compiled import compiled
from solver.kernels.memory import Bytes, Ints, Longs, Quads, Words, read, record, written
from solver.kernels.slots import HASH_BITS as BITS
from solver.kernels.slots import MOVES, NO_TURN, TWISTS

VALUE, ENDING = np.uint64, np.uint64


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


@compiled(int64(WAYS, read(uint32), written(uint64), int64, STEP))
def collect_endings(
    ways: NearTables, allowed: Longs, endings: Quads, count: int, step: NearStep
) -> int:
    """Append the shortest paths into G2 that end in a clockwise turn; return the number of endings.

    The other paths are these with the last turn inverted. Turns are named in the frame at the start
    of the path.
    """
    distance = ways.distances[step.cls * TWISTS + step.twist]
    if distance == 0:
        endings[count] = np.uint64(step.word)
        return count + 1
    for turn in range(MOVES):
        if not allowed[step.last] >> turn & 1 or (distance == 1 and turn % 3 != 0):
            continue
        frame = ways.frame_turns[step.symmetry, turn]
        entry = ways.class_moves[step.cls, frame]
        there, by = packed.unpack_entry(np.int64(entry))
        moved = np.int64(ways.conjugates[ways.twist_moves[step.twist, frame], by])
        if ways.distances[there * TWISTS + moved] == distance - 1:
            symmetry = np.int64(ways.products[by, step.symmetry])
            word = step.word | packed.pack_ending(np.int64(turn), step.depth)
            following = NearStep(there, moved, symmetry, np.int64(turn), step.depth + 1, word)
            count = collect_endings(ways, allowed, endings, count, following)
    return count


@compiled(int64(uint64, int64, read(uint32)))
def corners_after(ending: int, distance: int, turned_corners: Longs) -> int:
    """Return the effect of an ending's first turns on the corners, packed."""
    corners, turns = np.int64(turned_corners[np.int64(ending) & 31]), np.int64(ending) >> 5
    for _ in range(distance - 1):
        turn, turns = packed.unpack_ending(turns)
        corners = packed.product(corners, np.int64(turned_corners[turn]))
    return corners


@compiled(
    int64(
        *(read(uint8), read(int64), read(uint32, 2), read(uint16, 2), read(uint16, 2)),
        *(read(uint8, 2), read(uint8, 2), read(uint32), read(uint32)),
        *(written(uint32), written(uint64), written(uint64)),
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
    allowed: Longs,
    turned_corners: Longs,
    keys: Longs,
    values: Quads,
    endings: Quads,
) -> int:
    """Enter the states into the hash (keys preset to 0) with their endings; return their number."""
    ways = NearTables(distances, class_moves, twist_moves, conjugates, products, frame_turns)
    count, zero, none = 0, np.int64(0), np.int64(NO_TURN)
    for key in states:
        cls, twist = key // TWISTS, key % TWISTS
        distance = np.int64(distances[key])
        nearer, level = 0, 0
        for turn in range(MOVES):
            entry = class_moves[cls, turn]
            there, by = packed.unpack_entry(np.int64(entry))
            moved = np.int64(conjugates[twist_moves[twist, turn], by])
            other = np.int64(distances[there * TWISTS + moved])
            nearer |= (other < distance) << turn
            level |= (other == distance) << turn
        begin = count
        if distance > 0:
            step = NearStep(cls, twist, zero, none, zero, zero)
            count = collect_endings(ways, allowed, endings, count, step)
            for i in range(begin, count):
                endings[i] |= np.uint64(corners_after(endings[i], distance, turned_corners) << 32)
            endings[count - 1] |= np.uint64(1 << 31)
        values[free_slot(keys, key, BITS)] = packed.pack_near(distance, nearer, level, begin)
    return count


@compiled(void(read(int64), written(uint8), int64))
def fill_filter(states: Ints, bits: Bytes, size: int) -> None:
    """Set two bits for every state in a filter of 2**size bits, both in one cache line."""
    for key in states:
        first, second = packed.filter_bits(key, size)
        bits[first >> 3] |= 1 << (first & 7)
        bits[second >> 3] |= 1 << (second & 7)
