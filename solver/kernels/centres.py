"""The compiled two-phase search for cubes with oriented centres.

Slots below those of this module are those of `solver.kernels.slots`. Coordinates are used without
symmetry: the extra condition makes solutions rare, and the main task is to find any.
"""
# ruff: noqa: PLR0917 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

import numpy as np

from solver.kernels import packed, slots
from solver.kernels.clock import count_node
from solver.kernels.compiled import compiled, inlined, ints
from solver.kernels.lookups import allowed_after, rank_bytes, rank_four, read_path, write_path
from solver.kernels.memory import address, load8, load16, load64, lowest_bit, store8
from solver.kernels.roots import record
from solver.kernels.slots import CONTEXT_SIZE, MOVES, PHASE_TWO_TURNS

(
    TWISTS_BY,  # u16 [2187, 18] and so on: the effect of turns on a coordinate
    FLIPS_BY,
    SLICES_BY,
    PARITIES_BY,
    CORNERS_BY,
    EDGES_BY,
    ORDERS_BY,
    ANGLES_BY,
    TWIST_SLICE,  # u8: distances of pairs of coordinates
    FLIP_SLICE,
    TWIST_PARITY,
    FLIP_PARITY,
    CORNER_ORDER,
    EDGE_ORDER,
    CORNER_ANGLE,
    EDGE_ANGLE,
    CENTRES,  # u8 [6]: quarter turns of the centres, URFDLB
    CENTRE_CONTEXT_SIZE,
) = range(CONTEXT_SIZE, CONTEXT_SIZE + 18)
CENTRE_TABLES = (
    *("twist_moves", "flip_moves", "slice_moves", "parity_moves"),
    *("corner_moves", "edge_moves", "order_moves", "angle_moves"),
    *("twist_slice", "flip_slice", "twist_parity", "flip_parity"),
    *("corner_order", "edge_order", "corner_angle", "edge_angle"),
)
"""The names of the tables for the first of these slots, in their order."""

SLICES, PARITIES, ORDERS, ANGLES = 495, 16, 24, 256


@inlined
def to_g2(ctx: int, twist: int, flip: int, where: int, parity: int) -> int:
    """Return a lower bound of the turns of phase one."""
    far = load8(address(ctx, TWIST_SLICE), twist * SLICES + where)
    far = max(far, load8(address(ctx, FLIP_SLICE), flip * SLICES + where))
    far = max(far, load8(address(ctx, TWIST_PARITY), twist * PARITIES + parity))
    return max(far, load8(address(ctx, FLIP_PARITY), flip * PARITIES + parity))


@inlined
def to_end(ctx: int, corners: int, edges: int, order: int, angles: int) -> int:
    """Return a lower bound of the turns of phase two."""
    far = load8(address(ctx, CORNER_ANGLE), corners * ANGLES + angles)
    far = max(far, load8(address(ctx, EDGE_ANGLE), edges * ANGLES + angles))
    far = max(far, load8(address(ctx, CORNER_ORDER), corners * ORDERS + order))
    return max(far, load8(address(ctx, EDGE_ORDER), edges * ORDERS + order))


@compiled(ints(7))
def finish(
    ctx: int, corners: int, edges: int, order: int, angles: int, togo: int, depth: int
) -> int:
    """Search phase two in exactly togo turns; return 1 if it is found and kept, -1 to give up."""
    if togo == 0:
        record(ctx, depth, depth)
        return 1
    if count_node(ctx):
        return -1
    last = read_path(ctx, depth - 1) if depth > 0 else slots.NO_TURN
    turns = allowed_after(ctx, last) & PHASE_TWO_TURNS
    rest, below = togo - 1, depth + 1
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_angles = load16(address(ctx, ANGLES_BY), angles * MOVES + turn)
        new_corners = load16(address(ctx, CORNERS_BY), corners * MOVES + turn)
        new_edges = load16(address(ctx, EDGES_BY), edges * MOVES + turn)
        new_order = load16(address(ctx, ORDERS_BY), order * MOVES + turn)
        if to_end(ctx, new_corners, new_edges, new_order, new_angles) > rest:
            continue
        write_path(ctx, depth, turn)
        found = finish(ctx, new_corners, new_edges, new_order, new_angles, rest, below)
        if found != 0:
            return found
    return 0


@inlined
def enter_phase_two(ctx: int, depth: int) -> int:
    """Follow a path into G2 to its shortest end, if that is better; return 1 to give up."""
    row, end = address(ctx, slots.ROWS), address(ctx, slots.ROOT)
    path, moves = address(ctx, slots.PATH), address(ctx, slots.MOVE_ROWS)
    for i in range(8):
        place = i
        for step in range(depth - 1, -1, -1):
            place = load8(moves + load8(path, step) * 40, place)
        store8(end, i, load8(row, place))
    for i in range(16, 28):
        place = i
        for step in range(depth - 1, -1, -1):
            place = 16 + load8(moves + load8(path, step) * 40, place)
        store8(end, i, load8(row, place))
    for face in range(6):
        store8(end, 28 + face, load8(address(ctx, CENTRES), face))
    for step in range(depth):
        face, quarters = packed.unpack_turn(load8(path, step))
        store8(end, 28 + face, load8(end, 28 + face) + quarters)
    angles = load8(end, 28) & 3 | (load8(end, 31) & 3) << 2
    angles |= (load8(end, 29) >> 1 & 1) << 4 | (load8(end, 30) >> 1 & 1) << 5
    angles |= (load8(end, 32) >> 1 & 1) << 6 | (load8(end, 33) >> 1 & 1) << 7
    for i in range(24, 28):
        store8(end, i, load8(end, i) - 8)
    corners, edges, order = (
        rank_bytes(end, 0, 8),
        rank_bytes(end, 16, 8),
        rank_four(end, 24, 1),
    )
    shared = address(ctx, slots.SHARED)
    togo = to_end(ctx, corners, edges, order, angles)
    most = min(load64(shared, slots.BEST) - 1 - depth, load64(shared, slots.CAP))
    while togo <= most:
        found = finish(ctx, corners, edges, order, angles, togo, depth)
        if found != 0:
            return found < 0
        togo += 1
    return 0


@compiled(ints(7))
def phase_one(
    ctx: int, twist: int, flip: int, where: int, parity: int, togo: int, depth: int
) -> int:
    """Follow every phase one of exactly togo turns; return 1 to give up."""
    if togo == 0:
        return enter_phase_two(ctx, depth)
    if count_node(ctx):
        return 1
    last = read_path(ctx, depth - 1) if depth > 0 else slots.NO_TURN
    turns = allowed_after(ctx, last)
    rest, below = togo - 1, depth + 1
    if rest == 0:  # with a turn of phase two at the end, G2 was reached earlier
        turns &= ~PHASE_TWO_TURNS
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_twist = load16(address(ctx, TWISTS_BY), twist * MOVES + turn)
        new_flip = load16(address(ctx, FLIPS_BY), flip * MOVES + turn)
        new_where = load16(address(ctx, SLICES_BY), where * MOVES + turn)
        new_parity = load16(address(ctx, PARITIES_BY), parity * MOVES + turn)
        if to_g2(ctx, new_twist, new_flip, new_where, new_parity) > rest:
            continue
        write_path(ctx, depth, turn)
        if phase_one(ctx, new_twist, new_flip, new_where, new_parity, rest, below):
            return 1
    return 0


@compiled(ints(6))
def search_length(ctx: int, twist: int, flip: int, where: int, parity: int, length: int) -> int:
    """Search every phase one of a length with its phase two; return 1 if it was stopped."""
    if to_g2(ctx, twist, flip, where, parity) > length:
        return 0
    return phase_one(ctx, twist, flip, where, parity, length, np.int64(0))
