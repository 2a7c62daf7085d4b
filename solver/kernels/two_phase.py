"""The compiled search along G0>G2>G4: every phase-one path, shortest first, with its phase two."""
# ruff: noqa: PLR0917 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

import numpy as np
from numba import int64

from solver.kernels import packed, slots
from solver.kernels.clock import count_node
from solver.kernels.compiled import compiled, entry, inlined, ints
from solver.kernels.lookups import (
    allowed_after,
    maybe_in,
    near_value,
    phase_one_grade,
    seen_symmetry,
    turned_corners,
    turned_slices,
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
from solver.kernels.phase_two import leaf
from solver.kernels.roots import (
    DONE,
    NODE,
    Node,
    enter_root,
    first_turns,
    next_root,
    premove_is_first,
    root_node,
    root_pieces,
)
from solver.kernels.slots import MOVES, TWISTS


@inlined
def follow_endings(ctx: int, value: int, node: Node, mask: int, depth: int) -> int:
    """Complete the path by every stored ending whose first turn the mask allows; 1 to give up."""
    distance, _, at = packed.unpack_near(value)
    raw_turns = address(ctx, slots.RAW_TURNS) + node.symmetry * MOVES
    while True:
        ending = load32(address(ctx, slots.ENDINGS), at)
        turn, _ = packed.unpack_ending(ending)
        if mask >> load8(raw_turns, turn) & 1:
            corners, turns = node.corners, ending
            for i in range(distance):
                turn, turns = packed.unpack_ending(turns)
                turn = load8(raw_turns, turn)
                write_path(ctx, depth + i, turn)
                corners = turned_corners(ctx, corners, turn)
            if leaf(ctx, corners, node.slices, depth):
                return 1
        if ending >> 31:
            return 0
        at += 1


@inlined
def turned(ctx: int, cls: int, twist: int, frame: int) -> tuple[int, int, int]:
    """Class and twist after a turn in the frame, and the symmetry to the new class's frame."""
    entry = load32(address(ctx, slots.CLASS_MOVES), cls * MOVES + frame)
    there, by = packed.unpack_entry(entry)
    moved = load16(address(ctx, slots.TWIST_MOVES), twist * MOVES + frame)
    moved = load16(address(ctx, slots.TWIST_CONJUGATES), moved * 16 + by)
    return there, moved, by


@inlined
def child_of(ctx: int, node: Node, turn: int, cls: int, twist: int, by: int) -> Node:
    """The node after a turn."""
    return Node(
        cls,
        twist,
        seen_symmetry(ctx, by, node.symmetry),
        turned_corners(ctx, node.corners, turn),
        turned_slices(ctx, node.slices, turn),
    )


@compiled(int64(int64, int64, NODE, int64, int64, int64))
def near(ctx: int, value: int, node: Node, mask: int, togo: int, depth: int) -> int:
    """Every path of exactly togo turns from a state within 6 of G2; 1 to give up."""
    distance, not_farther, _ = packed.unpack_near(value)
    if distance == togo:
        if togo == 0:
            return leaf(ctx, node.corners, node.slices, depth)
        return follow_endings(ctx, value, node, mask, depth)
    if distance + togo < 5:  # nothing leaves G2 and is back in four turns (T. Rokicki)
        return 0
    rest, below = togo - 1, depth + 1
    while mask != 0:
        turn = lowest_bit(mask)
        mask &= mask - 1
        frame = load8(address(ctx, slots.FRAME_TURNS), node.symmetry * MOVES + turn)
        if rest == distance and not not_farther >> frame & 1:
            continue
        cls, twist, by = turned(ctx, node.cls, node.twist, frame)
        new_value = near_value(ctx, cls * TWISTS + twist)
        write_path(ctx, depth, turn)
        child = child_of(ctx, node, turn, cls, twist, by)
        if near(ctx, new_value, child, allowed_after(ctx, turn), rest, below):
            return 1
    return 0


@inlined
def fetch(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Have the memory fetch what `reachable` is going to look at."""
    if rest >= 8:
        prefetch(address(ctx, slots.PHASE_ONE) + cls * slots.PHASE_ONE_ROW + (twist >> 2))
    elif rest == 7:
        first, _ = packed.filter_bits(cls * TWISTS + twist, slots.FILTER_BITS)
        prefetch(address(ctx, slots.NEAR_FILTER) + (first >> 3))


@inlined
def reachable(ctx: int, cls: int, twist: int, rest: int) -> int:
    """Whether G2 may be within rest of a node; if so, have fetched what is looked at next."""
    key = cls * TWISTS + twist
    if rest >= 8:
        fits = phase_one_grade(ctx, cls, twist) <= rest - 8
    elif rest == 7:
        fits = maybe_in(address(ctx, slots.NEAR_FILTER), slots.FILTER_BITS, key) != 0
    else:
        fits = maybe_in(address(ctx, slots.NEAREST_FILTER), slots.SMALL_FILTER_BITS, key) != 0
        if fits:
            slot = packed.hash_slot(key, slots.HASH_BITS)
            prefetch(address(ctx, slots.NEAR_KEYS) + slot * 4)
            prefetch(address(ctx, slots.NEAR_VALUES) + slot * 8)
        return fits
    if fits:
        row = address(ctx, slots.CLASS_MOVES) + cls * (MOVES * 4)
        prefetch(row)
        prefetch(row + 64)
    return fits


@compiled(int64(int64, NODE, int64, int64, int64))
def expand(ctx: int, node: Node, mask: int, togo: int, depth: int) -> int:
    """Every path of exactly togo >= 7 turns from a state at most togo from G2; 1 to give up.

    All children are looked up before the first is entered, so that the memory works on them side
    by side; those that cannot reach G2 in time are never entered.
    """
    if count_node(ctx):
        return 1
    rest, below = togo - 1, depth + 1
    stack = address(ctx, slots.STACK) + depth * (MOVES * 8)
    children = 0
    while mask != 0:
        turn = lowest_bit(mask)
        mask &= mask - 1
        frame = load8(address(ctx, slots.FRAME_TURNS), node.symmetry * MOVES + turn)
        cls, twist, by = turned(ctx, node.cls, node.twist, frame)
        store64(stack, children, packed.pack_child(twist, by, turn, cls))
        children += 1
        fetch(ctx, cls, twist, rest)
    count = 0
    for i in range(children):
        child = load64(stack, i)
        store64(stack, count, child)
        twist, _, _, cls = packed.unpack_child(child)
        count += reachable(ctx, cls, twist, rest)
    for i in range(count):
        child = load64(stack, i)
        twist, by, turn, cls = packed.unpack_child(child)
        after = allowed_after(ctx, turn)
        following = child_of(ctx, node, turn, cls, twist, by)
        write_path(ctx, depth, turn)
        if rest >= 7:
            if expand(ctx, following, after, rest, below):
                return 1
        else:
            value = near_value(ctx, cls * TWISTS + twist)
            if value == 0:
                continue
            if packed.unpack_near(value)[0] == rest:
                if follow_endings(ctx, value, following, after, below):
                    return 1
            elif near(ctx, value, following, after, rest, below):
                return 1
    return 0


@inlined
def search_root(ctx: int, number: int, length: int) -> int:
    """Every phase one of exactly length turns from one root; 1 to give up."""
    if not premove_is_first(ctx, number):
        return 0
    twist, symmetry, grade, cls = packed.unpack_node(root_node(ctx, number))
    value, key, start = 0, cls * TWISTS + twist, np.int64(0)
    if length >= 8:
        if grade > length - 8:
            return 0
    elif length == 7:
        if not maybe_in(address(ctx, slots.NEAR_FILTER), slots.FILTER_BITS, key):
            return 0
    else:
        value = near_value(ctx, key)
        if value == 0 or packed.unpack_near(value)[0] > length:
            return 0
    corners, slices = root_pieces(ctx, number)
    enter_root(ctx, number, load64(ctx, slots.LEVEL))
    store64(ctx, slots.LENGTH, length)
    node = Node(cls, twist, symmetry, corners, slices)
    if length >= 7:
        return expand(ctx, node, first_turns(ctx, number), length, start)
    return near(ctx, value, node, first_turns(ctx, number), length, start)


@entry(ints(1))
def search(ctx: int) -> int:
    """Search level by level (premoves and phase one together) until no level can be better.

    Several threads may run this on contexts that share the shared array; each takes the next root
    that nobody has taken. Returns 1 when every level below the best solution is done, 0 when it
    was stopped.
    """
    number = next_root(ctx)
    while number >= 0:
        premoves = load32(address(ctx, slots.PREMOVES), number // 6)
        length = load64(ctx, slots.LEVEL) - packed.unpack_premove(premoves)[0]
        if length >= 0:
            search_root(ctx, number, length)
        number = next_root(ctx)
    return number == DONE
