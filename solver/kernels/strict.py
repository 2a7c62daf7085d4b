"""The compiled search for the shortest solution whose four stages are each as short as can be.

Every shortest way through a stage is followed, and from where it ends every shortest way through
the next one; the last stage's length is looked up. Slots below the strict ones are those of
`solver.kernels.two_phase`.
"""
# ruff: noqa: PLR0917, PLR0911 - compiled functions take their arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from numba import njit

from solver.kernels.clock import (
    must_stop,
)
from solver.kernels.lookups import (
    rank_bytes,
)
from solver.kernels.memory import load8, load16, load32, load64, lowest_bit, store8, store64
from solver.kernels.slots import (
    AFTER_FACE,
    ALLOWED,
    BEST,
    CONTEXT_SIZE,
    FOUND,
    FOUND_DIRECTION,
    FOUND_LENGTH,
    FOUND_TURNS,
    MOST,
    MOVE_ROWS,
    NEXT_CHECK,
    NO_TURN,
    NODES,
    PATH,
    SHARED,
    SPENT,
)

A_MOVES, B_MOVES, DISTANCES, SIZES, TURNS, LOOKUPS = range(CONTEXT_SIZE, CONTEXT_SIZE + 24, 4)
STAGE_ROWS = CONTEXT_SIZE + 24  # u8 [5, 40]: the cube at the start of each stage
ENTRIES = CONTEXT_SIZE + 25  # u8 [n, 64]: ends of the second stage, see below
ENTRY_COUNT = CONTEXT_SIZE + 26
STRICT_CONTEXT_SIZE = CONTEXT_SIZE + 27

# an entry: the cube (40 bytes), the path, and
ENTRY_BYTES, MOST_ENTRIES = 64, 1 << 14
ENTRY_DEPTH, ENTRY_SUM, ENTRY_DIRECTION = 61, 62, 63


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def rank_every_other(row: int, start: int, step: int) -> int:
    """Lexicographic rank of four bytes, step apart."""
    rank = 0
    for i in range(4):
        smaller = 0
        for j in range(i + 1, 4):
            smaller += load8(row, start + j * step) < load8(row, start + i * step)
        rank = rank * (4 - i) + smaller
    return rank


@njit("int64(int64, int64)", nogil=True, cache=True)
def stage_state(ctx: int, stage: int) -> int:
    """The two coordinates of a stage, ``a << 32 | b``, of the cube at its start."""
    row = load64(ctx, STAGE_ROWS) + stage * 40
    a, b, mask = 0, 0, 0
    if stage == 0:
        for i in range(28, 39):
            a = a * 2 + load8(row, i)
    elif stage == 1:
        for i in range(8, 15):
            a = a * 3 + load8(row, i)
        for i in range(12):
            mask |= (load8(row, 16 + i) >> 3) << i
        b = load16(load64(ctx, LOOKUPS), mask)
    elif stage == 2:
        for i in range(8):
            mask |= (load8(row, 16 + i) & 1) << i
        a = load16(load64(ctx, LOOKUPS + 2), rank_bytes(row, 0, 8))
        b = load16(load64(ctx, LOOKUPS + 1), mask)
    else:
        a = load16(load64(ctx, LOOKUPS + 3), rank_bytes(row, 0, 8)) * 24
        a += rank_every_other(row, 17, 2)
        b = rank_every_other(row, 16, 2) * 24 + rank_every_other(row, 24, 1)
    return a << 32 | b


@njit("int64(int64, int64, int64, int64)", nogil=True, cache=True)
def stage_distance(ctx: int, stage: int, a: int, b: int) -> int:
    """Turns to the end of a stage."""
    fold = stage == 3
    at = a * (load64(ctx, SIZES + stage) >> fold) + (b >> fold)
    return load8(load64(ctx, DISTANCES + stage), at)


@njit("void(int64, int64, int64)", nogil=True, cache=True)
def keep(ctx: int, length: int, direction: int) -> None:
    """Keep the path if it is the shortest so far."""
    shared = load64(ctx, SHARED)
    if length < load64(shared, BEST):
        store64(shared, BEST, length)
        for i in range(length):
            store64(shared, FOUND_TURNS + i, load8(load64(ctx, PATH), i))
        store64(shared, FOUND_LENGTH, length)
        store64(shared, FOUND_DIRECTION, direction)
        store64(shared, FOUND, load64(shared, FOUND) + 1)


@njit("void(int64, int64, int64, int64)", nogil=True, cache=True)
def turn_stage(ctx: int, stage: int, first: int, last: int) -> None:
    """Turn the cube at the start of a stage through the path's turns first to last.

    Flips are not written, and twists only after the first stage: from then on they are zero.
    """
    row, path = load64(ctx, STAGE_ROWS) + stage * 40, load64(ctx, PATH)
    moves = load64(ctx, MOVE_ROWS)
    for i in range(8):
        place, twist = i, 0
        for step in range(last - 1, first - 1, -1):
            move = moves + load8(path, step) * 40
            twist += load8(move, 8 + place)
            place = load8(move, place)
        store8(row + 40, i, load8(row, place))
        if stage == 0:
            store8(row + 40, 8 + i, (load8(row, 8 + place) + twist) % 3)
    for i in range(16, 28):
        place = i
        for step in range(last - 1, first - 1, -1):
            place = 16 + load8(moves + load8(path, step) * 40, place)
        store8(row + 40, i, load8(row, place))


@njit("void(int64, int64, int64, int64)", nogil=True, cache=True)
def enter(ctx: int, depth: int, total: int, direction: int) -> None:
    """Note an end of the second stage, with the turns to the end of the third."""
    count = load64(ctx, ENTRY_COUNT)
    if count == MOST_ENTRIES:
        return
    store64(ctx, ENTRY_COUNT, count + 1)
    entry = load64(ctx, ENTRIES) + count * ENTRY_BYTES
    row = load64(ctx, STAGE_ROWS) + 2 * 40
    for i in range(40):
        store8(entry, i, load8(row, i))
    for i in range(depth):
        store8(entry, 40 + i, load8(load64(ctx, PATH), i))
    store8(entry, ENTRY_DEPTH, depth)
    store8(entry, ENTRY_SUM, total)
    store8(entry, ENTRY_DIRECTION, direction)


@njit("int64(int64, int64, int64, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def walk(
    ctx: int, stage: int, a: int, b: int, togo: int, depth: int, start: int, direction: int
) -> int:
    """Every shortest way through the first two stages, or through the last two; 1 to give up.

    ``start`` is the length of the path where the stage began.
    """
    nodes = load64(ctx, NODES) + 1
    store64(ctx, NODES, nodes)
    if nodes >= load64(ctx, NEXT_CHECK):
        store64(ctx, SPENT, 0)
        store64(ctx, MOST, 64)
        if must_stop(ctx):
            return 1
    best = load64(load64(ctx, SHARED), BEST)
    if togo == 0:
        if stage == 3:
            keep(ctx, depth, direction)
            return 0
        turn_stage(ctx, stage, start, depth)
        following = stage + 1
        state = stage_state(ctx, following)
        new_a, new_b = state >> 32, state & 0xFFFFFFFF
        distance = stage_distance(ctx, following, new_a, new_b)
        if depth + distance >= best:
            return 0
        if following == 2:
            enter(ctx, depth, depth + distance, direction)
            return 0
        return walk(ctx, following, new_a, new_b, distance, depth, depth, direction)
    last = NO_TURN
    if depth > 0:
        last = load8(load64(ctx, PATH), depth - 1)
        if depth == start:  # a turn that commutes with the last one need not have come before it
            last = AFTER_FACE + last // 3
    turns = load32(load64(ctx, ALLOWED), last) & load64(ctx, TURNS + stage)
    rest, below = togo - 1, depth + 1
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_a = load16(load64(ctx, A_MOVES + stage), a * 18 + turn)
        new_b = load16(load64(ctx, B_MOVES + stage), b * 18 + turn)
        if stage_distance(ctx, stage, new_a, new_b) != rest:
            continue
        store8(load64(ctx, PATH), depth, turn)
        if walk(ctx, stage, new_a, new_b, rest, below, start, direction):
            return 1
        if stage == 3 and load64(load64(ctx, SHARED), BEST) < best:
            return 0  # the ways through the last stage are all equally long
    return 0


@njit("int64(int64, int64)", nogil=True, cache=True)
def first_half(ctx: int, direction: int) -> int:
    """Note every end of the second stage for the cube in the first of the stages' rows."""
    state, start = stage_state(ctx, 0), load64(ctx, ENTRY_COUNT) * 0
    a, b = state >> 32, state & 0xFFFFFFFF
    return walk(ctx, start, a, b, stage_distance(ctx, 0, a, b), start, start, direction)


@njit("int64(int64, int64)", nogil=True, cache=True)
def second_half(ctx: int, order: int) -> int:
    """Go on from the noted ends in the order given, an int32 array; 1 when it was stopped."""
    stage = 2
    for i in range(load64(ctx, ENTRY_COUNT)):
        entry = load64(ctx, ENTRIES) + load32(order, i) * ENTRY_BYTES
        if load8(entry, ENTRY_SUM) >= load64(load64(ctx, SHARED), BEST):
            return 0
        row = load64(ctx, STAGE_ROWS) + stage * 40
        for k in range(40):
            store8(row, k, load8(entry, k))
        depth, direction = load8(entry, ENTRY_DEPTH), load8(entry, ENTRY_DIRECTION)
        for k in range(depth):
            store8(load64(ctx, PATH), k, load8(entry, 40 + k))
        state = stage_state(ctx, stage)
        a, b = state >> 32, state & 0xFFFFFFFF
        togo = stage_distance(ctx, stage, a, b)
        if walk(ctx, stage, a, b, togo, depth, depth, direction):
            return 1
    return 0
