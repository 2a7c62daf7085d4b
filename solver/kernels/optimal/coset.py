"""Positions of the optimal search: turned, inverted, and their places in the pruning table.

A position is a word of coordinates: twist 12 | flip 11 | tetrad 7 | slicing 16 | last turn 5. With
it go words of the pieces, five bits for each place: corners (piece 3 | twist 2) and edges (piece 4
| flip 1).
"""

from solver.kernels.compiled import inlined
from solver.kernels.memory import address, load8, load16, load32, load64
from solver.kernels.optimal import layout

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"


@inlined
def pack_position(twist: int, flip: int, tetrad: int, slicing: int, turn: int) -> int:
    """Pack a position."""
    return twist | flip << 12 | tetrad << 23 | slicing << 30 | turn << 46


for _function in (layout.mixed_pieces, layout.near_bits):
    inlined(_function)
mixed_pieces, near_bits = layout.mixed_pieces, layout.near_bits


@inlined
def last_turn(position: int) -> int:
    """Return the turn that led to a position."""
    return position >> 46


@inlined
def turned_position(ctx: int, position: int, turn: int) -> int:
    """Return the position after a turn."""
    twist = load16(address(ctx, layout.TWIST_MOVES), (position & 0xFFF) * 18 + turn)
    flip = load16(address(ctx, layout.FLIP_MOVES), (position >> 12 & 0x7FF) * 18 + turn)
    tetrad = load8(address(ctx, layout.TETRAD_MOVES), (position >> 23 & 0x7F) * 18 + turn)
    slicing = load16(address(ctx, layout.SLICING_MOVES), (position >> 30 & 0xFFFF) * 18 + turn)
    return pack_position(twist, flip, tetrad, slicing, turn)


@inlined
def corner_entry(ctx: int, position: int) -> int:
    """Return the corners' class 12 | has own symmetries 1 | symmetry 6, lowest last."""
    corners = (position >> 23 & 0x7F) * layout.TWISTS + (position & 0xFFF)
    return load32(address(ctx, layout.CORNER_CLASSES), corners)


@inlined
def place_seen(ctx: int, position: int, cls: int, symmetry: int) -> int:
    """Return the place in the table of a position with corners of a class, seen by a symmetry."""
    seen = load32(address(ctx, layout.SLICINGS_SEEN), (position >> 30 & 0xFFFF) * 48 + symmetry)
    flip = symmetry * layout.FLIPS + (position >> 12 & 0x7FF)
    flips = load16(address(ctx, layout.FLIPS_SEEN), flip) ^ seen >> 16
    kept = address(ctx, layout.KEPT_FLIPS)
    return (cls * layout.SLICINGS + (seen & 0xFFFF)) << kept | flips >> layout.FLIP_BITS - kept


@inlined
def table_place(ctx: int, position: int) -> int:
    """Return the place of a position in the pruning table."""
    entry = corner_entry(ctx, position)
    return place_seen(ctx, position, entry >> 7, entry & 63)


@inlined
def table_grade(ctx: int, place: int) -> int:
    """Return the grade at a place: 0 to 3 above the table's least value."""
    return load8(address(ctx, layout.GRADES), place >> 2) >> ((place & 3) << 1) & 3


@inlined
def parts_bound(ctx: int, position: int) -> int:
    """Return the greatest distance of the corners together with one slice, over three slices."""
    entry = corner_entry(ctx, position)
    index = (position >> 30 & 0xFFFF) * 48 + (entry & 63)
    seen = (load32(address(ctx, layout.SLICINGS_SEEN), index) & 0xFFFF) * 3
    parts = address(ctx, layout.PARTS)
    row = address(ctx, layout.PART_DISTANCES) + (entry >> 7) * layout.PLACES_OF_SLICES
    first = load8(row, load16(parts, seen))
    second = load8(row, load16(parts, seen + 1))
    return max(first, second, load8(row, load16(parts, seen + 2)))


@inlined
def turned_pieces(ctx: int, corners: int, edges: int, turn: int) -> tuple[int, int]:
    """Return the words of corners and edges after a turn."""
    steps = address(ctx, layout.TURNED_PLACES) + turn * 32
    kept = address(ctx, layout.KEPT_PLACES)
    new_corners = corners & load64(kept, turn * 2)
    new_edges = edges & load64(kept, turn * 2 + 1)
    twisted = address(ctx, layout.TWISTED)
    for i in range(4):
        step = load32(steps, i)
        piece = load8(twisted, (step >> 16) * 32 + (corners >> (step >> 8 & 63) & 31))
        new_corners |= piece << (step & 63)
        step = load32(steps, 4 + i)
        new_edges |= (edges >> (step >> 8 & 63) & 31 ^ step >> 16) << (step & 63)
    return new_corners, new_edges


@inlined
def inverse_position(ctx: int, corners: int, edges: int) -> int:
    """Return the position of the inverse cube."""
    total, pieces = 0, address(ctx, layout.CORNER_PIECES)
    for i in range(8):
        total += load32(pieces, i * 32 + (corners >> 5 * i & 31))
    tetrad = load8(address(ctx, layout.TETRAD_NUMBERS), total >> 16)
    sums, pieces = 0, address(ctx, layout.EDGE_PIECES)
    for i in range(12):
        sums += load32(pieces, i * 32 + (edges >> 5 * i & 31))
    slicing = load16(address(ctx, layout.SLICING_LOW), sums & 1023)
    slicing += load16(address(ctx, layout.SLICING_HIGH), sums >> 10 & 1023)
    return pack_position(total & 0xFFFF, sums >> 20, tetrad, slicing, 0)
