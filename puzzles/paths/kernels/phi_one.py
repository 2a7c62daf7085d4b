"""Compiled tables of the cube without quarter turns of F and B (S3's Φ1, turned about U).

A state is five numbers (`puzzles.paths.phi_one_coordinates`). Its key is their image under a
symmetry, as one number; sets of keys (`puzzles.paths.kernels.phi_one`) tell which states are near
the solved one.

This module also contains sets with possible false positives, but no false negatives.

Each key has three bits, all in one line of 64 bytes, so a look-up waits for the memory once (B.
Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970; in lines: F. Putze, P.
Sanders, J. Singler, "Cache-, hash- and space-efficient Bloom filters", 2007).
"""

from typing import NamedTuple

import numpy as np
from numba import int64, uint8, uint16, uint64, void
from numpy.typing import NDArray

from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, Quads, Words, load8, prefetch, read, record, written

# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return, return-value"


_MIX, _STIR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_HALF, _WORD = np.uint64(32), np.uint64(64)
_LINE_BITS = 9


@inlined
def hash_of(key: int) -> int:
    """Return a hash: the line of a key in its highest bits, the bits in it in its lowest."""
    mixed = uint64(key) * _MIX
    return int64((mixed ^ mixed >> _HALF) * _STIR)


@inlined
def line_of(hashed: int, bits: int) -> int:
    """Return the first byte of a hash's line in a set of 2**bits bits."""
    return int64(uint64(hashed) >> (_WORD - uint64(bits - _LINE_BITS))) << 6


@inlined
def put(members: Bytes, bits: int, hashed: int) -> None:
    """Add a key to a set, given its hash."""
    line, places = line_of(hashed, bits), hashed >> 5
    for _ in range(3):
        members[line + (places >> 3 & 63)] |= uint8(1 << (places & 7))
        places >>= _LINE_BITS


@inlined
def fetch(members: int, bits: int, hashed: int) -> None:
    """Prefetch the memory that `holds` will read; the set is given by its address."""
    prefetch(members + line_of(hashed, bits))


@inlined
def holds(members: int, bits: int, hashed: int) -> int:
    """Return whether a key may be in the set: 1 or 0."""
    line, places, found = members + line_of(hashed, bits), hashed >> 5, 1
    for _ in range(3):
        found &= load8(line, places >> 3 & 63) >> (places & 7)
        places >>= _LINE_BITS
    return found & 1


# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return, return-value"


ORDERS, TWISTS, LAYERS = 24, 2187, 11880
UNREACHED = 255
FAR, NEAR = 10, 8
"""Distances up to which the two sets contain all states."""


class Maps(NamedTuple):
    """The effects of turns and symmetries on the five numbers, and the leading symmetries.

    Attributes:
        permutations_by: Permutations after turns, shape (40320, 14).
        twists_by: Twists after turns, shape (2187, 14).
        layers_by: Ordered places of four edges after turns, shape (11880, 14).
        twists_as: Images of twists under symmetries, shape (16, 2187).
        layers_as: Images of the edges of each layer under symmetries, shape (16, 3, 11880).
        swaps: The symmetries that exchange the second and the third layer.
        least: The lowest image of each permutation under the symmetries.
        leading: The symmetries that give it, one bit each.
        first: The first of these.
        masks: The places of each set of four, one bit each.
        sets: The set of each mask.
    """

    permutations_by: Words
    twists_by: Words
    layers_by: Words
    twists_as: Words
    layers_as: NDArray[np.uint16]
    swaps: Bytes
    least: Words
    leading: Words
    first: Bytes
    masks: Words
    sets: Words


MAPS = record(
    Maps,
    *(read(uint16, 2), read(uint16, 2), read(uint16, 2)),
    *(read(uint16, 2), read(uint16, 3), read(uint8)),
    *(read(uint16), read(uint16), read(uint8), read(uint16), read(uint16)),
)


@compiled(int64(written(uint8), int64, read(uint16, 2), read(uint16, 2)))
def spread_corners(distances: Bytes, depth: int, permutations_by: Words, twists_by: Words) -> int:
    """Set the next distance for the unreached neighbours of states; return their number."""
    twists, reached = len(twists_by), 0
    for permutation in range(len(permutations_by)):
        for twist in range(twists):
            if distances[permutation * twists + twist] != depth:
                continue
            for turn in range(permutations_by.shape[1]):
                there = int64(permutations_by[permutation, turn]) * twists + twists_by[twist, turn]
                if distances[there] == UNREACHED:
                    distances[there] = depth + 1
                    reached += 1
    return reached


@compiled(void(read(uint8), written(uint8)))
def pack_pairs(distances: Bytes, packed: Bytes) -> None:
    """Pack four bits per entry, even entries low."""
    for i in range(len(packed)):
        packed[i] = distances[2 * i] | distances[2 * i + 1] << 4


@inlined
def key_as(symmetry: int, permutation: int, twist: int, s: int, m: int, e: int, maps: Maps) -> int:
    """Return a state's image under a symmetry with the lowest permutation, as one number."""
    number = int64(maps.least[permutation]) * TWISTS + int64(maps.twists_as[symmetry, twist])
    number = number * LAYERS + int64(maps.layers_as[symmetry, 0, s])
    one, two = int64(maps.layers_as[symmetry, 1, m]), int64(maps.layers_as[symmetry, 2, e])
    if maps.swaps[symmetry]:
        one, two = two, one
    return (number * LAYERS + one) * ORDERS + two % ORDERS


@inlined
def third_layer(s: int, m: int, order: int, maps: Maps) -> int:
    """Return the places of the third layer's edges, the remaining four, in an order."""
    left = 4095 ^ int64(maps.masks[s // ORDERS]) ^ int64(maps.masks[m // ORDERS])
    there: int = int64(maps.sets[left]) * ORDERS + order
    return there


@inlined
def state_of(key: int, maps: Maps) -> tuple[int, int, int, int, int]:
    """Return corners' permutation and twist, and the three layers' edges, of a key."""
    order, key = key % ORDERS, key // ORDERS
    m, key = key % LAYERS, key // LAYERS
    s, key = key % LAYERS, key // LAYERS
    return key // TWISTS, key % TWISTS, s, m, third_layer(s, m, order, maps)


@compiled(void(read(uint64), written(uint64), MAPS))
def grow(keys: Quads, grown: Quads, maps: Maps) -> None:
    """Write the keys of all states one turn from those of some keys."""
    turns, at = maps.permutations_by.shape[1], 0
    for given in keys:
        permutation, twist, s, m, e = state_of(int64(given), maps)
        for turn in range(turns):
            there = int64(maps.permutations_by[permutation, turn])
            grown[at] = uint64(
                key_as(
                    int64(maps.first[there]),
                    there,
                    int64(maps.twists_by[twist, turn]),
                    int64(maps.layers_by[s, turn]),
                    int64(maps.layers_by[m, turn]),
                    int64(maps.layers_by[e, turn]),
                    maps,
                )
            )
            at += 1


@inlined
def mark_all(
    permutation: int, twist: int, s: int, m: int, e: int, marks: Bytes, bits: int, maps: Maps
) -> None:
    """Mark a state under each symmetry that gives the lowest permutation."""
    leading, symmetry = int64(maps.leading[permutation]), 0
    while leading:
        if leading & 1:
            put(marks, bits, hash_of(key_as(symmetry, permutation, twist, s, m, e, maps)))
        leading >>= 1
        symmetry += 1


@compiled(void(read(uint64), int64, read(int64), written(uint8), int64, MAPS))
def mark(keys: Quads, beyond: int, allowed: Ints, marks: Bytes, bits: int, maps: Maps) -> None:
    """Mark the states of some keys, and all up to some turns beyond them.

    ``allowed`` contains bit sets of the turns allowed after each turn, the last one for the start.
    """
    turns = maps.permutations_by.shape[1]
    states, path = np.zeros((beyond + 1, 5), np.int64), np.zeros(beyond + 1, np.int64)
    for given in keys:
        permutation, twist, s, m, e = state_of(int64(given), maps)
        mark_all(permutation, twist, s, m, e, marks, bits, maps)
        states[0, 0], states[0, 1] = permutation, twist
        states[0, 2], states[0, 3], states[0, 4] = s, m, e
        depth = 0 if beyond > 0 else -1
        path[0] = -1
        while depth >= 0:
            last = path[depth - 1] if depth > 0 else turns
            path[depth] += 1
            turn = path[depth]
            if turn >= turns:
                depth -= 1
                continue
            if not allowed[last] >> turn & 1:
                continue
            permutation = int64(maps.permutations_by[states[depth, 0], turn])
            twist = int64(maps.twists_by[states[depth, 1], turn])
            s = int64(maps.layers_by[states[depth, 2], turn])
            m = int64(maps.layers_by[states[depth, 3], turn])
            e = int64(maps.layers_by[states[depth, 4], turn])
            mark_all(permutation, twist, s, m, e, marks, bits, maps)
            if depth + 1 < beyond:
                depth += 1
                states[depth, 0], states[depth, 1] = permutation, twist
                states[depth, 2], states[depth, 3], states[depth, 4] = s, m, e
                path[depth] = -1
