"""The look-ups of all searches: the effect of turns, states near G2, phase two's distances."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from solver.kernels import packed, slots
from solver.kernels.compiled import inlined, inner, ints
from solver.kernels.memory import (
    address,
    count_bits,
    load8,
    load16,
    load32,
    load64,
    lowest_bit,
    prefetch,
    store8,
    store64,
)
from solver.kernels.slots import MOVES, PERMUTATIONS


@inlined
def read_path(ctx: int, place: int) -> int:
    """Return a turn of the path."""
    return load8(address(ctx, slots.PATH), place)


@inlined
def write_path(ctx: int, place: int, turn: int) -> None:
    """Set a turn of the path."""
    store8(address(ctx, slots.PATH), place, turn)


@inlined
def copy_path(source: int, there: int, words: int) -> None:
    """Copy words of a path, eight turns each, from one address to another."""
    for i in range(words):
        store64(there, i, load64(source, i))


@inlined
def turned_corners(ctx: int, corners: int, turn: int) -> int:
    """Return the corners' permutation after a turn."""
    return load16(address(ctx, slots.CORNER_MOVES), corners * MOVES + turn)


@inlined
def corner_number(ctx: int, corners: int) -> int:
    """Return the number of a packed permutation of the corners."""
    ranks = address(ctx, slots.CORNER_RANKS)
    return load16(ranks, corners & 4095) + load16(ranks, 4096 + (corners >> 12))


@inlined
def seen_corners(ctx: int, corners: int, first: int, then: int) -> int:
    """Return packed corners between two of the symmetries and their inverses."""
    seen = address(ctx, slots.SEEN_CORNERS)
    return packed.product(packed.product(load32(seen, first), corners), load32(seen, then))


@inlined
def turned_slices(ctx: int, slices: int, turn: int) -> int:
    """Return places and order of the slice edges after a turn."""
    return load16(address(ctx, slots.SLICE_MOVES), slices * MOVES + turn)


@inlined
def turned_edges(ctx: int, edges: int, turn: int) -> int:
    """Return the U-D edges' permutation after a turn of phase two."""
    return load16(address(ctx, slots.EDGE_MOVES), edges * MOVES + turn)


@inlined
def renamed_slices(ctx: int, side: int, slices: int) -> int:
    """Return the slice edges' order with the pieces renamed by a half turn of R, F, L or B."""
    return load8(address(ctx, slots.SLICE_NAMES), side * 24 + slices)


@inlined
def phase_one_grade(ctx: int, cls: int, twist: int) -> int:
    """Return the distance of a node from G2, in four grades."""
    at = cls * slots.PHASE_ONE_ROW + (twist >> 2)
    return packed.unpack_grade(load8(address(ctx, slots.PHASE_ONE), at), twist)


@inlined
def corner_slice_distance(ctx: int, corners: int, slices: int) -> int:
    """Return the distance in phase two of corners and slice edges together."""
    return load8(address(ctx, slots.CORNER_SLICE_DISTANCES), corners * 24 + slices)


@inlined
def place_of(keys: int, bits: int, key: int) -> int:
    """Return the place of a key in a hash of 2**bits places, which hold key + 1 or 0; or -1."""
    slot = packed.hash_slot(key, bits)
    while True:
        found = load32(keys, slot)
        if found == key + 1:
            return slot
        if found == 0:
            return -1
        slot = (slot + 1) & ((1 << bits) - 1)


@inlined
def maybe_in(bits: int, size: int, key: int) -> int:
    """Return whether a filter of 2**size bits may hold a state; true for all that it holds."""
    first, second = packed.filter_bits(key, size)
    one, two = load8(bits, first >> 3), load8(bits, second >> 3)
    return one >> (first & 7) & two >> (second & 7) & 1


@inlined
def pair_key(ctx: int, corners: int, edges: int) -> int:
    """Return the key of corners and U-D edges up to symmetry, for the tables of phase two."""
    entry = load32(address(ctx, slots.CORNER_CLASSES), corners)
    cls, symmetry = packed.unpack_entry(entry)
    return cls * PERMUTATIONS + load16(address(ctx, slots.EDGE_CONJUGATES), edges * 16 + symmetry)


@inlined
def fetch_pair(ctx: int, corners: int, edges: int) -> None:
    """Prefetch the memory that `pair_key` will read."""
    prefetch(address(ctx, slots.CORNER_CLASSES) + corners * 4)
    prefetch(address(ctx, slots.EDGE_CONJUGATES) + edges * 32)


@inlined
def fetch_pair_distance(ctx: int, corners: int, edges: int) -> None:
    """Prefetch the memory that `pair_distance` will read."""
    slot = packed.hash_slot(pair_key(ctx, corners, edges), slots.PAIR_BITS)
    prefetch(address(ctx, slots.PAIR_KEYS) + slot * 4)


@inlined
def pair_distance(ctx: int, corners: int, edges: int) -> int:
    """Return a lower bound of corners and U-D edges together in phase two, exact if small."""
    key = pair_key(ctx, corners, edges)
    place = place_of(address(ctx, slots.PAIR_KEYS), slots.PAIR_BITS, key)
    if place < 0:
        return address(ctx, slots.PAIR_RADIUS) + 1
    return load8(address(ctx, slots.PAIR_VALUES), place)


@inner(ints(3))
def rank_bytes(address: int, start: int, count: int) -> int:
    """Return the lexicographic rank of count bytes."""
    rank = 0
    for i in range(count):
        here = load8(address, start + i)
        smaller = 0
        for j in range(i + 1, count):
            smaller += load8(address, start + j) < here
        rank = rank * (count - i) + smaller
    return rank


@inlined
def rank_four(address: int, start: int, step: int) -> int:
    """Return the lexicographic rank of four bytes, step apart."""
    rank = 0
    for i in range(4):
        smaller = 0
        for j in range(i + 1, 4):
            smaller += load8(address, start + j * step) < load8(address, start + i * step)
        rank = rank * (4 - i) + smaller
    return rank


@inner(ints(2))
def edge_rank(ctx: int, faces: int) -> int:
    """Return the rank of the U-D edges after the path, renamed by half turns of a set of faces.

    Each place is traced backwards through the turns to its piece at the root.
    """
    path, rows, root = (
        address(ctx, slots.PATH),
        address(ctx, slots.MOVE_ROWS),
        address(ctx, slots.ROOT),
    )
    length = load64(ctx, slots.LENGTH)
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
        rank = rank * (8 - i) + piece - count_bits(pieces & ((1 << piece) - 1))
        pieces |= 1 << piece
    return rank


@inlined
def slice_order(ctx: int) -> int:
    """Return the rank of the slice edges after the path, which is in G2.

    Each place is traced backwards through the turns to its piece at the root.
    """
    path, rows = address(ctx, slots.PATH), address(ctx, slots.MOVE_ROWS) + 16
    root, length = address(ctx, slots.ROOT) + 16, load64(ctx, slots.LENGTH)
    first, second, third, fourth = 8, 9, 10, 11
    while length > 0:
        length -= 1
        row = rows + load8(path, length) * 40
        first, second = load8(row, first), load8(row, second)
        third, fourth = load8(row, third), load8(row, fourth)
    first, second = load8(root, first), load8(root, second)
    third, fourth = load8(root, third), load8(root, fourth)
    rank = 3 * ((second < first) + (third < first) + (fourth < first))
    return 2 * (rank + (third < second) + (fourth < second)) + (fourth < third)
