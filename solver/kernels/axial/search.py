"""The compiled search along G0>G2>G4: every phase-one path, cheapest first, with its phase two.

Opposite faces may turn together, so turns are the 45 of `solver.search.tables.axial_turns`, of
which two neighbours never share an axis. Levels count their cost.

Positions still to be searched are *items* of two words: the state of phase one and the last turn
(`packed.pack_item`), and the corners and the parent item (`packed.pack_origin`). Items with the
same remaining cost are contiguous; a few of them at a time are expanded together, so that many
memory accesses overlap. One turn of an axis is tried before the others, see `spy`. Turns into G2
that differ by half turns of their own axis are searched as one: a path and its premoves stand for
sixteen candidates.
"""
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

import numpy as np

from solver.kernels import packed, slots
from solver.kernels.axial.phase_two import settle
from solver.kernels.axial.reaching import fetch_near, make_item, reach, turned, where_begun
from solver.kernels.blocks import find_nodes, root_corners
from solver.kernels.clock import count_nodes
from solver.kernels.compiled import entry, inlined, inner, ints
from solver.kernels.lookups import maybe_in, phase_one_grade
from solver.kernels.memory import address, load8, load32, load64, lowest_bit, prefetch, store64
from solver.kernels.roots import DONE, enter_level, next_task, premoves_of
from solver.kernels.slots import AXIAL_TURNS, FILTER_BITS, SPY, TWISTS


@inlined
def near_filter(ctx: int, rest: int) -> int:
    """Return the filter of the states within rest, which is beyond the radius of the hash."""
    beyond = rest - address(ctx, slots.NEAR_RADIUS) - 1
    return address(ctx, slots.NEAR_FILTER) + beyond * (1 << (FILTER_BITS - 3))


@inlined
def fetch(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Prefetch the memory that `reachable` will read."""
    if rest >= address(ctx, slots.GRADES):
        prefetch(address(ctx, slots.PHASE_ONE) + cls * slots.PHASE_ONE_ROW + (twist >> 2))
    elif rest > address(ctx, slots.NEAR_RADIUS):
        first, _ = packed.filter_bits(cls * TWISTS + twist, FILTER_BITS)
        prefetch(near_filter(ctx, rest) + (first >> 3))
    else:
        first, _ = packed.filter_bits(cls * TWISTS + twist, slots.SMALL_FILTER_BITS)
        prefetch(address(ctx, slots.NEAREST_FILTER) + (first >> 3))


@inlined
def reachable(ctx: int, cls: int, twist: int, rest: int) -> int:
    """Return whether G2 may be within rest of a node; exact if phase one's table is used."""
    beyond = rest - address(ctx, slots.GRADES)
    if beyond >= 0:
        return phase_one_grade(ctx, cls, twist) <= beyond
    key = cls * TWISTS + twist
    if rest > address(ctx, slots.NEAR_RADIUS):
        return maybe_in(near_filter(ctx, rest), FILTER_BITS, key)
    return maybe_in(address(ctx, slots.NEAREST_FILTER), slots.SMALL_FILTER_BITS, key)


@inlined
def fetch_next(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Prefetch the memory that is read when a node is expanded or reached."""
    if rest > address(ctx, slots.NEAR_RADIUS):
        row = address(ctx, slots.CLASS_MOVES) + cls * (AXIAL_TURNS * 4)
        prefetch(row)
        prefetch(row + 64)
        prefetch(row + 128)
    else:
        fetch_near(ctx, cls, twist)


@inlined
def spy(ctx: int, first: int, some: int, togo: int) -> int:
    """List the axes, and their turns, that may lead items to G2 in time; return their number.

    States that differ by turns of one axis are near each other: if the state after `SPY` is farther
    from G2 than the remaining cost, most of the others are too far, too.
    """
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    axes, written, kept = address(ctx, slots.AXES), 0, 0
    for number in range(first, first + some):
        twist, symmetry, last, _, cls = packed.unpack_item(load64(items, 2 * number))
        frame_turns = address(ctx, slots.FRAME_TURNS) + symmetry * AXIAL_TURNS
        for by in range(3):
            if by != last // 15:
                there, moved, _ = turned(ctx, cls, twist, load8(frame_turns, 15 * by + SPY))
                fetch(ctx, there, moved, togo)
                store64(children, 2 * written, packed.pack_child(moved, 0, by, there))
                store64(children, 2 * written + 1, number)
                written += 1
    for i in range(written):
        twist, _, by, cls = packed.unpack_child(load64(children, 2 * i))
        turns = 0x7FFF if reachable(ctx, cls, twist, togo) else address(ctx, slots.FAR_TURNS)
        if turns != 0:
            number = load64(children, 2 * i + 1)
            store64(axes, kept, packed.pack_axis(turns, by, number))
            kept += 1
    return kept


@inlined
def accept(ctx: int, kept: int, cost: int, rest: int, free: int) -> int:
    """Make items, from number free on, of the children over turns of a cost that may be in time.

    The first of three passes has prefetched the data that tell whether a child is useful. If it is
    not, more expensive turns that begin with its turn are useless, too, and are removed from the
    list.
    """
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    axes, costing = address(ctx, slots.AXES), address(ctx, slots.TURNS_COSTING)
    written, count = 0, 0
    for i in range(kept):
        turns, by, number = packed.unpack_axis(load64(axes, i))
        turns &= load64(costing, 3 * cost + by)
        twist, symmetry, _, _, cls = packed.unpack_item(load64(items, 2 * number))
        frame_turns = address(ctx, slots.FRAME_TURNS) + symmetry * AXIAL_TURNS + 15 * by
        while turns != 0:
            turn = lowest_bit(turns)
            turns &= turns - 1
            there, moved, seen = turned(ctx, cls, twist, load8(frame_turns, turn))
            fetch(ctx, there, moved, rest)
            child = packed.pack_child(moved, seen, 15 * by + turn, there)
            store64(children, 2 * written, child)
            store64(children, 2 * written + 1, i)
            written += 1
    for i in range(written):
        child, axis = load64(children, 2 * i), load64(children, 2 * i + 1)
        twist, _, turn, cls = packed.unpack_child(child)
        turns, by, number = packed.unpack_axis(load64(axes, axis))
        store64(children, 2 * count, child)
        store64(children, 2 * count + 1, number)
        if reachable(ctx, cls, twist, rest):
            count += 1
            fetch_next(ctx, cls, twist, rest)
        else:
            turns &= ~load64(address(ctx, slots.LONGER_TURNS), turn % 15)
            store64(axes, axis, packed.pack_axis(turns, by, number))
    for i in range(count):
        make_item(ctx, free + i, load64(children, 2 * i), load64(children, 2 * i + 1))
    return count


@inner(ints(4))
def expand(ctx: int, first: int, count: int, togo: int) -> int:
    """Follow every path of exactly the cost togo, beyond the radius; return 1 to give up."""
    radius, begun = address(ctx, slots.NEAR_RADIUS), where_begun(ctx, togo)
    dearest, beyond, last = address(ctx, slots.DEAREST), first + count, first + count
    while first < last:
        some, free = min(last - first, slots.TOGETHER_EXPANDED), beyond
        if count_nodes(ctx, some):
            return 1
        kept = spy(ctx, first, some, togo)
        for cost in range(1, dearest + 1):
            store64(begun, cost, free)
            free += accept(ctx, kept, cost, togo - cost, free)
        for i in range(dearest):
            begin, rest = load64(begun, dearest - i), togo - (dearest - i)
            made, free = free - begin, begin
            if made > 0:
                if rest > radius:
                    if expand(ctx, begin, made, rest):
                        return 1
                elif reach(ctx, begin, made, rest):
                    return 1
        first += some
    return 0


@inlined
def roots_within(ctx: int, first: int, last: int, cost: int) -> int:
    """Make items of roots first to last - 1 that may reach G2 in time; return their number."""
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    known, wanted = address(ctx, slots.ROOT_CACHE), address(ctx, slots.DIRECTIONS)
    premoves, beyond = address(ctx, slots.PREMOVES), max(cost - address(ctx, slots.GRADES), 0)
    find_nodes(ctx, first, last)
    written, count = 0, 0
    for number in range(first, last):
        twist, symmetry, grade, cls = packed.unpack_node(load64(known, number))
        if grade <= beyond and wanted >> number % 6 & 1:
            store64(children, 2 * written, packed.pack_child(twist, symmetry, 0, cls))
            store64(children, 2 * written + 1, number)
            written += 1
            fetch(ctx, cls, twist, cost)
    for i in range(written):
        twist, symmetry, _, cls = packed.unpack_child(load64(children, 2 * i))
        if reachable(ctx, cls, twist, cost):
            number = load64(children, 2 * i + 1)
            fetch_next(ctx, cls, twist, cost)
            side = packed.premove_side(load32(premoves, number // 6))
            item = packed.pack_item(twist, symmetry, AXIAL_TURNS, side, cls)
            store64(items, 2 * count, item)
            origin = packed.pack_origin(root_corners(ctx, number), number)
            store64(items, 2 * count + 1, origin)
            count += 1
    return count


@inlined
def search_items(ctx: int, count: int, level: int, cost: int) -> int:
    """Search from the first items, roots with premoves of equal cost; return 1 to give up."""
    enter_level(ctx, level)
    first, ended = np.int64(0), np.int64(0)
    if cost > address(ctx, slots.NEAR_RADIUS):
        ended = expand(ctx, first, count, cost)
    else:
        ended = reach(ctx, first, count, cost)
    return settle(ctx) or ended


@inlined
def search_block(ctx: int, first: int, last: int) -> None:
    """Search from the roots of premoves first to last - 1, at the context's level."""
    premoves, level = address(ctx, slots.PREMOVES), load64(ctx, slots.LEVEL)
    while first < last:
        spent, after = packed.unpack_premove(load32(premoves, first))[0], first + 1
        while after < last:
            if packed.unpack_premove(load32(premoves, after))[0] != spent:
                break
            after += 1
        cost = level - spent
        if cost >= 0:
            count = roots_within(ctx, 6 * first, 6 * after, cost)
            if count_nodes(ctx, after - first):
                return
            if count > 0 and search_items(ctx, count, level, cost):
                return
        first = after


@entry(ints(1))
def search(ctx: int) -> int:
    """Search level by level (premoves and phase one together) until no level can be better.

    Several threads may run this on contexts with a common shared array; each takes the next block
    of roots that no other has taken. Returns 1 when every level below the best solution is done, 0
    when it was stopped.
    """
    number = next_task(ctx)
    while number >= 0:
        first, last = premoves_of(ctx, number)
        search_block(ctx, first, last)
        number = next_task(ctx)
    return number == DONE
