"""The costs of axial turns and of whole solutions, by turns or by time, for compiled code."""

import numpy as np

from solver.kernels import packed, slots
from solver.kernels.compiled import inlined, inner, ints
from solver.kernels.lookups import read_path
from solver.kernels.memory import address, load8, load64, store8, store64
from solver.kernels.slots import AXIAL_TURNS

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return,return-value"


@inlined
def cost_of(ctx: int, turn: int) -> int:
    """Return the cost of an axial turn."""
    return load8(address(ctx, slots.COSTS), turn)


@inlined
def half_turns_cost(ctx: int, turn: int, faces: int) -> int:
    """Return the extra cost if an axial turn's faces (1: first, 2: second) make half turns more."""
    if faces == 0:
        return 0
    axis, first, second = packed.unpack_axial_turn(turn)
    more = packed.pack_axial_turn(axis, first ^ (faces & 1) << 1, second ^ (faces & 2))
    return cost_of(ctx, more) - cost_of(ctx, turn)


@inlined
def axial_path(ctx: int, length: int) -> int:
    """Write the path in axial turns, merging neighbours on one axis; return their number."""
    out, count, i = address(ctx, slots.AXIAL_PATH), 0, 0
    while i < length:
        axis, first, second = read_path(ctx, i) // 3 % 3, 0, 0
        while i < length and read_path(ctx, i) // 3 % 3 == axis:
            face, quarters = packed.unpack_turn(read_path(ctx, i))
            if face < 3:
                first = (first + quarters) & 3
            else:
                second = (second + quarters) & 3
            i += 1
        if first + second > 0:
            store8(out, count, packed.pack_axial_turn(axis, first, second))
            count += 1
    return count


@inner(ints(2))
def measure(ctx: int, length: int) -> int:
    """Return the cost of the path, with the cheapest combination of variants.

    For the last three directions, the inverse of the path is the solution, so it is read from its
    end; `slots.ITSELF` inverts its turns.
    """
    count, direction = axial_path(ctx, length), load64(ctx, slots.DIRECTION)
    itself = address(ctx, slots.ITSELF) + direction * AXIAL_TURNS
    starts, costs = address(ctx, slots.WAY_STARTS), address(ctx, slots.WAY_COSTS)
    firsts, lasts = address(ctx, slots.WAY_FIRSTS), address(ctx, slots.WAY_LASTS)
    pauses, steps = address(ctx, slots.PAUSES), address(ctx, slots.STEPS)
    ends, before, known = address(ctx, slots.ENDS), 0, 0
    for i in range(count):
        turn = load8(address(ctx, slots.AXIAL_PATH), i if direction < 3 else count - 1 - i)
        turn = load8(itself, turn)
        begin, end = load64(starts, turn), load64(starts, turn + 1)
        here, there = (i & 1) * 16, 16 - (i & 1) * 16
        for way in range(begin, end):
            least = address(ctx, slots.START)
            for j in range(known):
                pause = load64(pauses, load64(lasts, before + j) * steps + load64(firsts, way))
                reached = load64(ends, there + j) + pause
                if j == 0 or reached < least:
                    least = reached
            store64(ends, here + way - begin, least + load64(costs, way))
        before, known = begin, end - begin
    best = np.int64(0)
    for j in range(known):
        reached = load64(ends, (count - 1 & 1) * 16 + j)
        if j == 0 or reached < best:
            best = reached
    return best
