"""The compiled search along G0>G2>G4 in a metric of axial turns: opposite faces turn together.

As `solver.kernels.two_phase`, with three differences. Turns are the 45 of
`solver.search.axial_turns`, of which two neighbours never share an axis, and cost one or the other
amount, so levels count cost. The path still holds single turns. And of the turns that enter G2,
those that differ by half turns of their own axis are searched as one: a path and its premoves stand
for sixteen candidates.
"""
# ruff: noqa: PLR0917, PLR0912, PLR0915 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from numba import njit

from solver.kernels.axial_phase_two import (
    leaf,
)
from solver.kernels.axial_slots import (
    AXIAL_CLASS_MOVES,
    AXIAL_FRAME_TURNS,
    AXIAL_LEVELS,
    AXIAL_RAW_TURNS,
    AXIAL_TWIST_MOVES,
    COSTS,
    GRADES,
    NEAR_HASH_BITS,
    NEAR_RADIUS,
    NO_AXIS,
    QUARTER,
    TURNS,
)
from solver.kernels.clock import (
    must_stop,
)
from solver.kernels.lookups import (
    maybe_in,
    rank_bytes,
)
from solver.kernels.memory import (
    atomic_add,
    load8,
    load16,
    load32,
    load64,
    prefetch,
    store8,
    store64,
)
from solver.kernels.roots import (
    root_node,
    row_product,
)
from solver.kernels.slots import (
    BEST,
    CAP,
    CAPPED,
    CORNER_MOVES,
    DIRECTION,
    ENDINGS,
    FILTER_BITS,
    HASH_FACTOR,
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
    ROOT,
    ROWS,
    SELVES,
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
    TWISTS,
    UNIT,
)


@njit("int64(int64, int64)", nogil=True, cache=True)
def near_entry(ctx: int, key: int) -> int:
    """The entry of a state near G2 (distance | endings << 8), or -1 when it is farther."""
    slot = ((key * HASH_FACTOR) & 0xFFFFFFFF) >> (32 - NEAR_HASH_BITS)
    while True:
        found = load32(load64(ctx, NEAR_KEYS), slot)
        if found == key + 1:
            return load32(load64(ctx, NEAR_VALUES), slot)
        if found == 0:
            return -1
        slot = (slot + 1) & ((1 << NEAR_HASH_BITS) - 1)


@njit("void(int64, int64, int64, int64)", nogil=True, cache=True)
def fetch(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Have the memory fetch what `reachable` is going to look at."""
    beyond = rest - load64(ctx, GRADES)
    if beyond >= 3:
        return
    if beyond >= 0:
        prefetch(load64(ctx, PHASE_ONE) + cls * PHASE_ONE_ROW + (twist >> 2))
        return
    radius = load64(ctx, NEAR_RADIUS)
    if rest > radius:
        bits = load64(ctx, NEAR_FILTER) + (rest - radius - 1) * (1 << (FILTER_BITS - 3))
        product = ((cls * TWISTS + twist) * HASH_FACTOR) & 0xFFFFFFFF
        prefetch(bits + (product >> (35 - FILTER_BITS)))


@njit("int64(int64, int64, int64, int64)", nogil=True, cache=True)
def reachable(ctx: int, cls: int, twist: int, rest: int) -> int:
    """Whether G2 may be within rest of a node; certain where phase one's table is asked."""
    beyond = rest - load64(ctx, GRADES)
    if beyond >= 3:
        return 1
    if beyond >= 0:
        grade = load8(load64(ctx, PHASE_ONE), cls * PHASE_ONE_ROW + (twist >> 2))
        return (grade >> ((twist & 3) << 1) & 3) <= beyond
    if rest < 0:
        return 0
    key = cls * TWISTS + twist
    radius = load64(ctx, NEAR_RADIUS)
    if rest > radius:
        bits = load64(ctx, NEAR_FILTER) + (rest - radius - 1) * (1 << (FILTER_BITS - 3))
        return maybe_in(bits, FILTER_BITS, key)
    return maybe_in(load64(ctx, NEAREST_FILTER), SMALL_FILTER_BITS, key)


@njit("int64(int64, int64, int64, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def follow_endings(
    ctx: int, at: int, cost: int, symmetry: int, axis: int, corners: int, slices: int, depth: int
) -> int:
    """Complete the path by every stored ending that starts on another axis; 1 to give up."""
    path, raw_turns = load64(ctx, PATH), load64(ctx, AXIAL_RAW_TURNS) + symmetry * TURNS
    while True:
        word = load64(load64(ctx, ENDINGS), at)
        turn = load8(raw_turns, word & 63)
        if turn // 15 != axis:
            here, place, left, turns = corners, depth, cost, word
            while left > 0:
                turn = load8(raw_turns, turns & 63)
                turns >>= 6
                left -= load8(load64(ctx, COSTS), turn)
                quarters, by = turn % 15 + 1, turn // 15 * 3
                if quarters >> 2 != 0:
                    single = by + (quarters >> 2) - 1
                    here = load16(load64(ctx, CORNER_MOVES), here * 18 + single)
                    store8(path, place, single)
                    place += 1
                if quarters & 3 != 0:
                    single = by + 8 + (quarters & 3)
                    here = load16(load64(ctx, CORNER_MOVES), here * 18 + single)
                    store8(path, place, single)
                    place += 1
            if leaf(ctx, here, slices, depth, place, turn):
                return 1
        if word < 0:
            return 0
        at += 1


@njit(f"int64({', '.join(['int64'] * 9)})", nogil=True, cache=True)
def expand(
    ctx: int,
    cls: int,
    twist: int,
    symmetry: int,
    axis: int,
    togo: int,
    depth: int,
    corners: int,
    slices: int,
) -> int:
    """Every path of exactly the cost togo from a state that may be so near G2; 1 to give up."""
    nodes = load64(ctx, NODES) + 1
    store64(ctx, NODES, nodes)
    if nodes >= load64(ctx, NEXT_CHECK) and must_stop(ctx):
        return 1
    path = load64(ctx, PATH)
    stack = load64(ctx, STACK) + depth * (TURNS * 8)
    frame_turns = load64(ctx, AXIAL_FRAME_TURNS) + symmetry * TURNS
    class_moves = load64(ctx, AXIAL_CLASS_MOVES) + cls * (TURNS * 4)
    twist_moves = load64(ctx, AXIAL_TWIST_MOVES) + twist * (TURNS * 2)
    conjugates = load64(ctx, TWIST_CONJUGATES)
    children = 0
    for by in range(3):
        if by == axis:
            continue
        for turn in range(15 * by, 15 * by + 15):
            frame = load8(frame_turns, turn)
            entry = load32(class_moves, frame)
            there, conjugate = entry >> 4, entry & 15
            moved = load16(conjugates, load16(twist_moves, frame) * 16 + conjugate)
            store64(stack, children, moved | conjugate << 12 | turn << 16 | there << 22)
            children += 1
            rest = togo - load8(load64(ctx, COSTS), turn)
            fetch(ctx, there, moved, rest)
    count = 0
    for i in range(children):
        child = load64(stack, i)
        moved, turn, there = child & 0xFFF, child >> 16 & 63, child >> 22
        rest = togo - load8(load64(ctx, COSTS), turn)
        store64(stack, count, child)
        if reachable(ctx, there, moved, rest):
            count += 1
            if rest > load64(ctx, NEAR_RADIUS):
                row = load64(ctx, AXIAL_CLASS_MOVES) + there * (TURNS * 4)
                prefetch(row)
                prefetch(row + 64)
                prefetch(row + 128)
            else:
                slot = (((there * TWISTS + moved) * HASH_FACTOR) & 0xFFFFFFFF) >> (
                    32 - NEAR_HASH_BITS
                )
                prefetch(load64(ctx, NEAR_KEYS) + slot * 4)
                prefetch(load64(ctx, NEAR_VALUES) + slot * 4)
    for i in range(count):
        child = load64(stack, i)
        moved, turn, there = child & 0xFFF, child >> 16 & 63, child >> 22
        seen = load8(load64(ctx, SYMMETRY_PRODUCTS), (child >> 12 & 15) * 16 + symmetry)
        rest = togo - load8(load64(ctx, COSTS), turn)
        new_corners, new_slices, place = corners, slices, depth
        quarters, by = turn % 15 + 1, turn // 15
        if quarters >> 2 != 0:
            single = 3 * by + (quarters >> 2) - 1
            new_corners = load16(load64(ctx, CORNER_MOVES), new_corners * 18 + single)
            new_slices = load16(load64(ctx, SLICE_MOVES), new_slices * 18 + single)
            store8(path, place, single)
            place += 1
        if quarters & 3 != 0:
            single = 3 * by + 8 + (quarters & 3)
            new_corners = load16(load64(ctx, CORNER_MOVES), new_corners * 18 + single)
            new_slices = load16(load64(ctx, SLICE_MOVES), new_slices * 18 + single)
            store8(path, place, single)
            place += 1
        if rest <= load64(ctx, NEAR_RADIUS):
            entry = near_entry(ctx, there * TWISTS + moved)
            distance = entry & 255
            if entry < 0 or distance > rest:
                continue
            if distance == rest:
                if rest == 0:
                    # of the turns that enter G2 the ones without half turns stand for all
                    odd = by > 0 and (quarters & 2) == 0 and (quarters & 8) == 0
                    if odd and leaf(ctx, new_corners, new_slices, place, place, turn):
                        return 1
                elif follow_endings(
                    ctx, entry >> 8, rest, seen, by, new_corners, new_slices, place
                ):
                    return 1
                continue
            if distance == 0 and rest < 3 * load64(ctx, QUARTER):
                continue  # nothing leaves G2 and is back in two turns
        if expand(ctx, there, moved, seen, by, rest, place, new_corners, new_slices):
            return 1
    return 0


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def search_root(ctx: int, number: int, cost: int) -> int:
    """Every phase one of exactly the cost from root ``6 * premove + direction``; 1 to give up."""
    if load64(load64(ctx, SELVES), number % 6) == 0:
        return 0
    node = root_node(ctx, number)
    twist, symmetry, cls = node & 0xFFF, node >> 12 & 15, node >> 18 & 0x1FFFFF
    if not reachable(ctx, cls, twist, cost):
        return 0
    premove, root = number // 6, load64(ctx, ROOT)
    row_product(load64(ctx, PREMOVE_ROWS) + premove * 40, load64(ctx, ROWS) + number % 6 * 40, root)
    mask, places, inside = 0, 0, load64(ctx, PATH)
    for i in range(12):
        piece = load8(root, 16 + i)
        if piece >= 8:
            mask |= 1 << i
            store8(inside, places, piece)
            places += 1
    slices = load16(load64(ctx, SLICE_NUMBERS), mask) * 24 + rank_bytes(inside, 0, 4)
    corners = rank_bytes(root, 0, 8)
    shared = load64(ctx, SHARED)
    spent = cost + (load32(load64(ctx, PREMOVES), premove) & 31)
    most = (load64(shared, BEST) - 1) // load64(ctx, UNIT) - spent
    cap = load64(shared, CAP)
    if most > cap:
        most = cap
        if (cap + 1 + spent) * load64(ctx, UNIT) < load64(shared, CAPPED):
            store64(shared, CAPPED, (cap + 1 + spent) * load64(ctx, UNIT))
    store64(ctx, MOST, most)
    store64(ctx, SPENT, spent)
    store64(ctx, PREMOVE, premove)
    store64(ctx, DIRECTION, number % 6)
    none, start = NO_AXIS + places - 4, places - 4
    if cost <= load64(ctx, NEAR_RADIUS):
        entry = near_entry(ctx, cls * TWISTS + twist)
        if entry < 0 or entry & 255 > cost:
            return 0
        if entry & 255 == cost:
            if cost == 0:
                return leaf(ctx, corners, slices, start, start, -1)
            return follow_endings(ctx, entry >> 8, cost, symmetry, none, corners, slices, start)
    return expand(ctx, cls, twist, symmetry, none, cost, start, corners, slices)


@njit("int64(int64)", nogil=True, cache=True)
def search(ctx: int) -> int:
    """As `solver.kernels.two_phase.search`, level by level of cost."""
    shared, levels = load64(ctx, SHARED), load64(ctx, LEVELS)
    level, before = 0, 0
    while True:
        task = atomic_add(shared, TASK + load64(ctx, PASS), 1)
        while task - before >= 6 * load64(levels, level):
            before += 6 * load64(levels, level)
            level += 1
            if level * load64(ctx, UNIT) >= load64(shared, BEST) or level >= AXIAL_LEVELS - 1:
                return 1
        if load64(shared, STOP) != 0:
            return 0
        if level * load64(ctx, UNIT) >= load64(shared, BEST):
            return 1
        nodes = load64(ctx, NODES) + 1
        store64(ctx, NODES, nodes)
        if nodes >= load64(ctx, NEXT_CHECK):
            store64(ctx, SPENT, level)
            if must_stop(ctx):
                return load64(shared, STOP) == 0
        number = task - before
        cost = level - (load32(load64(ctx, PREMOVES), number // 6) & 31)
        if cost >= 0:
            search_root(ctx, number, cost)
