"""The last turns of phase one: from items near G2 to all paths into it, with phase two after them.

States near G2 are stored with their distance and all shortest paths into it, see
`solver.kernels.building.near`.
"""
# ruff: noqa: PLR0917 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

from numba import int64

from solver.kernels import packed, slots
from solver.kernels.blocks import at_root
from solver.kernels.compiled import inlined, inner, ints
from solver.kernels.lookups import (
    allowed_after,
    corner_distance,
    near_value,
    read_path,
    seen_corners,
    seen_symmetry,
    turned_by,
    write_path,
)
from solver.kernels.memory import (
    address,
    load8,
    load16,
    load32,
    load64,
    lowest_bit,
    prefetch,
    store64,
)
from solver.kernels.memory import record as record_of
from solver.kernels.single.phase_two import propose
from solver.kernels.slots import MOVES, TWISTS


class NearNode(NamedTuple):
    """The position of a path near G2.

    Attributes:
        cls: Class of its flips and slice.
        twist: Its twists in the class's frame.
        symmetry: Leads from the raw cube to that frame.
        corners: Packed permutation of the raw cube's corners.
    """

    cls: int
    twist: int
    symmetry: int
    corners: int


NODE = record_of(NearNode)


@inlined
def write_way(ctx: int) -> None:
    """Write the turns that led to the item being completed, and enter its root."""
    items, item = address(ctx, slots.ITEMS), load64(ctx, slots.REACHED)
    depth = load64(ctx, slots.LENGTH) - load64(ctx, slots.REST)
    while depth > 0:
        depth -= 1
        _, _, turn, _ = packed.unpack_child(load64(items, 2 * item))
        write_path(ctx, depth, turn)
        _, item = packed.unpack_origin(load64(items, 2 * item + 1))
    _, number = packed.unpack_origin(load64(items, 2 * item + 1))
    at_root(ctx, number)


@inlined
def if_near(ctx: int, corners: int, variant: int) -> int:
    """Return the variant, or 0 if the corners alone are too far from the end."""
    return variant if corner_distance(ctx, corners) <= load64(ctx, slots.MOST) else 0


@inner(ints(6))
def complete(ctx: int, ending: int, corners: int, symmetry: int, distance: int, depth: int) -> int:
    """Complete a path with an ending, into G2 and from there to the end; return 1 to give up.

    The corners are those after the ending, in the frame of the symmetry. Variants that cannot end
    soon enough are excluded before the edges are computed.
    """
    write_way(ctx)
    raw_turns = address(ctx, slots.RAW_TURNS) + symmetry * MOVES
    frame_turns = address(ctx, slots.FRAME_TURNS) + symmetry * MOVES
    for i in range(distance):
        turn, ending = packed.unpack_ending(ending)
        write_path(ctx, depth + i, load8(raw_turns, turn))
    length, variants, other = load64(ctx, slots.LENGTH), if_near(ctx, corners, 1), corners
    if length > 0:
        half = load8(frame_turns, packed.half_turn(read_path(ctx, length - 1)))
        other = turned_by(ctx, corners, half)
        variants |= if_near(ctx, other, 2)
    premove = load32(address(ctx, slots.PREMOVES), load64(ctx, slots.PREMOVE))
    if packed.unpack_premove(premove)[0] > 0:
        half = load8(frame_turns, packed.half_turn(packed.premove_turn(premove, 0)))
        names = load32(address(ctx, slots.TURNED_CORNERS), half)
        variants |= if_near(ctx, packed.product(names, corners), 4)
        if length > 0:
            variants |= if_near(ctx, packed.product(names, other), 8)
    if variants == 0:
        return 0
    raw = seen_corners(ctx, corners, 2 * symmetry + 1, 2 * symmetry)
    return propose(ctx, raw, variants)


@inner(int64(int64, int64, NODE, int64, int64))
def follow_endings(ctx: int, value: int, node: NearNode, mask: int, depth: int) -> int:
    """Complete the path with all stored endings whose first turn the mask allows."""
    distance, _, at = packed.unpack_near(value)
    raw_turns = address(ctx, slots.RAW_TURNS) + node.symmetry * MOVES
    corners = seen_corners(ctx, node.corners, 2 * node.symmetry, 2 * node.symmetry + 1)
    while True:
        ending = load64(address(ctx, slots.ENDINGS), at)
        turn, _ = packed.unpack_ending(ending)
        if mask >> load8(raw_turns, turn) & 1:
            end = packed.product(corners, packed.ending_corners(ending))
            most = load64(ctx, slots.MOST) + load64(ctx, slots.SLACK)
            if corner_distance(ctx, end) <= most and complete(
                ctx, ending, end, node.symmetry, distance, depth
            ):
                return 1
        if ending >> 31 & 1:
            return 0
        at += 1


@inlined
def end_here(ctx: int, node: NearNode, depth: int) -> int:
    """Complete a path that is in G2; return 1 to give up."""
    corners = seen_corners(ctx, node.corners, 2 * node.symmetry, 2 * node.symmetry + 1)
    most = load64(ctx, slots.MOST) + load64(ctx, slots.SLACK)
    if corner_distance(ctx, corners) > most:
        return 0
    return complete(ctx, 0, corners, node.symmetry, 0, depth)


@inlined
def turned(ctx: int, cls: int, twist: int, frame: int) -> tuple[int, int, int]:
    """Return class and twist after a turn in the frame, and the symmetry to the new frame."""
    entry = load32(address(ctx, slots.CLASS_MOVES), cls * MOVES + frame)
    there, by = packed.unpack_entry(entry)
    moved = load16(address(ctx, slots.TWIST_MOVES), twist * MOVES + frame)
    moved = load16(address(ctx, slots.TWIST_CONJUGATES), moved * 16 + by)
    return there, moved, by


@inlined
def fetch_near(ctx: int, cls: int, twist: int) -> None:
    """Prefetch the memory that `near_value` will read."""
    slot = packed.hash_slot(cls * TWISTS + twist, slots.HASH_BITS)
    prefetch(address(ctx, slots.NEAR_KEYS) + slot * 4)
    prefetch(address(ctx, slots.NEAR_VALUES) + slot * 8)


@inner(int64(int64, int64, NODE, int64, int64, int64))
def near(ctx: int, value: int, node: NearNode, mask: int, togo: int, depth: int) -> int:
    """Follow every path of exactly togo turns from a state within 6 of G2; return 1 to give up."""
    distance, not_farther, _ = packed.unpack_near(value)
    if distance == togo:
        if togo == 0:
            return end_here(ctx, node, depth)
        return follow_endings(ctx, value, node, mask, depth)
    if distance + togo < 5:  # no path of four turns leaves G2 and returns (T. Rokicki)
        return 0
    rest, below = togo - 1, depth + 1
    stack = address(ctx, slots.STACK) + depth * (2 * MOVES * 8)
    count = 0
    while mask != 0:
        turn = lowest_bit(mask)
        mask &= mask - 1
        frame = load8(address(ctx, slots.FRAME_TURNS), node.symmetry * MOVES + turn)
        if rest == distance and not not_farther >> frame & 1:
            continue
        cls, twist, by = turned(ctx, node.cls, node.twist, frame)
        fetch_near(ctx, cls, twist)
        store64(stack, count, packed.pack_child(twist, by, turn, cls))
        count += 1
    for i in range(count):
        twist, _, _, cls = packed.unpack_child(load64(stack, i))
        new_value = near_value(ctx, cls * TWISTS + twist)
        reached, _, at = packed.unpack_near(new_value)
        if reached == rest:
            prefetch(address(ctx, slots.ENDINGS) + at * 8)
        store64(stack, MOVES + i, new_value)
    for i in range(count):
        twist, by, turn, cls = packed.unpack_child(load64(stack, i))
        write_path(ctx, depth, turn)
        symmetry = seen_symmetry(ctx, by, node.symmetry)
        child = NearNode(cls, twist, symmetry, turned_by(ctx, node.corners, turn))
        if near(ctx, load64(stack, MOVES + i), child, allowed_after(ctx, turn), rest, below):
            return 1
    return 0


@inner(ints(4))
def reach(ctx: int, first: int, count: int, togo: int) -> int:
    """Follow every path of exactly togo <= 6 turns from the items; return 1 to give up."""
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    reached = 0
    for number in range(first, first + count):
        twist, _, _, cls = packed.unpack_child(load64(items, 2 * number))
        value = near_value(ctx, cls * TWISTS + twist)
        distance, _, at = packed.unpack_near(value)
        if value != 0 and distance <= togo:
            store64(children, 2 * reached, number)
            store64(children, 2 * reached + 1, value)
            reached += 1
            if distance == togo:
                prefetch(address(ctx, slots.ENDINGS) + at * 8)
    depth = load64(ctx, slots.LENGTH) - togo
    store64(ctx, slots.REST, togo)
    for i in range(reached):
        number, value = load64(children, 2 * i), load64(children, 2 * i + 1)
        twist, symmetry, turn, cls = packed.unpack_child(load64(items, 2 * number))
        corners, _ = packed.unpack_origin(load64(items, 2 * number + 1))
        store64(ctx, slots.REACHED, number)
        node = NearNode(cls, twist, symmetry, corners)
        mask = load64(address(ctx, slots.TURNS_AFTER), turn)
        if packed.unpack_near(value)[0] == togo and togo > 0:
            if follow_endings(ctx, value, node, mask, depth):
                return 1
        elif near(ctx, value, node, mask, togo, depth):
            return 1
    return 0
