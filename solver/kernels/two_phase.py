"""The compiled search along G0>G2>G4: every phase-one path, shortest first, with its phase two.

All tables are reached through their addresses, which stand together with the search's variables in
one int64 array, the context (the slots are the constants below). A recursive call then carries
scalars only, which makes it as quick as compiled C: arrays as arguments cost half the speed.
Arguments of recursive calls are always variables: a literal one crashes when numba loads the
function back from its cache.

Words used here: a *frame* is the cube seen through one of the sixteen symmetries that keep the U-D
axis; a node holds the class of its flips and slice, the symmetry s that leads from the raw cube
to the class's frame, and the twist in that frame. Turns in the path are raw turns.
"""
# ruff: noqa: PLR0917, PLR0912 - compiled functions take their arguments by position and branch
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import sys

from numba import njit, types

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

# tables
(
    CLASS_MOVES,  # u32 [class, 18]: class << 4 | symmetry
    TWIST_MOVES,  # u16 [2187, 18]
    TWIST_CONJUGATES,  # u16 [2187, 16]
    PHASE_ONE,  # 2 bits [class, 2188]: 0 up to distance 8, 1: 9, 2: 10, 3: more
    NEAR_FILTER,  # bits: filter of the states within 7
    NEAREST_FILTER,  # bits: a smaller filter of the states within 6
    NEAR_KEYS,  # u32: hash of the states within 6, key + 1
    NEAR_VALUES,  # u64: distance | nearer turns << 4 | level turns << 22 | endings << 40
    ENDINGS,  # u32: six turns of 5 bits, first lowest; bit 31 marks the last ending of a state
    SYMMETRY_PRODUCTS,  # u8 [16, 16]
    FRAME_TURNS,  # u8 [16, 18]: what a raw turn is in the frame
    RAW_TURNS,  # u8 [16, 18]: what a turn in the frame is on the raw cube
    ALLOWED,  # u32 [25]: turns that may follow a turn; 18: all; 19 + face: all but the face's
    CORNER_MOVES,  # u16 [40320, 18]
    CORNER_DISTANCES,  # u8 [40320]: phase two, corners alone
    CORNER_SLICE_DISTANCES,  # u8 [40320, 24]
    CORNER_CLASSES,  # u16 [40320]: class << 4 | symmetry
    EDGE_CONJUGATES,  # u16 [40320, 16]
    EDGE_MOVES,  # u16 [40320, 18]; turns of phase two only
    SLICE_MOVES,  # u16 [11880, 18]: the four slice edges, place and order
    PHASE_TWO,  # nibbles [corner class, 40320]
    CORNER_NAMES,  # u16 [4, 40320]: corners renamed by R2, F2, L2, B2
    SLICE_NAMES,  # u8 [4, 24]
    FLIP_SLICES,  # u32 [495 * 2048]: class << 4 | symmetry
    SLICE_NUMBERS,  # u16 [4096]
    MOVE_ROWS,  # u8 [18, 40]
    ROTATIONS,  # u8 [6, 40]: three rotations, each with its inverse
    PREMOVE_ROWS,  # u8 [premoves, 40]
    PREMOVES,  # u32 [premoves]: length | side of the first turn (R, F, L, B) << 3 | turns << 8
    # variables of one thread
    ROWS,  # u8 [6, 40]: the cube in the six directions
    ROOT,  # u8 [40]: the root being searched
    PATH,  # u8 [64]: raw turns of phase one, then of phase two
    STACK,  # u64 [32, 18]: accepted children
    PREMOVE,
    DIRECTION,
    LENGTH,  # of phase one
    SPENT,  # turns of phase one and premoves together
    MOST,  # turns that phase two may take
    NODES,
    NEXT_CHECK,
    CLOCK,  # i64 [2]: for clock_gettime
    CLOCK_KIND,
    DEADLINE_NS,
    SHARED,  # i64: see below
    ROOT_CACHE,  # u64 [6 * premoves]
    LEVELS,  # i64 [32]: number of premoves in use at each level
    SYMMETRY_ROWS,  # u8 [16, 2, 40]: the sixteen symmetries, each with its inverse
    UNIT,  # what one unit of cost is worth in the measure of the best solution, at least
    SELVES,  # i64 [6]: own symmetries of the cube in each direction, as bits; 0: do not search it
    CONTEXT_SIZE,
) = range(50)

# the array shared by the threads of one search
(
    BEST,
    TASK,
    STOP,
    CAP,  # turns that phase two may take at most
    CAPPED,  # the longest solution that is certainly not longer for that
    LOCK,
    FOUND,  # number of solutions found so far; the latest one stands behind
    FOUND_DIRECTION,
    FOUND_PREMOVE,
    FOUND_VARIANT,
    FOUND_LENGTH,
    FOUND_TURNS,
) = range(12)
SHARED_SIZE = FOUND_TURNS + 64

CHECK_EVERY = 256
HASH_FACTOR = 0x9E3779B1
FILTER_BITS, SMALL_FILTER_BITS, HASH_BITS = 25, 21, 18
TWISTS, PHASE_ONE_ROW, PERMUTATIONS = 2187, 547, 40320
PHASE_TWO_TURNS = (1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 7) | (
    1 << 9 | 1 << 10 | 1 << 11 | 1 << 13 | 1 << 16
)
NO_TURN, AFTER_FACE = 18, 19
SIDE_FACES = 1 << 1 | 1 << 2 + 6 | 1 << 4 + 12 | 1 << 5 + 18  # R, F, L, B as sets of faces


if sys.platform == "win32":  # no clock of a thread there is fine enough: the wall clock instead
    _query = types.ExternalFunction("QueryPerformanceCounter", types.int32(types.int64))

    @njit("int64(int64)", nogil=True, cache=True)
    def cpu_clock(ctx: int) -> int:
        """Nanoseconds of the performance counter, whose tick is the context's clock kind."""
        _query(load64(ctx, CLOCK))
        return load64(load64(ctx, CLOCK), 0) * load64(ctx, CLOCK_KIND)

else:
    _gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.int64))

    @njit("int64(int64)", nogil=True, cache=True)
    def cpu_clock(ctx: int) -> int:
        """Nanoseconds of the clock that the context names."""
        _gettime(load64(ctx, CLOCK_KIND), load64(ctx, CLOCK))
        return load64(load64(ctx, CLOCK), 0) * 1_000_000_000 + load64(load64(ctx, CLOCK), 1)


@njit("int64(int64, int64)", nogil=True, cache=True)
def near_value(ctx: int, key: int) -> int:
    """The entry of a state within 6 of G2, or 0 when it is farther (key = class * 2187 + twist)."""
    slot = ((key * HASH_FACTOR) & 0xFFFFFFFF) >> (32 - HASH_BITS)
    while True:
        found = load32(load64(ctx, NEAR_KEYS), slot)
        if found == key + 1:
            return load64(load64(ctx, NEAR_VALUES), slot)
        if found == 0:
            return 0
        slot = (slot + 1) & ((1 << HASH_BITS) - 1)


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def maybe_in(bits: int, size: int, key: int) -> int:
    """Whether a filter of 2**size bits may hold a state; certain about those it holds."""
    product = (key * HASH_FACTOR) & 0xFFFFFFFF
    first = product >> (32 - size)
    second = first & ~511 | product & 511
    one, two = load8(bits, first >> 3), load8(bits, second >> 3)
    return one >> (first & 7) & two >> (second & 7) & 1


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def rank_bytes(address: int, start: int, count: int) -> int:
    """Lexicographic rank of count bytes."""
    rank = 0
    for i in range(count):
        here = load8(address, start + i)
        smaller = 0
        for j in range(i + 1, count):
            smaller += load8(address, start + j) < here
        rank = rank * (count - i) + smaller
    return rank


@njit("int64(int64)", nogil=True, cache=True)
def must_stop(ctx: int) -> int:
    """Look at the clock, the stop flag and the best solution of all threads; 1 to give up."""
    shared = load64(ctx, SHARED)
    store64(ctx, NEXT_CHECK, load64(ctx, NODES) + CHECK_EVERY)
    if cpu_clock(ctx) > load64(ctx, DEADLINE_NS):
        store64(shared, STOP, 1)
    most = (load64(shared, BEST) - 1) // load64(ctx, UNIT) - load64(ctx, SPENT)
    if most < load64(ctx, MOST):
        store64(ctx, MOST, most)
    return load64(shared, STOP) != 0 or most < 0


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def pair_distance(ctx: int, corners: int, edges: int) -> int:
    """Turns that corners and U-D edges together need in phase two."""
    entry = load16(load64(ctx, CORNER_CLASSES), corners)
    value = load16(load64(ctx, EDGE_CONJUGATES), edges * 16 + (entry & 15))
    at = (entry >> 4) * PERMUTATIONS + value
    return load8(load64(ctx, PHASE_TWO), at >> 1) >> ((at & 1) << 2) & 15


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


@njit("int64(int64, int64)", nogil=True, cache=True)
def edge_rank(ctx: int, faces: int) -> int:
    """Rank of the U-D edges after the path, pieces renamed by half turns of a bit set of faces.

    Each place is followed backwards through the turns to the piece that it gets from the root.
    """
    path, rows, root = load64(ctx, PATH), load64(ctx, MOVE_ROWS), load64(ctx, ROOT)
    length = load64(ctx, LENGTH)
    rank, pieces = 0, 0
    for i in range(8):
        place = i
        for step in range(length):
            place = load8(rows + 16, load8(path, length - 1 - step) * 40 + place)
        piece = load8(root + 16, place)
        rename = faces
        while rename != 0:
            face = lowest_bit(rename)
            rename &= rename - 1
            piece = load8(rows + (1 + 3 * face) * 40 + 16, piece)
        below = piece
        earlier = pieces & ((1 << piece) - 1)
        while earlier != 0:
            earlier &= earlier - 1
            below -= 1
        rank = rank * (8 - i) + below
        pieces |= 1 << piece
    return rank


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
    count = 0
    while mask != 0:
        turn = lowest_bit(mask)
        mask &= mask - 1
        frame = load8(frame_turns, turn)
        entry = load32(class_moves, frame)
        there, by = entry >> 4, entry & 15
        moved = load16(conjugates, load16(twist_moves, frame) * 16 + by)
        store64(stack, count, moved | by << 12 | turn << 16 | there << 21)
        if rest >= 8:
            grade = load8(load64(ctx, PHASE_ONE), there * PHASE_ONE_ROW + (moved >> 2))
            count += (grade >> ((moved & 3) << 1) & 3) <= rest - 8
        elif rest == 7:
            count += maybe_in(load64(ctx, NEAR_FILTER), FILTER_BITS, there * TWISTS + moved)
        else:
            key = there * TWISTS + moved
            count += maybe_in(load64(ctx, NEAREST_FILTER), SMALL_FILTER_BITS, key)
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


@njit("void(int64, int64, int64)", nogil=True, cache=True)
def row_product(first: int, second: int, out: int) -> None:
    """The product of two cubes of forty bytes at addresses."""
    for i in range(8):
        place = load8(second, i)
        store8(out, i, load8(first, place))
        store8(out, 8 + i, (load8(first, 8 + place) + load8(second, 8 + i)) % 3)
    for i in range(12):
        place = load8(second, 16 + i)
        store8(out, 16 + i, load8(first, 16 + place))
        store8(out, 28 + i, load8(first, 28 + place) ^ load8(second, 28 + i))


@njit("void(int64)", nogil=True, cache=True)
def prepare(ctx: int) -> None:
    """From the first of the six rows make the others: three axes, then their inverses."""
    rows, root = load64(ctx, ROWS), load64(ctx, ROOT)
    for axis in range(1, 3):
        rotation = load64(ctx, ROTATIONS) + axis * 80
        row_product(rotation, rows, root)
        row_product(root, rotation + 40, rows + axis * 40)
    for axis in range(3):
        row, back = rows + axis * 40, rows + (axis + 3) * 40
        for i in range(8):
            piece = load8(row, i)
            store8(back, piece, i)
            store8(back, 8 + piece, (3 - load8(row, 8 + i)) % 3)
        for i in range(12):
            piece = load8(row, 16 + i)
            store8(back, 16 + piece, i)
            store8(back, 28 + piece, load8(row, 28 + i))


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def symmetries_between(ctx: int, row: int, other: int) -> int:
    """Those of the sixteen symmetries, as bits, that turn one cube (not mirrored) into another."""
    found = 0
    for symmetry in range(16):
        by = load64(ctx, SYMMETRY_ROWS) + symmetry * 80
        back = by + 40
        same = True
        for i in range(12):
            place = load8(back, 16 + i)
            piece = load8(by, 16 + load8(row, 16 + place))
            if piece != load8(other, 16 + i):
                same = False
                break
            flip = load8(by, 28 + load8(row, 16 + place)) ^ load8(row, 28 + place)
            if flip ^ load8(back, 28 + i) != load8(other, 28 + i):
                same = False
                break
        if not same:
            continue
        for i in range(8):
            place = load8(back, i)
            piece = load8(row, place)
            if load8(by, piece) != load8(other, i):
                same = False
                break
            # twists of a mirrored corner run backwards, and by and back cancel otherwise
            twist = load8(row, 8 + place)
            if load8(by, 8) >= 3:
                twist = (3 - twist) % 3
            if twist != load8(other, 8 + i):
                same = False
                break
        if same:
            found |= 1 << symmetry
    return found


@njit("void(int64)", nogil=True, cache=True)
def find_symmetries(ctx: int) -> None:
    """Find the directions worth searching: of those alike by a symmetry, the first."""
    rows, selves = load64(ctx, ROWS), load64(ctx, SELVES)
    for direction in range(6):
        row = rows + direction * 40
        own = symmetries_between(ctx, row, row)
        for earlier in range(direction):
            if symmetries_between(ctx, rows + earlier * 40, row) != 0:
                own = 0
                break
        store64(selves, direction, own)


@njit("int64(int64, int64)", nogil=True, cache=True)
def premove_is_first(ctx: int, number: int) -> int:
    """Whether no symmetry of the cube turns these premoves into others that stand before them."""
    own = load64(load64(ctx, SELVES), number % 6)
    if own <= 1:
        return own
    word = load32(load64(ctx, PREMOVES), number // 6)
    length = word & 7
    for symmetry in range(1, 16):
        if not own >> symmetry & 1:
            continue
        last, difference = NO_TURN, 0
        for i in range(length):
            turn = word >> (8 + 5 * i) & 31
            other = load8(load64(ctx, FRAME_TURNS), symmetry * 18 + turn)
            if i == 0:
                other = other // 3 * 3
            if not load32(load64(ctx, ALLOWED), last) >> other & 1:
                difference = 1
                break
            last = other
            if difference == 0:
                difference = other - turn
        if difference < 0:
            return 0
    return 1


@njit("int64(int64, int64)", nogil=True, cache=True)
def first_turns(ctx: int, number: int) -> int:
    """The turns to start phase one with: of those alike by a symmetry, the first."""
    every = (1 << 18) - 1
    own = load64(load64(ctx, SELVES), number % 6)
    if own == 1 or number >= 6:
        return every
    turns = 0
    for turn in range(18):
        first = True
        for symmetry in range(1, 16):
            if own >> symmetry & 1:
                first &= load8(load64(ctx, FRAME_TURNS), symmetry * 18 + turn) >= turn
        turns |= first << turn
    return turns


@njit("int64(int64, int64)", nogil=True, cache=True)
def root_node(ctx: int, number: int) -> int:
    """The phase-one node of root ``6 * premove + direction``.

    Packed as twist | symmetry << 12 | grade << 16 | class << 18 | 1 << 40.
    """
    cache = load64(ctx, ROOT_CACHE)
    node = load64(cache, number)
    if node != 0:
        return node
    first = load64(ctx, PREMOVE_ROWS) + number // 6 * 40
    second = load64(ctx, ROWS) + number % 6 * 40
    twist, flip, mask = 0, 0, 0
    for i in range(7):
        twist = twist * 3 + (load8(first, 8 + load8(second, i)) + load8(second, 8 + i)) % 3
    for i in range(12):
        place = load8(second, 16 + i)
        mask |= (load8(first, 16 + place) >> 3) << i
        if i < 11:
            flip = flip << 1 | (load8(first, 28 + place) ^ load8(second, 28 + i))
    entry = load32(load64(ctx, FLIP_SLICES), load16(load64(ctx, SLICE_NUMBERS), mask) * 2048 + flip)
    twist = load16(load64(ctx, TWIST_CONJUGATES), twist * 16 + (entry & 15))
    grade = load8(load64(ctx, PHASE_ONE), (entry >> 4) * PHASE_ONE_ROW + (twist >> 2))
    grade = grade >> ((twist & 3) << 1) & 3
    node = twist | (entry & 15) << 12 | grade << 16 | (entry >> 4) << 18 | 1 << 40
    store64(cache, number, node)
    return node


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
        task = atomic_add(shared, TASK, 1)
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
