"""The compiled search for shortest paths in S3's Φ1, turned about U: no quarter turns of F and B.

All children of a position are computed, and their look-ups prefetched, before the first of them is
tested: so the memory accesses overlap.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

from numba import int64

from puzzles.paths.kernels.phi_one import (
    FAR,
    MAPS,
    NEAR,
    TWISTS,
    Maps,
    fetch,
    hash_of,
    holds,
    key_as,
)
from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Ints, load8, lowest_bit, prefetch, read, record, written

PERMUTATION, TWIST, S, M, E, TURN, HASHED = range(7)
"""The data of a position: the five numbers, the turn that leads there, and its key's hash."""
POSITION = 7


class Nearness(NamedTuple):
    """Tables of the states near the solved one, as addresses.

    Attributes:
        corners: Exact distances of corners, four bits per entry, even entries low.
        far: The set of the keys of all states within ``FAR`` turns.
        far_bits: Its size as a power of two.
        near: The set of those within ``NEAR`` turns.
        near_bits: Its size as a power of two.
    """

    corners: int
    far: int
    far_bits: int
    near: int
    near_bits: int


NEARNESS = record(Nearness)


@inlined
def corner_distance(corners: int, permutation: int, twist: int) -> int:
    """Return the distance of the corners."""
    at = permutation * TWISTS + twist
    return load8(corners, at >> 1) >> ((at & 1) << 2) & 15


@inlined
def in_far(left: int) -> int:
    """Return whether the larger set is used with this number of turns left."""
    return left == FAR or left == FAR - 1


@inlined
def in_near(left: int) -> int:
    """Return whether the smaller set is used with this number of turns left."""
    return left == NEAR or left == NEAR - 1


@inlined
def work_out(
    positions: Ints,
    depth: int,
    at: int,
    turn: int,
    child: int,
    left: int,
    nearness: Nearness,
    maps: Maps,
) -> None:
    """Write a child of a position, and prefetch the memory for its test."""
    below = depth + 1
    permutation = int64(maps.permutations_by[positions[depth, at, PERMUTATION], turn])
    twist = int64(maps.twists_by[positions[depth, at, TWIST], turn])
    s = int64(maps.layers_by[positions[depth, at, S], turn])
    m = int64(maps.layers_by[positions[depth, at, M], turn])
    e = int64(maps.layers_by[positions[depth, at, E], turn])
    positions[below, child, PERMUTATION], positions[below, child, TWIST] = permutation, twist
    positions[below, child, S], positions[below, child, M] = s, m
    positions[below, child, E], positions[below, child, TURN] = e, turn
    if left < FAR:
        prefetch(nearness.corners + (permutation * TWISTS + twist >> 1))
    if in_far(left) or in_near(left):
        symmetry = int64(maps.first[permutation])
        hashed = hash_of(key_as(symmetry, permutation, twist, s, m, e, maps))
        positions[below, child, HASHED] = hashed
        if in_far(left):
            fetch(nearness.far, nearness.far_bits, hashed)
        else:
            fetch(nearness.near, nearness.near_bits, hashed)


@inlined
def may_be_within(positions: Ints, depth: int, at: int, left: int, nearness: Nearness) -> int:
    """Return whether a position may be within this number of turns."""
    corners = nearness.corners
    if (
        left < FAR
        and corner_distance(corners, positions[depth, at, PERMUTATION], positions[depth, at, TWIST])
        > left
    ):
        return 0
    if in_far(left):
        return holds(nearness.far, nearness.far_bits, positions[depth, at, HASHED])
    if in_near(left):
        return holds(nearness.near, nearness.near_bits, positions[depth, at, HASHED])
    return 1


@inlined
def is_solved(positions: Ints, depth: int, at: int, solved: Ints) -> bool:
    """Return whether a position is the solved one."""
    same = True
    for number in range(TURN):
        same &= positions[depth, at, number] == solved[number]
    return same


@compiled(
    int64(
        *(int64, written(int64, 3), written(int64, 2), read(int64), written(int64)),
        *(int64, read(int64), NEARNESS, MAPS),
    )
)
def search(
    length: int,
    positions: Ints,
    walked: Ints,
    solved: Ints,
    path: Ints,
    budget: int,
    allowed: Ints,
    nearness: Nearness,
    maps: Maps,
) -> int:
    """Search for a path of a length, depth first.

    ``positions`` has room for the children at each depth, shape (beyond length, turns,
    ``POSITION``), with the start first; ``walked`` for their numbers and the numbers of those
    expanded, shape (beyond length, 2). ``path`` receives the turns. ``allowed`` contains bit sets
    of the turns allowed after each turn, the last one for the start. At most ``budget`` positions
    are searched, plus the children of one more.

    Returns:
        The number of positions, negative if a path was found.
    """
    looked, depth = 0, 0
    walked[0, 0], walked[0, 1] = 1, 0
    while depth >= 0:
        at = walked[depth, 1]
        if at == walked[depth, 0] or looked > budget:
            depth -= 1
            continue
        walked[depth, 1] = at + 1
        left, below = length - depth - 1, depth + 1
        mask = allowed[positions[depth, at, TURN]]
        if depth > 0:
            path[depth - 1] = positions[depth, at, TURN]
        count, kept = 0, 0
        while mask != 0:
            turn = lowest_bit(mask)
            work_out(positions, depth, at, turn, count, left, nearness, maps)
            mask &= mask - 1
            count += 1
        looked += count
        for child in range(count):
            if not may_be_within(positions, below, child, left, nearness):
                continue
            if left == 0 and is_solved(positions, below, child, solved):
                path[depth] = positions[below, child, TURN]
                return -looked
            if kept < child:
                for number in range(POSITION):
                    positions[below, kept, number] = positions[below, child, number]
            kept += 1
        if left > 0:
            walked[below, 0], walked[below, 1] = kept, 0
            depth = below
    return looked
