"""Compiled look-ups that the searches share: states near G2, phase two's distances, ranks."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from numba import njit

from solver.kernels.memory import (
    load8,
    load16,
    load32,
    load64,
    lowest_bit,
)
from solver.kernels.slots import (
    CORNER_CLASSES,
    EDGE_CONJUGATES,
    HASH_BITS,
    HASH_FACTOR,
    LENGTH,
    MOVE_ROWS,
    NEAR_KEYS,
    NEAR_VALUES,
    PAIR_HASH_BITS,
    PAIR_KEYS,
    PAIR_RADIUS,
    PAIR_VALUES,
    PATH,
    PERMUTATIONS,
    PHASE_TWO,
    ROOT,
)


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
def pair_distance(ctx: int, corners: int, edges: int) -> int:
    """A lower bound of what corners and U-D edges together cost in phase two, exact when small."""
    entry = load32(load64(ctx, CORNER_CLASSES), corners)
    value = load16(load64(ctx, EDGE_CONJUGATES), edges * 16 + (entry & 15))
    key = (entry >> 4) * PERMUTATIONS + value
    table = load64(ctx, PHASE_TWO)
    if table != 0:
        return load8(table, key >> 1) >> ((key & 1) << 2) & 15
    slot = ((key * HASH_FACTOR) & 0xFFFFFFFF) >> (32 - PAIR_HASH_BITS)
    while True:
        found = load32(load64(ctx, PAIR_KEYS), slot)
        if found == key + 1:
            return load8(load64(ctx, PAIR_VALUES), slot)
        if found == 0:
            return load64(ctx, PAIR_RADIUS) + 1
        slot = (slot + 1) & ((1 << PAIR_HASH_BITS) - 1)


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
