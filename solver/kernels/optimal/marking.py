"""The compiled code that fills the pruning table: it visits positions and marks their places.

A place has two bits: 3 until it is marked, then the grade. Marks are atomic, and never raised, so
several threads may share the table, and marking twice does no harm.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from solver.kernels.compiled import entry, inlined, inner, ints
from solver.kernels.memory import (
    address,
    intrinsic,
    load8,
    load32,
    load64,
    lowest_bit,
    prefetch,
    store8,
    store64,
)
from solver.kernels.optimal import layout
from solver.kernels.optimal.coset import (
    corner_entry,
    near_bits,
    place_seen,
    table_place,
    turned_pieces,
    turned_position,
)

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"


@intrinsic
def atomic_and(_context: Any, _base: Any, _index: Any, _value: Any) -> Any:
    """Clear the bits of byte i at an address that the value lacks; return the byte before."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        byte = ir.IntType(8)
        pointer = builder.inttoptr(arguments[0], byte.as_pointer())
        pointer = builder.gep(pointer, [arguments[1]])
        before = builder.atomic_rmw("and", pointer, builder.trunc(arguments[2], byte), "monotonic")
        return builder.zext(before, ir.IntType(64))

    return types.int64(types.int64, types.int64, types.int64), generate


@inlined
def mark_place(ctx: int, place: int) -> None:
    """Lower an unmarked place to the context's grade."""
    table, shift = address(ctx, layout.GRADES), (place & 3) << 1
    if load8(table, place >> 2) >> shift & 3 == 3:
        lowered = ~((3 ^ address(ctx, layout.GRADE)) << shift)
        atomic_and(table, place >> 2, lowered)


@inlined
def mark_later(ctx: int, place: int) -> None:
    """Fetch a place now and mark it soon: a ring keeps those whose memory is on its way."""
    at = load64(ctx, layout.RING_PLACE)
    mark_place(ctx, load64(ctx, layout.RING + at))
    store64(ctx, layout.RING + at, place)
    prefetch(address(ctx, layout.GRADES) + (place >> 2))
    store64(ctx, layout.RING_PLACE, at + 1 & layout.RING_PLACES - 1)


@inner(ints(4))
def mark_images(ctx: int, position: int, cls: int, symmetry: int) -> int:
    """Mark a position whose corners look the same through several symmetries."""
    own = load64(address(ctx, layout.OWN_SYMMETRIES), cls)
    products = address(ctx, layout.PRODUCTS)
    while own != 0:
        seen = load8(products, lowest_bit(own) * 48 + symmetry)
        mark_later(ctx, place_seen(ctx, position, cls, seen))
        own &= own - 1
    return 0


@inlined
def mark_position(ctx: int, position: int) -> None:
    """Mark a position, through every symmetry that leads to its class."""
    found = corner_entry(ctx, position)
    if found & 64:
        mark_images(ctx, position, found >> 7, found & 63)
    else:
        mark_later(ctx, place_seen(ctx, position, found >> 7, found & 63))


@inner(ints(4))
def spread_marks(ctx: int, position: int, turns: int, rest: int) -> int:
    """Mark the positions a number of turns away; with grade 0 also all nearer ones."""
    below, least = rest - 1, address(ctx, layout.GRADE) == 0
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        child = turned_position(ctx, position, turn)
        if below == 0 or least:
            mark_position(ctx, child)
        if below > 0:
            spread_marks(ctx, child, load32(address(ctx, layout.FOLLOWERS), turn), below)
    return 0


@entry(ints(1))
def mark_from(ctx: int) -> int:
    """Mark the positions at the context's number of turns from its position.

    The lower grades must be complete: with them its position is marked already.
    """
    position, turns = load64(ctx, layout.POSITION), load64(ctx, layout.FIRST_TURNS)
    for i in range(layout.RING_PLACES):
        store64(ctx, layout.RING + i, table_place(ctx, position))
    spread_marks(ctx, position, turns, load64(ctx, layout.REST))
    for i in range(layout.RING_PLACES):
        mark_place(ctx, load64(ctx, layout.RING + i))
    return 0


@inner(ints(5))
def spread_near(ctx: int, corners: int, edges: int, turns: int, rest: int) -> int:
    """Enter a state into the filter of near states, and those within a number of turns."""
    bits, below = address(ctx, layout.NEAR_FILTER), rest - 1
    for bit in near_bits(corners, edges):
        store8(bits, bit >> 3, load8(bits, bit >> 3) | 1 << (bit & 7))
    while turns != 0 and rest > 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_corners, new_edges = turned_pieces(ctx, corners, edges, turn)
        followers = load32(address(ctx, layout.FOLLOWERS), turn)
        spread_near(ctx, new_corners, new_edges, followers, below)
    return 0


@entry(ints(3))
def fill_near_filter(ctx: int, corners: int, edges: int) -> int:
    """Enter the solved state and all near ones into the filter, whose bits are 0."""
    turns, rest = load32(address(ctx, layout.FOLLOWERS), 18), np.int64(layout.NEAR_TURNS)
    return spread_near(ctx, corners, edges, turns, rest)
