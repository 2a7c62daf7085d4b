"""The layout of the optimal search: its context, its lists, and the coordinates of a position.

The coordinates of a position are cosets that all 48 symmetries of the cube preserve:

- corners: the places of one tetrad's corners (70) and the twists (2187);
- edges: the slice of the edge at each place (34650, "slicing") and the flips (2048).
"""

from typing import Any

TETRADS, TWISTS, FLIPS, SLICINGS, SYMMETRIES = 70, 2187, 2048, 34650, 48
CLASSES = 3393
"""Number of the corners' cosets that differ under all symmetries."""
FLIP_BITS = 11
PLACES_OF_SLICES = 3 * 495
"""Which slice, and the places of its edges."""

TABLES = (
    *("twist_moves", "flip_moves", "slicing_moves", "tetrad_moves"),
    *("corner_classes", "slicings_seen", "flips_seen", "parts", "part_distances"),
    *("turned_places", "kept_places", "twisted", "corner_pieces", "edge_pieces"),
    *("tetrad_numbers", "slicing_low", "slicing_high", "own_symmetries", "products", "followers"),
    "near_filter",
)
"""The tables, in the order of their slots."""
TWIST_MOVES, FLIP_MOVES, SLICING_MOVES, TETRAD_MOVES = range(4)
CORNER_CLASSES, SLICINGS_SEEN, FLIPS_SEEN, PARTS, PART_DISTANCES = range(4, 9)
TURNED_PLACES, KEPT_PLACES, TWISTED, CORNER_PIECES, EDGE_PIECES = range(9, 14)
TETRAD_NUMBERS, SLICING_LOW, SLICING_HIGH, OWN_SYMMETRIES, PRODUCTS, FOLLOWERS = range(14, 20)
NEAR_FILTER, GRADES, KEPT_FLIPS, BASE = range(20, 24)
"""A filter of near states, the pruning table, the number of flips in it, and its least value."""
SHARED, FOUND_LIST, ROOTS, ROOT_COUNT, REST, LISTS, CANDIDATES, NODES, MEMORY = range(24, 33)
GRADE, POSITION, FIRST_TURNS, RING_PLACE, RING = range(33, 38)

RING_PLACES = 64
CONTEXT_SLOTS = RING + RING_PLACES

STOP, NEXT, FOUND, EVERY, SHARED_SLOTS = range(5)
"""The memory that threads share: a flag, the next root, solutions found, whether all are wanted."""
MOST_FOUND, FOUND_BYTES = 1 << 16, 32
"""Number of solutions kept; each is the number of its root (8 bytes), then its turns, last first.
"""

TOGETHER = 8
"""Number of positions expanded together, so that many memory accesses overlap."""
ITEM_BYTES, CANDIDATE_BYTES = 32, 24
LIST_BYTES = TOGETHER * 18 * ITEM_BYTES
CANDIDATES_BYTES = TOGETHER * 18 * CANDIDATE_BYTES
NEAR_TURNS, NEAR_BITS = 6, 27
"""The states within six turns of the solved one have their bits in a filter of 2**27 bits."""
MEMORY_BITS = 19
MEMORY_BYTES = 32 << MEMORY_BITS
"""Positions searched already: pairs of entries of two words."""
MOST_TURNS = 24
FROM_ROOT = 31
"""In place of the last turn: the root says which turns may follow."""


def mixed_pieces(corners: Any, edges: Any) -> Any:
    """Return a hash of a state's words of corners and edges, in 64 bits."""
    return corners * 0x2545F4914F6CDD1D + edges * 0x1B873593CC9E2D51


def near_bits(corners: Any, edges: Any) -> Any:
    """Return a state's two bits in the filter of near states; both are in one cache line."""
    product = mixed_pieces(corners, edges)
    first = product >> 36 & (1 << NEAR_BITS) - 1
    return first, first & ~511 | product >> 27 & 511
