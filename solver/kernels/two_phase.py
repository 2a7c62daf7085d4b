"""The compiled search along G0>G2>G4: every phase-one path, shortest first, with its phase two.

Arguments of recursive calls are always variables: a literal one crashes when numba loads the
function back from its cache. What the slots and words mean: `solver.kernels.slots`.
"""
# ruff: noqa: PLR0917 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from numba import njit

from solver.kernels.clock import (
    must_stop,
)
from solver.kernels.lookups import (
    maybe_in,
    near_value,
    rank_bytes,
)
from solver.kernels.memory import (
    atomic_add,
    load8,
    load16,
    load32,
    load64,
    lowest_bit,
    prefetch,
    store8,
    store64,
)
from solver.kernels.phase_two import (
    leaf,
)
from solver.kernels.roots import (
    first_turns,
    premove_is_first,
    root_node,
    row_product,
)
from solver.kernels.slots import (
    ALLOWED,
    BEST,
    CAP,
    CAPPED,
    CLASS_MOVES,
    CORNER_MOVES,
    DIRECTION,
    ENDINGS,
    FILTER_BITS,
    FRAME_TURNS,
    HASH_BITS,
    HASH_FACTOR,
    LENGTH,
    LEVELS,
    MOST,
    NEAR_FILTER,
    NEAR_KEYS,
    NEAR_VALUES,
    NEAREST_FILTER,
    NEXT_CHECK,
    NODES,
    PASS,
    PATH,
    PHASE_ONE,
    PHASE_ONE_ROW,
    PREMOVE,
    PREMOVE_ROWS,
    PREMOVES,
    RAW_TURNS,
    ROOT,
    ROWS,
    SHARED,
    SLICE_MOVES,
    SLICE_NUMBERS,
    SMALL_FILTER_BITS,
    SPENT,
    STACK,
    STOP,
    SYMMETRY_PRODUCTS,
    TASK,
    TWIST_CONJUGATES,
    TWIST_MOVES,
    TWISTS,
)


@njit("int64(int64, int64, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def follow_endings(
    ctx: int, value: int, symmetry: int, mask: int, corners: int, slices: int, depth: int
) -> int:
    """Complete the path by every stored ending whose first turn the mask allows; 1 to give up."""
    distance, at = value & 15, value >> 40 & 0xFFFFFF
    path, raw_turns = load64(ctx, PATH), load64(ctx, RAW_TURNS) + symmetry * 18
    while True:
        word = load32(load64(ctx, ENDINGS), at)
        turn = load8(raw_turns, word & 31)
        if mask >> turn & 1:
            here = corners
            turns = word
            for i in range(distance):
                turn = load8(raw_turns, turns & 31)
                turns >>= 5
                store8(path, depth + i, turn)
                here = load16(load64(ctx, CORNER_MOVES), here * 18 + turn)
            if leaf(ctx, here, slices, depth):
                return 1
        if word >> 31:
            return 0
        at += 1


@njit(f"int64({', '.join(['int64'] * 10)})", nogil=True, cache=True)
def near(
    ctx: int,
    value: int,
    cls: int,
    twist: int,
    symmetry: int,
    mask: int,
    togo: int,
    depth: int,
    corners: int,
    slices: int,
) -> int:
    """Every path of exactly togo turns from a state within 6 of G2; 1 to give up."""
    distance = value & 15
    if distance == togo:
        if togo == 0:
            return leaf(ctx, corners, slices, depth)
        return follow_endings(ctx, value, symmetry, mask, corners, slices, depth)
    if distance + togo < 5:  # nothing leaves G2 and is back in four turns (T. Rokicki)
        return 0
    rest, below = togo - 1, depth + 1
    while mask != 0:
        turn = lowest_bit(mask)
        mask &= mask - 1
        frame = load8(load64(ctx, FRAME_TURNS), symmetry * 18 + turn)
        if rest == distance and not (value >> 4 | value >> 22) >> frame & 1:
            continue
        entry = load32(load64(ctx, CLASS_MOVES), cls * 18 + frame)
        by = entry & 15
        moved = load16(load64(ctx, TWIST_MOVES), twist * 18 + frame)
        moved = load16(load64(ctx, TWIST_CONJUGATES), moved * 16 + by)
        there = entry >> 4
        new_value = near_value(ctx, there * TWISTS + moved)
        store8(load64(ctx, PATH), depth, turn)
        if near(
            ctx,
            new_value,
            there,
            moved,
            load8(load64(ctx, SYMMETRY_PRODUCTS), by * 16 + symmetry),
            load32(load64(ctx, ALLOWED), turn),
            rest,
            below,
            load16(load64(ctx, CORNER_MOVES), corners * 18 + turn),
            load16(load64(ctx, SLICE_MOVES), slices * 18 + turn),
        ):
            return 1
    return 0


@njit("void(int64, int64, int64, int64)", nogil=True, cache=True)
def fetch(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Have the memory fetch what `reachable` is going to look at."""
    if rest >= 8:
        prefetch(load64(ctx, PHASE_ONE) + cls * PHASE_ONE_ROW + (twist >> 2))
    elif rest == 7:
        product = ((cls * TWISTS + twist) * HASH_FACTOR) & 0xFFFFFFFF
        prefetch(load64(ctx, NEAR_FILTER) + (product >> (35 - FILTER_BITS)))


@njit("int64(int64, int64, int64, int64)", nogil=True, cache=True)
def reachable(ctx: int, cls: int, twist: int, rest: int) -> int:
    """Whether G2 may be within rest of a node; if so, have fetched what is looked at next."""
    if rest >= 8:
        grade = load8(load64(ctx, PHASE_ONE), cls * PHASE_ONE_ROW + (twist >> 2))
        fits = (grade >> ((twist & 3) << 1) & 3) <= rest - 8
    elif rest == 7:
        fits = maybe_in(load64(ctx, NEAR_FILTER), FILTER_BITS, cls * TWISTS + twist) != 0
    else:
        key = cls * TWISTS + twist
        fits = maybe_in(load64(ctx, NEAREST_FILTER), SMALL_FILTER_BITS, key) != 0
        if fits:
            slot = ((key * HASH_FACTOR) & 0xFFFFFFFF) >> (32 - HASH_BITS)
            prefetch(load64(ctx, NEAR_KEYS) + slot * 4)
            prefetch(load64(ctx, NEAR_VALUES) + slot * 8)
        return fits
    if fits:
        row = load64(ctx, CLASS_MOVES) + cls * (18 * 4)
        prefetch(row)
        prefetch(row + 64)
    return fits


@njit(f"int64({', '.join(['int64'] * 9)})", nogil=True, cache=True)
def expand(
    ctx: int,
    cls: int,
    twist: int,
    symmetry: int,
    mask: int,
    togo: int,
    depth: int,
    corners: int,
    slices: int,
) -> int:
    """Every path of exactly togo >= 7 turns from a state at most togo from G2; 1 to give up.

    All children are looked up before the first is entered, so that the memory works on them side
    by side; those that cannot reach G2 in time are never entered.
    """
    nodes = load64(ctx, NODES) + 1
    store64(ctx, NODES, nodes)
    if nodes >= load64(ctx, NEXT_CHECK) and must_stop(ctx):
        return 1
    rest, below = togo - 1, depth + 1
    stack = load64(ctx, STACK) + depth * (18 * 8)
    frame_turns = load64(ctx, FRAME_TURNS) + symmetry * 18
    class_moves = load64(ctx, CLASS_MOVES) + cls * (18 * 4)
    twist_moves = load64(ctx, TWIST_MOVES) + twist * (18 * 2)
    conjugates = load64(ctx, TWIST_CONJUGATES)
    children = 0
    while mask != 0:
        turn = lowest_bit(mask)
        mask &= mask - 1
        frame = load8(frame_turns, turn)
        entry = load32(class_moves, frame)
        there, by = entry >> 4, entry & 15
        moved = load16(conjugates, load16(twist_moves, frame) * 16 + by)
        store64(stack, children, moved | by << 12 | turn << 16 | there << 21)
        children += 1
        fetch(ctx, there, moved, rest)
    count = 0
    for i in range(children):
        child = load64(stack, i)
        store64(stack, count, child)
        count += reachable(ctx, child >> 21, child & 0xFFF, rest)
    for i in range(count):
        child = load64(stack, i)
        moved, turn, there = child & 0xFFF, child >> 16 & 31, child >> 21
        by = load8(load64(ctx, SYMMETRY_PRODUCTS), (child >> 12 & 15) * 16 + symmetry)
        after = load32(load64(ctx, ALLOWED), turn)
        new_corners = load16(load64(ctx, CORNER_MOVES), corners * 18 + turn)
        new_slices = load16(load64(ctx, SLICE_MOVES), slices * 18 + turn)
        store8(load64(ctx, PATH), depth, turn)
        if rest >= 7:
            if expand(ctx, there, moved, by, after, rest, below, new_corners, new_slices):
                return 1
        else:
            value = near_value(ctx, there * TWISTS + moved)
            if value == 0:
                continue
            if value & 15 == rest:
                if follow_endings(ctx, value, by, after, new_corners, new_slices, below):
                    return 1
            elif near(ctx, value, there, moved, by, after, rest, below, new_corners, new_slices):
                return 1
    return 0


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def search_root(ctx: int, number: int, length: int) -> int:
    """Every phase one of exactly length turns from one root; 1 to give up."""
    if not premove_is_first(ctx, number):
        return 0
    node = root_node(ctx, number)
    twist, symmetry, cls = node & 0xFFF, node >> 12 & 15, node >> 18 & 0x1FFFFF
    value, key = 0, cls * TWISTS + twist
    if length >= 8:
        if (node >> 16 & 3) > length - 8:
            return 0
    elif length == 7:
        if not maybe_in(load64(ctx, NEAR_FILTER), FILTER_BITS, key):
            return 0
    else:
        value = near_value(ctx, key)
        if value == 0 or (value & 15) > length:
            return 0
    premove = number // 6
    root = load64(ctx, ROOT)
    row_product(load64(ctx, PREMOVE_ROWS) + premove * 40, load64(ctx, ROWS) + number % 6 * 40, root)
    mask, places = 0, 0
    inside = load64(ctx, PATH) + 60
    for i in range(12):
        piece = load8(root, 16 + i)
        if piece >= 8:
            mask |= 1 << i
            store8(inside, places, piece)
            places += 1
    slices = load16(load64(ctx, SLICE_NUMBERS), mask) * 24 + rank_bytes(inside, 0, 4)
    corners = rank_bytes(root, 0, 8)
    shared = load64(ctx, SHARED)
    spent = length + (load32(load64(ctx, PREMOVES), premove) & 7)
    most, cap = load64(shared, BEST) - 1 - spent, load64(shared, CAP)
    if most > cap:
        most = cap
        if cap + 1 + spent < load64(shared, CAPPED):
            store64(shared, CAPPED, cap + 1 + spent)
    store64(ctx, MOST, most)
    store64(ctx, SPENT, spent)
    store64(ctx, LENGTH, length)
    store64(ctx, PREMOVE, premove)
    store64(ctx, DIRECTION, number % 6)
    every, start = first_turns(ctx, number), length - length
    if length >= 7:
        return expand(ctx, cls, twist, symmetry, every, length, start, corners, slices)
    return near(ctx, value, cls, twist, symmetry, every, length, start, corners, slices)


@njit("int64(int64)", nogil=True, cache=True)
def search(ctx: int) -> int:
    """Search level by level (premoves and phase one together) until no level can be better.

    Several threads may run this on contexts that share the shared array; each takes the next root
    that nobody has taken. Returns 1 when every level below the best solution is done, 0 when it
    was stopped.
    """
    shared, levels = load64(ctx, SHARED), load64(ctx, LEVELS)
    level, before = 0, 0
    while True:
        task = atomic_add(shared, TASK + load64(ctx, PASS), 1)
        while task - before >= 6 * load64(levels, level):
            before += 6 * load64(levels, level)
            level += 1
            if level >= load64(shared, BEST) or level > 30:
                return 1
        if load64(shared, STOP) != 0:
            return 0
        if level >= load64(shared, BEST):
            return 1
        number = task - before
        nodes = load64(ctx, NODES) + 1
        store64(ctx, NODES, nodes)
        if nodes >= load64(ctx, NEXT_CHECK):
            store64(ctx, SPENT, level)
            if must_stop(ctx):
                return load64(shared, STOP) == 0
        length = level - (load32(load64(ctx, PREMOVES), number // 6) & 7)
        if length >= 0:
            search_root(ctx, number, length)
