"""The compiled two-phase search for cubes whose centres have to stand straight, too.

Slots below those of this module are those of `solver.kernels.slots`. Coordinates stand
for themselves here, without symmetry: what is asked of a solution more than usual makes it a
rare one, and the search is about finding any.
"""
# ruff: noqa: PLR0917 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from numba import njit

from solver.kernels.clock import must_stop
from solver.kernels.lookups import rank_bytes
from solver.kernels.memory import load8, load16, load32, load64, lowest_bit, store8, store64
from solver.kernels.slots import (
    ALLOWED,
    BEST,
    CAP,
    CONTEXT_SIZE,
    DIRECTION,
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
    PHASE_TWO_TURNS,
    ROOT,
    ROWS,
    SHARED,
    SPENT,
)

(
    TWISTS_BY,  # u16 [2187, 18] and so on: how turns change a coordinate
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
"""The names of the tables whose addresses stand in the first of these slots, in their order."""

SLICES, PARITIES, ORDERS, ANGLES = 495, 16, 24, 256


@njit("int64(int64, int64, int64, int64, int64)", nogil=True, cache=True)
def to_g2(ctx: int, twist: int, flip: int, where: int, parity: int) -> int:
    """The least number of turns that phase one may take."""
    far = load8(load64(ctx, TWIST_SLICE), twist * SLICES + where)
    far = max(far, load8(load64(ctx, FLIP_SLICE), flip * SLICES + where))
    far = max(far, load8(load64(ctx, TWIST_PARITY), twist * PARITIES + parity))
    return max(far, load8(load64(ctx, FLIP_PARITY), flip * PARITIES + parity))


@njit("int64(int64, int64, int64, int64, int64)", nogil=True, cache=True)
def to_end(ctx: int, corners: int, edges: int, order: int, angles: int) -> int:
    """The least number of turns that phase two may take."""
    far = load8(load64(ctx, CORNER_ANGLE), corners * ANGLES + angles)
    far = max(far, load8(load64(ctx, EDGE_ANGLE), edges * ANGLES + angles))
    far = max(far, load8(load64(ctx, CORNER_ORDER), corners * ORDERS + order))
    return max(far, load8(load64(ctx, EDGE_ORDER), edges * ORDERS + order))


@njit("int64(int64, int64, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def finish(
    ctx: int, corners: int, edges: int, order: int, angles: int, togo: int, depth: int
) -> int:
    """Phase two in exactly togo turns: 1 when it is found and kept, -1 to give up."""
    if togo == 0:
        shared = load64(ctx, SHARED)
        store64(shared, BEST, depth)
        for i in range(depth):
            store64(shared, FOUND_TURNS + i, load8(load64(ctx, PATH), i))
        store64(shared, FOUND_LENGTH, depth)
        store64(shared, FOUND_DIRECTION, load64(ctx, DIRECTION))
        store64(shared, FOUND, load64(shared, FOUND) + 1)
        return 1
    nodes = load64(ctx, NODES) + 1
    store64(ctx, NODES, nodes)
    if nodes >= load64(ctx, NEXT_CHECK) and must_stop(ctx):
        return -1
    last = NO_TURN
    if depth > 0:
        last = load8(load64(ctx, PATH), depth - 1)
    turns = load32(load64(ctx, ALLOWED), last) & PHASE_TWO_TURNS
    rest, below = togo - 1, depth + 1
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_angles = load16(load64(ctx, ANGLES_BY), angles * 18 + turn)
        new_corners = load16(load64(ctx, CORNERS_BY), corners * 18 + turn)
        new_edges = load16(load64(ctx, EDGES_BY), edges * 18 + turn)
        new_order = load16(load64(ctx, ORDERS_BY), order * 18 + turn)
        if to_end(ctx, new_corners, new_edges, new_order, new_angles) > rest:
            continue
        store8(load64(ctx, PATH), depth, turn)
        found = finish(ctx, new_corners, new_edges, new_order, new_angles, rest, below)
        if found != 0:
            return found
    return 0


@njit("int64(int64, int64)", nogil=True, cache=True)
def enter_phase_two(ctx: int, depth: int) -> int:
    """Follow a path into G2 to its shortest end, if that is a better one; 1 to give up."""
    row, end, path = load64(ctx, ROWS), load64(ctx, ROOT), load64(ctx, PATH)
    moves = load64(ctx, MOVE_ROWS)
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
        store8(end, 28 + face, load8(load64(ctx, CENTRES), face))
    for step in range(depth):
        turn = load8(path, step)
        store8(end, 28 + turn // 3, load8(end, 28 + turn // 3) + turn % 3 + 1)
    angles = load8(end, 28) & 3 | (load8(end, 31) & 3) << 2
    angles |= (load8(end, 29) >> 1 & 1) << 4 | (load8(end, 30) >> 1 & 1) << 5
    angles |= (load8(end, 32) >> 1 & 1) << 6 | (load8(end, 33) >> 1 & 1) << 7
    for i in range(24, 28):
        store8(end, i, load8(end, i) - 8)
    corners, edges, order = rank_bytes(end, 0, 8), rank_bytes(end, 16, 8), rank_bytes(end, 24, 4)
    shared = load64(ctx, SHARED)
    togo = to_end(ctx, corners, edges, order, angles)
    most = min(load64(shared, BEST) - 1 - depth, load64(shared, CAP))
    while togo <= most:
        found = finish(ctx, corners, edges, order, angles, togo, depth)
        if found != 0:
            return found < 0
        togo += 1
    return 0


@njit("int64(int64, int64, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def phase_one(
    ctx: int, twist: int, flip: int, where: int, parity: int, togo: int, depth: int
) -> int:
    """Every phase one of exactly togo turns; 1 to give up."""
    if togo == 0:
        return enter_phase_two(ctx, depth)
    nodes = load64(ctx, NODES) + 1
    store64(ctx, NODES, nodes)
    if nodes >= load64(ctx, NEXT_CHECK) and must_stop(ctx):
        return 1
    last = NO_TURN
    if depth > 0:
        last = load8(load64(ctx, PATH), depth - 1)
    turns = load32(load64(ctx, ALLOWED), last)
    rest, below = togo - 1, depth + 1
    if rest == 0:  # with a turn of phase two, G2 was reached before
        turns &= ~PHASE_TWO_TURNS
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_twist = load16(load64(ctx, TWISTS_BY), twist * 18 + turn)
        new_flip = load16(load64(ctx, FLIPS_BY), flip * 18 + turn)
        new_where = load16(load64(ctx, SLICES_BY), where * 18 + turn)
        new_parity = load16(load64(ctx, PARITIES_BY), parity * 18 + turn)
        if to_g2(ctx, new_twist, new_flip, new_where, new_parity) > rest:
            continue
        store8(load64(ctx, PATH), depth, turn)
        if phase_one(ctx, new_twist, new_flip, new_where, new_parity, rest, below):
            return 1
    return 0


@njit("int64(int64, int64, int64, int64, int64, int64)", nogil=True, cache=True)
def search_length(ctx: int, twist: int, flip: int, where: int, parity: int, length: int) -> int:
    """Every phase one of exactly length turns with its phase two; 1 when it was stopped."""
    if to_g2(ctx, twist, flip, where, parity) > length:
        return 0
    store64(ctx, SPENT, length - length)
    store64(ctx, MOST, length - length + 64)
    return phase_one(ctx, twist, flip, where, parity, length, length - length)
