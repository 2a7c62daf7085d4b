"""The compiled search for the shortest solution whose four stages are each as short as possible.

Every shortest path through a stage is followed, and then every shortest path through the next one;
the last stage's length is looked up. The slots come after those of `solver.kernels.slots`.
"""
# ruff: noqa: PLR0917, PLR0911 - compiled functions take their arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

import numpy as np

from solver.kernels import slots
from solver.kernels.clock import count_nodes
from solver.kernels.compiled import compiled, inlined, ints
from solver.kernels.lookups import rank_bytes, rank_four, read_path, write_path
from solver.kernels.memory import (
    address,
    load8,
    load16,
    load32,
    load64,
    lowest_bit,
    store8,
    store64,
)
from solver.kernels.roots import record
from solver.kernels.slots import CONTEXT_SIZE, MOVES

A_MOVES, B_MOVES, DISTANCES, SIZES, TURNS, LOOKUPS = range(CONTEXT_SIZE, CONTEXT_SIZE + 24, 4)
STAGE_ROWS = CONTEXT_SIZE + 24  # u8 [5, 40]: the cube at the start of each stage
ENTRIES = CONTEXT_SIZE + 25  # u8 [n, 64]: ends of the second stage, see below
ENTRY_COUNT = CONTEXT_SIZE + 26
ALLOWED = CONTEXT_SIZE + 27  # u32 [25]: see `solver.cubies.allowed_turns`
STRICT_CONTEXT_SIZE = CONTEXT_SIZE + 28
NO_TURN, AFTER_FACE = 18, 19

# an entry: the cube (40 bytes), the path, and
ENTRY_BYTES, MOST_ENTRIES = 64, 1 << 14
ENTRY_DEPTH, ENTRY_SUM, ENTRY_DIRECTION = 61, 62, 63


@inlined
def stage_state(ctx: int, stage: int) -> tuple[int, int]:
    """Return the two coordinates of a stage of the cube at its start."""
    row = address(ctx, STAGE_ROWS) + stage * 40
    a, b, mask = 0, 0, 0
    if stage == 0:
        for i in range(28, 39):
            a = a * 2 + load8(row, i)
    elif stage == 1:
        for i in range(8, 15):
            a = a * 3 + load8(row, i)
        for i in range(12):
            mask |= (load8(row, 16 + i) >> 3) << i
        b = load16(address(ctx, LOOKUPS), mask)
    elif stage == 2:
        for i in range(8):
            mask |= (load8(row, 16 + i) & 1) << i
        a = load16(address(ctx, LOOKUPS + 2), rank_bytes(row, 0, 8))
        b = load16(address(ctx, LOOKUPS + 1), mask)
    else:
        a = load16(address(ctx, LOOKUPS + 3), rank_bytes(row, 0, 8)) * 24
        a += rank_four(row, 17, 2)
        b = rank_four(row, 16, 2) * 24 + rank_four(row, 24, 1)
    return a, b


@inlined
def stage_distance(ctx: int, stage: int, a: int, b: int) -> int:
    """Return the number of turns to the end of a stage."""
    fold = stage == 3
    at = a * (address(ctx, SIZES + stage) >> fold) + (b >> fold)
    return load8(address(ctx, DISTANCES + stage), at)


@inlined
def turn_stage(ctx: int, stage: int, first: int, last: int) -> None:
    """Turn the cube at the start of a stage by the path's turns first to last.

    Flips are not written, and twists only after the first stage: later they are zero.
    """
    row, path = address(ctx, STAGE_ROWS) + stage * 40, address(ctx, slots.PATH)
    moves = address(ctx, slots.MOVE_ROWS)
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


@inlined
def enter(ctx: int, depth: int, total: int, direction: int) -> None:
    """Store an end of the second stage, with the number of turns to the end of the third."""
    count = load64(ctx, ENTRY_COUNT)
    if count == MOST_ENTRIES:
        return
    store64(ctx, ENTRY_COUNT, count + 1)
    entry = address(ctx, ENTRIES) + count * ENTRY_BYTES
    row = address(ctx, STAGE_ROWS) + 2 * 40
    for i in range(40):
        store8(entry, i, load8(row, i))
    for i in range(depth):
        store8(entry, 40 + i, read_path(ctx, i))
    store8(entry, ENTRY_DEPTH, depth)
    store8(entry, ENTRY_SUM, total)
    store8(entry, ENTRY_DIRECTION, direction)


@compiled(ints(8))
def walk(
    ctx: int, stage: int, a: int, b: int, togo: int, depth: int, start: int, direction: int
) -> int:
    """Follow every shortest path through two stages, the first or the last; return 1 to give up.

    ``start`` is the length of the path where the stage began.
    """
    if count_nodes(ctx, 1):
        return 1
    best = load64(address(ctx, slots.SHARED), slots.BEST)
    if togo == 0:
        if stage == 3:
            store64(ctx, slots.DIRECTION, direction)
            record(ctx, depth, depth)
            return 0
        turn_stage(ctx, stage, start, depth)
        following = stage + 1
        new_a, new_b = stage_state(ctx, following)
        distance = stage_distance(ctx, following, new_a, new_b)
        if depth + distance >= best:
            return 0
        if following == 2:
            enter(ctx, depth, depth + distance, direction)
            return 0
        return walk(ctx, following, new_a, new_b, distance, depth, depth, direction)
    last = NO_TURN
    if depth > 0:
        last = read_path(ctx, depth - 1)
        if depth == start:  # a turn that commutes with the last one may also come after it
            last = AFTER_FACE + last // 3
    turns = load32(address(ctx, ALLOWED), last) & address(ctx, TURNS + stage)
    rest, below = togo - 1, depth + 1
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_a = load16(address(ctx, A_MOVES + stage), a * MOVES + turn)
        new_b = load16(address(ctx, B_MOVES + stage), b * MOVES + turn)
        if stage_distance(ctx, stage, new_a, new_b) != rest:
            continue
        write_path(ctx, depth, turn)
        if walk(ctx, stage, new_a, new_b, rest, below, start, direction):
            return 1
        if stage == 3 and load64(address(ctx, slots.SHARED), slots.BEST) < best:
            return 0  # all paths through the last stage have the same length
    return 0


@compiled(ints(2))
def first_half(ctx: int, direction: int) -> int:
    """Store every end of the second stage for the cube in the first of the stages' rows."""
    (a, b), start = stage_state(ctx, 0), np.int64(0)
    return walk(ctx, start, a, b, stage_distance(ctx, 0, a, b), start, start, direction)


@compiled(ints(2))
def second_half(ctx: int, order: int) -> int:
    """Continue from the stored ends in the given order, an int32 array; return 1 if stopped."""
    stage = 2
    for i in range(load64(ctx, ENTRY_COUNT)):
        entry = address(ctx, ENTRIES) + load32(order, i) * ENTRY_BYTES
        if load8(entry, ENTRY_SUM) >= load64(address(ctx, slots.SHARED), slots.BEST):
            return 0
        row = address(ctx, STAGE_ROWS) + stage * 40
        for k in range(40):
            store8(row, k, load8(entry, k))
        depth, direction = load8(entry, ENTRY_DEPTH), load8(entry, ENTRY_DIRECTION)
        for k in range(depth):
            write_path(ctx, k, load8(entry, 40 + k))
        a, b = stage_state(ctx, stage)
        togo = stage_distance(ctx, stage, a, b)
        if walk(ctx, stage, a, b, togo, depth, depth, direction):
            return 1
    return 0
