"""The compiled search along G0>G2>G4 in a metric of axial turns: opposite faces turn together.

As `solver.kernels.two_phase`, with three differences. Turns are the 45 of
`solver.search.axial_turns`, of which two neighbours never share an axis, and cost one or the other
amount, so levels count cost. The path still holds single turns. And of the turns that enter G2,
those that differ by half turns of their own axis are searched as one: a path and its premoves stand
for sixteen candidates.
"""
# ruff: noqa: PLR0917, PLR0912 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return,arg-type"

import numpy as np
from numba import int64

from solver.kernels import packed, slots
from solver.kernels.axial_phase_two import cost_of, leaf, write_quarters
from solver.kernels.clock import count_node
from solver.kernels.compiled import compiled, entry, inlined, ints
from solver.kernels.lookups import (
    maybe_in,
    phase_one_grade,
    place_of,
    seen_symmetry,
    turned_corners,
    turned_slices,
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
from solver.kernels.roots import DONE, NODE, Node, enter_root, next_root, root_node, root_pieces
from solver.kernels.slots import AXIAL_TURNS, FILTER_BITS, NO_AXIS, SPY, TWISTS


@inlined
def near_entry(ctx: int, key: int) -> int:
    """The entry of a state near G2, or -1 when it is farther."""
    place = place_of(address(ctx, slots.NEAR_KEYS), slots.AXIAL_HASH_BITS, key)
    return load32(address(ctx, slots.NEAR_VALUES), place) if place >= 0 else -1


@inlined
def near_filter(ctx: int, rest: int) -> int:
    """The filter of the states within rest, one of those beyond the radius of the hash."""
    beyond = rest - address(ctx, slots.NEAR_RADIUS) - 1
    return address(ctx, slots.NEAR_FILTER) + beyond * (1 << (FILTER_BITS - 3))


@inlined
def fetch(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Have the memory fetch what `reachable` is going to look at."""
    beyond = rest - address(ctx, slots.GRADES)
    if beyond >= 3:
        return
    if beyond >= 0:
        prefetch(address(ctx, slots.PHASE_ONE) + cls * slots.PHASE_ONE_ROW + (twist >> 2))
    elif rest > address(ctx, slots.NEAR_RADIUS):
        first, _ = packed.filter_bits(cls * TWISTS + twist, FILTER_BITS)
        prefetch(near_filter(ctx, rest) + (first >> 3))


@inlined
def reachable(ctx: int, cls: int, twist: int, rest: int) -> int:
    """Whether G2 may be within rest of a node; certain where phase one's table is asked."""
    beyond = rest - address(ctx, slots.GRADES)
    if beyond >= 3:
        return 1
    if beyond >= 0:
        return phase_one_grade(ctx, cls, twist) <= beyond
    if rest < 0:
        return 0
    key = cls * TWISTS + twist
    if rest > address(ctx, slots.NEAR_RADIUS):
        return maybe_in(near_filter(ctx, rest), FILTER_BITS, key)
    return maybe_in(address(ctx, slots.NEAREST_FILTER), slots.SMALL_FILTER_BITS, key)


@inlined
def fetch_next(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Have the memory fetch what is looked at when the node is entered."""
    if rest > address(ctx, slots.NEAR_RADIUS):
        row = address(ctx, slots.AXIAL_CLASS_MOVES) + cls * (AXIAL_TURNS * 4)
        prefetch(row)
        prefetch(row + 64)
        prefetch(row + 128)
    else:
        slot = packed.hash_slot(cls * TWISTS + twist, slots.AXIAL_HASH_BITS)
        prefetch(address(ctx, slots.NEAR_KEYS) + slot * 4)
        prefetch(address(ctx, slots.NEAR_VALUES) + slot * 4)


@inlined
def make_turn(ctx: int, turn: int, corners: int, slices: int, place: int) -> tuple[int, int, int]:
    """Write the single turns of an axial one to the path; the pieces after it, the next place."""
    axis, first, second = packed.unpack_axial_turn(turn)
    if first != 0:
        single = packed.pack_turn(axis, first)
        corners, slices = turned_corners(ctx, corners, single), turned_slices(ctx, slices, single)
        place = write_quarters(ctx, place, axis, first)
    if second != 0:
        single = packed.pack_turn(axis + 3, second)
        corners, slices = turned_corners(ctx, corners, single), turned_slices(ctx, slices, single)
        place = write_quarters(ctx, place, axis + 3, second)
    return corners, slices, place


@inlined
def follow_endings(ctx: int, at: int, cost: int, node: Node, axis: int, depth: int) -> int:
    """Complete the path by every stored ending that starts on another axis; 1 to give up."""
    raw_turns = address(ctx, slots.AXIAL_RAW_TURNS) + node.symmetry * AXIAL_TURNS
    while True:
        ending = load64(address(ctx, slots.ENDINGS), at)
        turn, _ = packed.unpack_axial_ending(ending)
        turn = load8(raw_turns, turn)
        if turn // 15 != axis:
            corners, place, left, turns = node.corners, depth, cost, ending
            while left > 0:
                turn, turns = packed.unpack_axial_ending(turns)
                turn = load8(raw_turns, turn)
                left -= cost_of(ctx, turn)
                corners, _, place = make_turn(ctx, turn, corners, node.slices, place)
            if leaf(ctx, corners, node.slices, depth, place, turn):
                return 1
        if ending < 0:
            return 0
        at += 1


@inlined
def turned(ctx: int, node: Node, turn: int) -> tuple[int, int, int]:
    """Class and twist after an axial turn, and the symmetry to the new class's frame."""
    frame = load8(address(ctx, slots.AXIAL_FRAME_TURNS) + node.symmetry * AXIAL_TURNS, turn)
    moves = address(ctx, slots.AXIAL_CLASS_MOVES) + node.cls * (AXIAL_TURNS * 4)
    cls, symmetry = packed.unpack_entry(load32(moves, frame))
    twist = load16(address(ctx, slots.AXIAL_TWIST_MOVES), node.twist * AXIAL_TURNS + frame)
    twist = load16(address(ctx, slots.TWIST_CONJUGATES), twist * 16 + symmetry)
    return cls, twist, symmetry


@inlined
def spied(ctx: int, node: Node, by: int, togo: int) -> int:
    """Those turns of an axis, as bits, that may lead to G2 in time.

    States that differ by turns of one axis are not far from each other: where one of them is
    farther from G2 than all that is left, most of the others are too far, too.
    """
    cls, twist, _ = turned(ctx, node, 15 * by + SPY)
    return 0x7FFF if reachable(ctx, cls, twist, togo) else address(ctx, slots.FAR_TURNS)


@compiled(int64(int64, NODE, int64, int64, int64))
def expand(ctx: int, node: Node, axis: int, togo: int, depth: int) -> int:
    """Every path of exactly the cost togo from a state that may be so near G2; 1 to give up."""
    if count_node(ctx):
        return 1
    radius = address(ctx, slots.NEAR_RADIUS)
    stack = address(ctx, slots.STACK) + depth * (AXIAL_TURNS * 8)
    children = 0
    for by in range(3):
        if by != axis:
            cls, twist, _ = turned(ctx, node, 15 * by + SPY)
            fetch(ctx, cls, twist, togo)
    for by in range(3):
        if by == axis:
            continue
        turns = spied(ctx, node, by, togo)
        while turns != 0:
            turn = 15 * by + lowest_bit(turns)
            turns &= turns - 1
            cls, twist, symmetry = turned(ctx, node, turn)
            store64(stack, children, packed.pack_child(twist, symmetry, turn, cls))
            children += 1
            fetch(ctx, cls, twist, togo - cost_of(ctx, turn))
    count = 0
    for i in range(children):
        child = load64(stack, i)
        twist, _, turn, cls = packed.unpack_child(child)
        rest = togo - cost_of(ctx, turn)
        store64(stack, count, child)
        if reachable(ctx, cls, twist, rest):
            count += 1
            fetch_next(ctx, cls, twist, rest)
    for i in range(count):
        child = load64(stack, i)
        twist, symmetry, turn, cls = packed.unpack_child(child)
        rest, by, distance, endings = togo - cost_of(ctx, turn), turn // 15, -1, 0
        if rest <= radius:
            entry = near_entry(ctx, cls * TWISTS + twist)
            distance, endings = packed.unpack_axial_near(entry)
            if entry < 0 or distance > rest:
                continue
        corners, slices, place = make_turn(ctx, turn, node.corners, node.slices, depth)
        symmetry = seen_symmetry(ctx, symmetry, node.symmetry)
        following = Node(cls, twist, symmetry, corners, slices)
        if distance >= 0:
            if distance == rest:
                if rest == 0:
                    if packed.enters_g2(turn) and leaf(ctx, corners, slices, place, place, turn):
                        return 1
                elif follow_endings(ctx, endings, rest, following, by, place):
                    return 1
                continue
            if distance == 0 and rest < 3 * address(ctx, slots.QUARTER):
                continue  # nothing leaves G2 and is back in two turns
        if expand(ctx, following, by, rest, place):
            return 1
    return 0


@inlined
def search_root(ctx: int, number: int, cost: int) -> int:
    """Every phase one of exactly the cost from root ``6 * premove + direction``; 1 to give up."""
    if load64(address(ctx, slots.SELVES), number % 6) == 0:
        return 0
    twist, symmetry, grade, cls = packed.unpack_node(root_node(ctx, number))
    beyond = cost - address(ctx, slots.GRADES)
    if grade > max(0, beyond) or (beyond < 0 and not reachable(ctx, cls, twist, cost)):
        return 0
    corners, slices = root_pieces(ctx, number)
    enter_root(ctx, number, load64(ctx, slots.LEVEL))
    node = Node(cls, twist, symmetry, corners, slices)
    start, none = np.int64(0), np.int64(NO_AXIS)
    if cost <= address(ctx, slots.NEAR_RADIUS):
        entry = near_entry(ctx, cls * TWISTS + twist)
        distance, endings = packed.unpack_axial_near(entry)
        if entry < 0 or distance > cost:
            return 0
        if distance == cost:
            if cost == 0:
                return leaf(ctx, corners, slices, start, start, -1)
            return follow_endings(ctx, endings, cost, node, none, start)
    return expand(ctx, node, none, cost, start)


@entry(ints(1))
def search(ctx: int) -> int:
    """As `solver.kernels.two_phase.search`, level by level of cost."""
    number = next_root(ctx)
    while number >= 0:
        premoves = load32(address(ctx, slots.PREMOVES), number // 6)
        cost = load64(ctx, slots.LEVEL) - packed.unpack_axial_premove(premoves)[0]
        if cost >= 0:
            search_root(ctx, number, cost)
        number = next_root(ctx)
    return number == DONE
