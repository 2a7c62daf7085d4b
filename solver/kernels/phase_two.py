"""Compiled phase two: from a path into G2 to the end, in four variants, and the best kept."""
# ruff: noqa: PLR0917, PLR0912 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from solver.kernels import packed, slots
from solver.kernels.clock import count_node
from solver.kernels.compiled import compiled, inlined, ints
from solver.kernels.lookups import (
    allowed_after,
    corner_slice_distance,
    edge_rank,
    pair_distance,
    read_path,
    renamed_corners,
    renamed_slices,
    turned_corners,
    turned_edges,
    turned_slices,
    write_path,
)
from solver.kernels.memory import address, load8, load32, load64, lowest_bit
from solver.kernels.roots import record
from solver.kernels.slots import NO_TURN


@compiled(ints(7))
def finish(
    ctx: int, corners: int, edges: int, slices: int, last: int, togo: int, depth: int
) -> int:
    """Phase two in exactly togo turns, written to the path from depth; 1 done, 2 given up."""
    if togo == 0:
        return 1
    if count_node(ctx):
        return 2
    rest, below = togo - 1, depth + 1
    turns = allowed_after(ctx, last) & slots.PHASE_TWO_TURNS
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_corners = turned_corners(ctx, corners, turn)
        new_slices = turned_slices(ctx, slices, turn)
        if corner_slice_distance(ctx, new_corners, new_slices) > rest:
            continue
        new_edges = turned_edges(ctx, edges, turn)
        if pair_distance(ctx, new_corners, new_edges) > rest:
            continue
        write_path(ctx, depth, turn)
        result = finish(ctx, new_corners, new_edges, new_slices, turn, rest, below)
        if result != 0:
            return result
    return 0


@inlined
def add_premoves(ctx: int, premove: int, other: int, length: int) -> int:
    """Append the premoves to the path, the first one turned the other way if so asked."""
    for i in range(packed.unpack_premove(premove)[0]):
        turn = packed.premove_turn(premove, i)
        if other and i == 0:
            turn += 2  # the clockwise turn is replaced by its inverse
        write_path(ctx, length, turn)
        length += 1
    return length


@compiled(ints(4))
def leaf(ctx: int, corners: int, slices: int, depth: int) -> int:
    """Try phase two after the path, which is in G2; slices belong to the path's first depth turns.

    The last turn X of the path may as well be X', and the premove Y next to phase two Y': four
    candidates from one path. Returns 1 to give up.
    """
    premove = load32(address(ctx, slots.PREMOVES), load64(ctx, slots.PREMOVE))
    premoves, side = packed.unpack_premove(premove)
    renamed = premoves != 0
    least = load8(address(ctx, slots.CORNER_DISTANCES), corners)
    if least > load64(ctx, slots.MOST) + 1 + renamed:
        return 0
    length = load64(ctx, slots.LENGTH)
    for i in range(depth, length):
        slices = turned_slices(ctx, slices, read_path(ctx, i))
    last = read_path(ctx, length - 1) if length > 0 else NO_TURN
    for variant in range(4):
        if (variant & 1 and length == 0) or (variant & 2 and not renamed):
            continue
        here, there, turn = corners, slices, last
        if variant & 1:
            face, quarters = packed.unpack_turn(last)
            turn, half = packed.pack_turn(face, 4 - quarters), packed.pack_turn(face, 2)
            here, there = turned_corners(ctx, here, half), turned_slices(ctx, there, half)
        if variant & 2:
            here, there = renamed_corners(ctx, side, here), renamed_slices(ctx, side, there)
        least = corner_slice_distance(ctx, here, there)
        if least > load64(ctx, slots.MOST):
            continue
        if length > 0:
            write_path(ctx, length - 1, turn)
        edges = edge_rank(ctx, slots.SIDE_FACES >> (6 * side) & 63 if variant & 2 else 0)
        least = max(least, pair_distance(ctx, here, edges))
        boundary = slots.AFTER_FACE + turn // 3 if length > 0 else NO_TURN
        while least <= load64(ctx, slots.MOST):
            result = finish(ctx, here, edges, there, boundary, least, length)
            if result == 2:
                return 1
            if result == 1:
                total = load64(ctx, slots.SPENT) + least
                record(ctx, total, add_premoves(ctx, premove, variant & 2, length + least))
            least += 1
        if length > 0:
            write_path(ctx, length - 1, last)
        if load64(ctx, slots.MOST) < 0:
            return 1
    return 0
