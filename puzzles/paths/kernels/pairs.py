"""Compiled tables and searches for the edges of a 4 × 4 × 4: which wings stand side by side.

When inner layers turn by half turns only, and R and L, too, the wings form two halves of twelve;
each edge has a place of either half. With one wing of each piece in each half, a permutation of
twelve says how far the edges are paired: for each place of the first half, the edge where the wing
with the same colours stands in the second half. A turn permutes both sides of it.

The eight reflections about the three planes through the middle map the turns to each other, so the
table has one entry for eight states: the four edges across the axis of R and L go to 11 880 places,
in about 1500 classes, and the others have 8! / 2 orders, as the permutation stays even.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

import numpy as np
from numba import int64, uint8, uint16
from numpy.typing import NDArray

from puzzles.paths.kernels.masks import (
    MASK_MAPS,
    UNREACHED,
    MaskMaps,
    mask_index,
    turned_mask,
)
from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, Words, count_bits, lowest_bit, read, record, written

EDGES, RING, ORDERS = 12, 4, 20160


class PairMaps(NamedTuple):
    """How turns change the permutation of pairs, and how it is numbered.

    Attributes:
        first: The origin of each place of the first half, by turn, shape (turns, 12).
        second: The place to which each of the second half goes, by turn, shape (turns, 12).
        classes: The class of the images of the first four edges, a number of base 12.
        leading: The reflection that leads to the class' first member.
        reflections: Edges after reflections, shape (8, 12).
        members: The images of the first member of each class, shape (classes, 4).
        fixing: For each class a bit for each reflection that keeps its first member.
    """

    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    classes: Words
    leading: Bytes
    reflections: NDArray[np.uint8]
    members: NDArray[np.uint8]
    fixing: Bytes


PAIR_MAPS = record(
    PairMaps,
    *(read(uint8, 2), read(uint8, 2), read(uint16), read(uint8)),
    *(read(uint8, 2), read(uint8, 2), read(uint8)),
)


@inlined
def order_of(pairs: Bytes, reflection: int, maps: PairMaps) -> int:
    """Return the number of the images of the last eight edges, as a reflection shows them."""
    free, rank = 4095, 0
    for edge in range(RING):
        seen = maps.reflections[reflection, edge]
        free ^= 1 << int64(maps.reflections[reflection, pairs[seen]])
    for edge in range(RING, EDGES - 1):
        seen = maps.reflections[reflection, edge]
        image = 1 << int64(maps.reflections[reflection, pairs[seen]])
        rank = rank * (EDGES - edge) + count_bits(free & (image - 1))
        free ^= image
    return rank >> 1


@inlined
def pair_index(pairs: Bytes, maps: PairMaps) -> int:
    """Return the index of a permutation in the table of distances."""
    ring = int64(pairs[0]) + 12 * int64(pairs[1]) + 144 * int64(pairs[2]) + 1728 * int64(pairs[3])
    order = order_of(pairs, int64(maps.leading[ring]), maps)
    return int64(maps.classes[ring]) * ORDERS + order


@inlined
def turn_pairs(pairs: Bytes, turn: int, maps: PairMaps, made: Bytes) -> None:
    """Write a permutation after a turn."""
    for edge in range(EDGES):
        made[edge] = maps.second[turn, pairs[maps.first[turn, edge]]]


@inlined
def pairs_of(index: int, maps: PairMaps, pairs: Bytes) -> None:
    """Write the even permutation with an index."""
    number, order = index // ORDERS, 2 * (index % ORDERS)
    free, odd = 4095, 0
    for edge in range(RING):
        image = int64(maps.members[number, edge])
        odd ^= count_bits(free & ((1 << image) - 1)) & 1
        pairs[edge] = image
        free ^= 1 << image
    place = 5040
    for edge in range(RING, EDGES):
        digit = order // place
        order -= digit * place
        if edge == EDGES - 2:
            digit = odd
        odd ^= digit & 1
        left = free
        for _ in range(digit):
            left &= left - 1
        image = lowest_bit(left)
        pairs[edge] = image
        free ^= 1 << image
        place //= max(1, EDGES - 1 - edge)


@compiled(int64(written(uint8), int64, int64, PAIR_MAPS))
def spread_pairs(distances: Bytes, depth: int, usable: int, maps: PairMaps) -> int:
    """Set the next distance for the unreached neighbours of states; return how many."""
    pairs, made, seen = np.empty(12, np.uint8), np.empty(12, np.uint8), np.empty(12, np.uint8)
    reached = 0
    for state in range(len(distances)):
        if distances[state] != depth:
            continue
        pairs_of(state, maps, pairs)
        todo = usable
        while todo:
            turn = lowest_bit(todo)
            todo &= todo - 1
            turn_pairs(pairs, turn, maps, made)
            index = pair_index(made, maps)
            if distances[index] != UNREACHED:
                continue
            distances[index] = depth + 1
            reached += 1
            pairs_of(index, maps, seen)
            fixing = int64(maps.fixing[index // ORDERS]) & ~1
            while fixing:
                reflection = lowest_bit(fixing)
                fixing &= fixing - 1
                other = index // ORDERS * ORDERS + order_of(seen, reflection, maps)
                if distances[other] == UNREACHED:
                    distances[other] = depth + 1
                    reached += 1
    return reached


@inlined
def halved(
    path: Ints, length: int, wings: Bytes, wings_by: Bytes, half: Bytes, edges: Bytes
) -> bool:
    """Return whether turns bring one wing of each edge into the first half, evenly flipped."""
    seen, flips = 0, 0
    for place in half:
        at = int64(place)
        for step in range(length - 1, -1, -1):
            at = int64(wings_by[path[step], at])
        wing = int64(wings[at])
        bit = 1 << int64(edges[wing])
        if seen & bit:
            return False
        seen |= bit
        flips ^= int64(edges[wing + 24])
    return flips == 0


@compiled(
    int64(
        *(int64, int64, int64, MASK_MAPS, read(uint8), read(int64), int64),
        *(read(uint8), read(uint8, 2), read(uint8), read(uint8)),
        *(int64, written(uint8, 2), int64),
    )
)
def find_words(
    start: int,
    length: int,
    before: int,
    maps: MaskMaps,
    distances: Bytes,
    allowed: Ints,
    closing: int,
    wings: Bytes,
    wings_by: Bytes,
    half: Bytes,
    edges: Bytes,
    most: int,
    found: Bytes,
    count: int,
) -> int:
    """Write the words of a length that lead a mask home; return their new number.

    Args:
        start: Mask and parity.
        length: Number of turns, at least one.
        before: The turn before, or the last index of ``allowed``.
        maps: The effects of turns.
        distances: The distance of each mask.
        allowed: The turns allowed after each, a bit each.
        closing: The turns that may be the last one.
        wings: The wing in each place, for words that must bring one wing of each edge into the
            first half, and an even number of the second half's own ones; empty for all words.
        wings_by: The origin of each wing after turns, shape (turns, 24).
        half: The places of the first half.
        edges: The edge of each wing, then whether it belongs to the second half, shape (48,).
        most: Number of positions after which it ends.
        found: Room for words.
        count: Number of words there.
    """
    states, todo = np.empty(length + 1, np.int64), np.empty(length + 1, np.int64)
    path = np.empty(length + 1, np.int64)
    states[0], todo[0], depth, visited = start, allowed[before], 0, 0
    while depth >= 0 and count < len(found) and visited < most:
        if todo[depth] == 0:
            depth -= 1
            continue
        turn = lowest_bit(todo[depth])
        todo[depth] &= todo[depth] - 1
        left = length - depth - 1
        if left == 0 and not closing >> turn & 1:
            continue
        there = turned_mask(states[depth], turn, maps)
        visited += 1
        if int64(distances[mask_index(there, maps)]) > left:
            continue
        path[depth] = turn
        if left > 0:
            depth += 1
            states[depth], todo[depth] = there, allowed[turn]
            continue
        if len(wings) and not halved(path, length, wings, wings_by, half, edges):
            continue
        for at in range(length):
            found[count, at] = path[at]
        count += 1
    return count


@compiled(
    int64(
        *(int64, read(uint8), int64, int64, MASK_MAPS, read(uint8), PAIR_MAPS, read(uint8)),
        *(read(int64), int64, int64, written(uint8, 2), int64),
    )
)
def find_pairings(
    start: int,
    pairs: Bytes,
    length: int,
    before: int,
    maps: MaskMaps,
    distances: Bytes,
    pair_maps: PairMaps,
    pair_distances: Bytes,
    allowed: Ints,
    closing: int,
    most: int,
    found: Bytes,
    count: int,
) -> int:
    """Write the words of a length that finish centres and pairs; return their new number.

    Args:
        start: Mask of the centres, and parity.
        pairs: The permutation of the pairs.
        length: Number of turns, at least one.
        before: The turn before.
        maps: The effects of turns on the centres.
        distances: The distance of each mask.
        pair_maps: The effects of turns on the pairs.
        pair_distances: The distance of each permutation.
        allowed: The turns allowed after each, a bit each.
        closing: The turns that may be the last one.
        most: Number of positions after which it ends.
        found: Room for words.
        count: Number of words there.
    """
    states, todo = np.empty(length + 1, np.int64), np.empty(length + 1, np.int64)
    rows, path = np.empty((length + 1, EDGES), np.uint8), np.empty(length + 1, np.int64)
    states[0], todo[0], depth, visited = start, allowed[before], 0, 0
    for pair in range(EDGES):  # numba takes 2 s to compile `rows[0] = pairs`
        rows[0, pair] = pairs[pair]
    while depth >= 0 and count < len(found) and visited < most:
        if todo[depth] == 0:
            depth -= 1
            continue
        turn = lowest_bit(todo[depth])
        todo[depth] &= todo[depth] - 1
        left = length - depth - 1
        if left == 0 and not closing >> turn & 1:
            continue
        there = turned_mask(states[depth], turn, maps)
        visited += 1
        if int64(distances[mask_index(there, maps)]) > left:
            continue
        turn_pairs(rows[depth], turn, pair_maps, rows[depth + 1])
        if int64(pair_distances[pair_index(rows[depth + 1], pair_maps)]) > left:
            continue
        path[depth] = turn
        if left > 0:
            depth += 1
            states[depth], todo[depth] = there, allowed[turn]
            continue
        for at in range(length):
            found[count, at] = path[at]
        count += 1
    return count
