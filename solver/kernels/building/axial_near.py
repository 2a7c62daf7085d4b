"""Compiled code that builds the hash of the states near G2 in a metric of axial turns.

Key of a state: class * 2187 + twist. For its value and the endings see `solver.kernels.packed`.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="arg-type, assignment, no-any-return"

import numpy as np
from numba import int64, uint8, uint16, uint32, uint64, void

from solver.kernels import packed
from solver.kernels.building.fill import free_slot
from solver.kernels.building.near import STEP, WAYS, NearStep, NearTables
from solver.kernels.compiled import compiled
from solver.kernels.memory import Bytes, Ints, Longs, Quads, Words, read, written
from solver.kernels.slots import AXIAL_HASH_BITS as BITS
from solver.kernels.slots import AXIAL_TURNS, NO_AXIS, TWISTS

VALUE, ENDING = np.uint32, np.uint64


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
            word = step.word | packed.pack_axial_ending(np.int64(turn), step.depth)
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
        values[free_slot(keys, key, BITS)] = packed.pack_axial_near(distance, begin)
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
        distance, at = packed.unpack_axial_near(np.int64(values[slot]))
        if keys[slot] == 0 or distance == 0:
            continue
        more = True
        while more:
            word = np.int64(endings[at])
            more = word >= 0
            turn, rest = packed.unpack_axial_ending(word)
            corners, first, left = np.int64(turned[turn]), turn // 15, distance - costs[turn]
            while left > 0:
                turn, rest = packed.unpack_axial_ending(rest)
                corners = packed.product(corners, np.int64(turned[turn]))
                left -= costs[turn]
            head = packed.pack_ending_head(corners, first, turn // 15)
            heads[at] = np.uint32(head if more else head | 1 << 31)
            at += 1
