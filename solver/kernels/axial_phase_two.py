"""Compiled phase two in axial turns: sixteen candidates a path, measured by turns or by time."""
# ruff: noqa: PLR0917, PLR0912 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from numba import njit

from solver.kernels.axial_slots import (
    CORNER_BOUNDS,
    COSTS,
    COUNT,
    GAP,
    NO_AXIS,
    TIMES,
    TOGETHER,
)
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
    store8,
    store64,
)
from solver.kernels.slots import (
    BEST,
    CORNER_MOVES,
    CORNER_NAMES,
    CORNER_SLICE_DISTANCES,
    DIRECTION,
    EDGE_MOVES,
    FOUND,
    FOUND_DIRECTION,
    FOUND_LENGTH,
    FOUND_TURNS,
    LENGTH,
    LOCK,
    MOST,
    NEXT_CHECK,
    NODES,
    PATH,
    PERMUTATIONS,
    PREMOVE,
    PREMOVES,
    SHARED,
    SLICE_MOVES,
    SLICE_NAMES,
    SPENT,
    UNIT,
)


@njit(f"int64({', '.join(['int64'] * 7)})", nogil=True, cache=True)
def finish(
    ctx: int, corners: int, edges: int, slices: int, axis: int, togo: int, depth: int
) -> int:
    """Phase two at exactly the cost togo, written to the path from depth; 1 done, 2 given up."""
    if togo == 0:
        store64(ctx, COUNT, depth)
        return 1
    nodes = load64(ctx, NODES) + 1
    store64(ctx, NODES, nodes)
    if nodes >= load64(ctx, NEXT_CHECK) and must_stop(ctx):
        return 2
    path = load64(ctx, PATH)
    for by in range(3):
        if by == axis:
            continue
        step = 1 if by == 0 else 2
        for a in range(0, 4, step):
            first_corners, first_slices, first_edges, place = corners, slices, edges, depth
            if a != 0:
                turn = 3 * by + a - 1
                first_corners = load16(load64(ctx, CORNER_MOVES), corners * 18 + turn)
                first_slices = load16(load64(ctx, SLICE_MOVES), slices * 18 + turn)
                first_edges = load16(load64(ctx, EDGE_MOVES), edges * 18 + turn)
            for b in range(0, 4, step):
                if a + b == 0:
                    continue
                rest = togo - load8(load64(ctx, COSTS), 15 * by + 4 * a + b - 1)
                if rest < 0:
                    continue
                new_corners, new_slices, new_edges = first_corners, first_slices, first_edges
                turn = 3 * by + 8 + b
                if b != 0:
                    new_corners = load16(load64(ctx, CORNER_MOVES), new_corners * 18 + turn)
                    new_slices = load16(load64(ctx, SLICE_MOVES), new_slices * 18 + turn)
                at = new_corners * 24 + new_slices
                if load8(load64(ctx, CORNER_SLICE_DISTANCES), at) > rest:
                    continue
                if b != 0:
                    new_edges = load16(load64(ctx, EDGE_MOVES), new_edges * 18 + turn)
                if pair_distance(ctx, new_corners, new_edges) > rest:
                    continue
                place = depth
                if a != 0:
                    store8(path, place, 3 * by + a - 1)
                    place += 1
                if b != 0:
                    store8(path, place, turn)
                    place += 1
                result = finish(ctx, new_corners, new_edges, new_slices, by, rest, place)
                if result != 0:
                    return result
    return 0


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def add_premoves(ctx: int, variant: int, length: int) -> int:
    """Append the premoves to the path; half turns of the first one's faces stand before it."""
    path, word = load64(ctx, PATH), load32(load64(ctx, PREMOVES), load64(ctx, PREMOVE))
    for i in range(word >> 5 & 7):
        turn = word >> (8 + 6 * i) & 63
        quarters = turn % 15 + 1
        for which in range(2):
            face = turn // 15 + 3 * which
            if i == 0 and variant >> (2 + which) & 1:
                store8(path, length, 3 * face + 1)
                length += 1
            count = quarters >> 2 if which == 0 else quarters & 3
            if count != 0:
                store8(path, length, 3 * face + count - 1)
                length += 1
    return length


@njit("int64(int64, int64)", nogil=True, cache=True)
def measure(ctx: int, length: int) -> int:
    """What the path takes, neighbouring turns of one axis made together."""
    path = load64(ctx, PATH)
    times = load64(ctx, TIMES) + load64(ctx, DIRECTION) % 3 * (18 * 8)
    total, i = 0, 0
    while i < length:
        axis, first, second = load8(path, i) // 3 % 3, 0, 0
        while i < length and load8(path, i) // 3 % 3 == axis:
            turn = load8(path, i)
            if turn < 9:
                first = (first + turn % 3 + 1) & 3
            else:
                second = (second + turn % 3 + 1) & 3
            i += 1
        one = load64(times, 3 * axis + first - 1) if first != 0 else 0
        two = load64(times, 3 * axis + 8 + second) if second != 0 else 0
        if one + two > 0:
            total += load64(ctx, GAP)
            total += max(one, two) if load64(ctx, TOGETHER) != 0 else one + two
    return total


@njit("void(int64, int64, int64)", nogil=True, cache=True)
def record_measured(ctx: int, variant: int, length: int) -> None:
    """Keep the solution, phase one and two in the path, if it takes less than the best so far."""
    length = add_premoves(ctx, variant, length)
    total, shared, path = measure(ctx, length), load64(ctx, SHARED), load64(ctx, PATH)
    while atomic_add(shared, LOCK, 1) != 0:
        atomic_add(shared, LOCK, -1)
    if total < load64(shared, BEST):
        store64(shared, BEST, total)
        for i in range(length):
            store64(shared, FOUND_TURNS + i, load8(path, i))
        store64(shared, FOUND_LENGTH, length)
        store64(shared, FOUND_DIRECTION, load64(ctx, DIRECTION))
        store64(shared, FOUND, load64(shared, FOUND) + 1)
    atomic_add(shared, LOCK, -1)
    most = (load64(shared, BEST) - 1) // load64(ctx, UNIT) - load64(ctx, SPENT)
    if most < load64(ctx, MOST):
        store64(ctx, MOST, most)


@njit(f"int64({', '.join(['int64'] * 7)})", nogil=True, cache=True)
def try_variant(
    ctx: int, corners: int, slices: int, axis: int, length: int, variant: int, extra: int
) -> int:
    """Phase two for one candidate, whose half turns cost so much extra; 1 to give up."""
    least = load8(load64(ctx, CORNER_SLICE_DISTANCES), corners * 24 + slices)
    if least + extra > load64(ctx, MOST):
        return 0
    store64(ctx, LENGTH, length)
    premove = load32(load64(ctx, PREMOVES), load64(ctx, PREMOVE))
    by = (premove >> 8 & 63) // 15
    faces = (variant >> 2 & 1) << by | (variant >> 3) << (by + 3)
    edges = edge_rank(ctx, faces)
    least = max(least, pair_distance(ctx, corners, edges))
    while least + extra <= load64(ctx, MOST):
        result = finish(ctx, corners, edges, slices, axis, least, length)
        if result == 2:
            return 1
        if result == 1:
            record_measured(ctx, variant, load64(ctx, COUNT))
        least += 1
    return load64(ctx, MOST) < 0


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def half_turns_cost(ctx: int, turn: int, faces: int) -> int:
    """What an axial turn costs more when its first (1) and second (2) face make half turns more."""
    if faces == 0:
        return 0
    costs, quarters = load64(ctx, COSTS), turn % 15 + 1
    other = quarters ^ (faces & 1) << 3 ^ (faces & 2)
    return load8(costs, turn - quarters + other) - load8(costs, turn)


@njit("int64(int64, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def leaf(ctx: int, corners: int, slices: int, start: int, length: int, turn: int) -> int:
    """Try phase two after the path of length turns, of which slices has seen start; 1 to give up.

    The last axial turn of the path, and the first of the premoves, may as well be any other that
    differs by half turns of its own axis. Variant bits: half turns of the two faces after the
    path (1, 2) and before the premoves (4, 8). ``turn`` is -1 when the path is empty.
    """
    premove = load32(load64(ctx, PREMOVES), load64(ctx, PREMOVE))
    axis, other = 0, 0
    if turn >= 0:
        axis = turn // 15
    entry = premove >> 8 & 63
    if premove >> 5 & 7 != 0:
        other = entry // 15
    most = load64(ctx, MOST)
    if load8(load64(ctx, CORNER_BOUNDS), (axis * 3 + other) * PERMUTATIONS + corners) > most:
        return 0
    path = load64(ctx, PATH)
    for i in range(start, length):
        slices = load16(load64(ctx, SLICE_MOVES), slices * 18 + load8(path, i))
    last = axis if turn >= 0 else NO_AXIS
    for after in range(4 if turn >= 0 else 1):
        extra = half_turns_cost(ctx, turn, after)
        if extra > load64(ctx, MOST):
            continue
        here, there, place = corners, slices, length
        for which in range(2):
            if after >> which & 1:
                half = 3 * (axis + 3 * which) + 1
                here = load16(load64(ctx, CORNER_MOVES), here * 18 + half)
                there = load16(load64(ctx, SLICE_MOVES), there * 18 + half)
                store8(path, place, half)
                place += 1
        for before in range(4 if other != 0 else 1):
            named, order = here, there
            for which in range(2):
                if before >> which & 1:
                    side = other - 1 + 2 * which
                    named = load16(load64(ctx, CORNER_NAMES), side * PERMUTATIONS + named)
                    order = load8(load64(ctx, SLICE_NAMES), side * 24 + order)
            cost = extra + half_turns_cost(ctx, entry, before)
            if try_variant(ctx, named, order, last, place, after | before << 2, cost):
                return 1
    return 0
