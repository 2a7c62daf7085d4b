"""Compiled phase two: from a path into G2 to the end, in four variants, and the best kept."""
# ruff: noqa: PLR0917, PLR0912 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from numba import njit

from solver.kernels.clock import (
    must_stop,
)
from solver.kernels.lookups import (
    edge_rank,
    pair_distance,
)
from solver.kernels.memory import (
    atomic_add,
    load8,
    load16,
    load32,
    load64,
    lowest_bit,
    store8,
    store64,
)
from solver.kernels.slots import (
    AFTER_FACE,
    ALLOWED,
    BEST,
    CORNER_DISTANCES,
    CORNER_MOVES,
    CORNER_NAMES,
    CORNER_SLICE_DISTANCES,
    DIRECTION,
    EDGE_MOVES,
    FOUND,
    FOUND_DIRECTION,
    FOUND_LENGTH,
    FOUND_PREMOVE,
    FOUND_TURNS,
    FOUND_VARIANT,
    LENGTH,
    LOCK,
    MOST,
    NEXT_CHECK,
    NO_TURN,
    NODES,
    PATH,
    PERMUTATIONS,
    PHASE_TWO_TURNS,
    PREMOVE,
    PREMOVES,
    SHARED,
    SIDE_FACES,
    SLICE_MOVES,
    SLICE_NAMES,
    SPENT,
)


@njit("int64(int64, int64, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def finish(
    ctx: int, corners: int, edges: int, slices: int, last: int, togo: int, depth: int
) -> int:
    """Phase two in exactly togo turns, written to the path from depth; 1 done, 2 given up."""
    if togo == 0:
        return 1
    nodes = load64(ctx, NODES) + 1
    store64(ctx, NODES, nodes)
    if nodes >= load64(ctx, NEXT_CHECK) and must_stop(ctx):
        return 2
    rest, below = togo - 1, depth + 1
    turns = load32(load64(ctx, ALLOWED), last) & PHASE_TWO_TURNS
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_corners = load16(load64(ctx, CORNER_MOVES), corners * 18 + turn)
        new_slices = load16(load64(ctx, SLICE_MOVES), slices * 18 + turn)
        if load8(load64(ctx, CORNER_SLICE_DISTANCES), new_corners * 24 + new_slices) > rest:
            continue
        new_edges = load16(load64(ctx, EDGE_MOVES), edges * 18 + turn)
        if pair_distance(ctx, new_corners, new_edges) > rest:
            continue
        store8(load64(ctx, PATH), depth, turn)
        result = finish(ctx, new_corners, new_edges, new_slices, turn, rest, below)
        if result != 0:
            return result
    return 0


@njit("void(int64, int64, int64, int64)", nogil=True, cache=True)
def record(ctx: int, variant: int, cost: int, length: int) -> None:
    """Keep a solution if it is the cheapest: the path holds length turns, cost is phase two's."""
    shared, path = load64(ctx, SHARED), load64(ctx, PATH)
    while atomic_add(shared, LOCK, 1) != 0:
        atomic_add(shared, LOCK, -1)
    total = load64(ctx, SPENT) + cost
    if total < load64(shared, BEST):
        store64(shared, BEST, total)
        for i in range(length):
            store64(shared, FOUND_TURNS + i, load8(path, i))
        store64(shared, FOUND_LENGTH, length)
        store64(shared, FOUND_DIRECTION, load64(ctx, DIRECTION))
        store64(shared, FOUND_PREMOVE, load64(ctx, PREMOVE))
        store64(shared, FOUND_VARIANT, variant)
        store64(shared, FOUND, load64(shared, FOUND) + 1)
    atomic_add(shared, LOCK, -1)
    most = load64(shared, BEST) - 1 - load64(ctx, SPENT)
    if most < load64(ctx, MOST):
        store64(ctx, MOST, most)


@njit("int64(int64, int64, int64, int64)", nogil=True, cache=True)
def leaf(ctx: int, corners: int, slices: int, depth: int) -> int:
    """Try phase two after the path, which is in G2; slices belong to the path's first depth turns.

    The last turn X of the path may as well be X', and the premove Y next to phase two Y': four
    candidates from one path. Returns 1 to give up.
    """
    premove = load32(load64(ctx, PREMOVES), load64(ctx, PREMOVE))
    renamed = (premove & 7) != 0
    if load8(load64(ctx, CORNER_DISTANCES), corners) > load64(ctx, MOST) + 1 + renamed:
        return 0
    path, length = load64(ctx, PATH), load64(ctx, LENGTH)
    for i in range(depth, length):
        slices = load16(load64(ctx, SLICE_MOVES), slices * 18 + load8(path, i))
    last = load8(path, length - 1) if length > 0 else NO_TURN
    side = premove >> 3 & 3
    for variant in range(4):
        if (variant & 1 and length == 0) or (variant & 2 and not renamed):
            continue
        here, there, turn = corners, slices, last
        if variant & 1:
            turn = last // 3 * 3 + 2 - last % 3
            half = last // 3 * 3 + 1
            here = load16(load64(ctx, CORNER_MOVES), here * 18 + half)
            there = load16(load64(ctx, SLICE_MOVES), there * 18 + half)
        if variant & 2:
            here = load16(load64(ctx, CORNER_NAMES), side * PERMUTATIONS + here)
            there = load8(load64(ctx, SLICE_NAMES), side * 24 + there)
        least = load8(load64(ctx, CORNER_SLICE_DISTANCES), here * 24 + there)
        if least > load64(ctx, MOST):
            continue
        if length > 0:
            store8(path, length - 1, turn)
        edges = edge_rank(ctx, SIDE_FACES >> (6 * side) & 63 if variant & 2 else 0)
        least = max(least, pair_distance(ctx, here, edges))
        boundary = AFTER_FACE + turn // 3 if length > 0 else NO_TURN
        while least <= load64(ctx, MOST):
            result = finish(ctx, here, edges, there, boundary, least, length)
            if result == 2:
                return 1
            if result == 1:
                record(ctx, variant, least, length + least)
            least += 1
        if length > 0:
            store8(path, length - 1, last)
        if load64(ctx, MOST) < 0:
            return 1
    return 0
