"""The compiled search along G0>G2>G4: every phase-one path, shortest first, with its phase two.

Positions still to be searched are *items* of two words: the state of phase one and the last turn
(`packed.pack_child`), and the corners and the parent item (`packed.pack_origin`). Items with the
same number of remaining turns are contiguous; a few of them at a time are expanded together, so
that many memory accesses overlap.

It also reduces the search by the symmetries of a cube in single turns: premoves, and first turns.
"""

import numpy as np

from solver.kernels import packed, slots
from solver.kernels.blocks import find_nodes, prepare_directions, root_corners
from solver.kernels.clock import count_nodes
from solver.kernels.compiled import entry, inlined, inner, ints
from solver.kernels.lookups import (
    allowed_after,
    maybe_in,
    near_value,
    phase_one_grade,
    seen_symmetry,
    turned_by,
)
from solver.kernels.memory import address, load8, load32, load64, lowest_bit, prefetch, store64
from solver.kernels.roots import DONE, enter_level, next_task, premoves_of
from solver.kernels.single.phase_two import settle
from solver.kernels.single.reaching import fetch_near, reach, turned
from solver.kernels.slots import MOVES, NO_TURN, TWISTS

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"


@inlined
def premove_is_first(ctx: int, number: int) -> int:
    """Return whether no symmetry of the cube maps these premoves to earlier ones."""
    own = load64(address(ctx, slots.SELVES), number % 6)
    if own <= 1:
        return own
    word = load32(address(ctx, slots.PREMOVES), number // 6)
    for symmetry in range(1, 16):
        if not own >> symmetry & 1:
            continue
        last, difference = slots.NO_TURN, 0
        for i in range(packed.unpack_premove(word)[0]):
            turn = packed.premove_turn(word, i)
            other = load8(address(ctx, slots.FRAME_TURNS), symmetry * 18 + turn)
            if i == 0:
                other = 3 * (other // 3)
            if not allowed_after(ctx, last) >> other & 1:
                difference = 1
                break
            last = other
            if difference == 0:
                difference = other - turn
        if difference < 0:
            return 0
    return 1


@inlined
def first_turns(ctx: int, number: int) -> int:
    """Return the turns with which phase one may start: of equivalent ones, the first."""
    every = allowed_after(ctx, slots.NO_TURN)
    own = load64(address(ctx, slots.SELVES), number % 6)
    if own == 1 or number >= 6:
        return every
    turns = 0
    for turn in range(18):
        first = True
        for symmetry in range(1, 16):
            if own >> symmetry & 1:
                first &= load8(address(ctx, slots.FRAME_TURNS), symmetry * 18 + turn) >= turn
        turns |= first << turn
    return turns & every


@inlined
def prepare_first_turns(ctx: int) -> None:
    """Write the turns allowed after each turn, and the allowed first ones."""
    turns_after = address(ctx, slots.TURNS_AFTER)
    for turn in range(slots.AT_ROOT):
        store64(turns_after, turn, allowed_after(ctx, turn))
    for direction in range(6):
        store64(turns_after, slots.AT_ROOT + direction, first_turns(ctx, direction))


# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return,arg-type"


@inlined
def fetch(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Prefetch the memory that `reachable` will read."""
    if rest >= 8:
        prefetch(address(ctx, slots.PHASE_ONE) + cls * slots.PHASE_ONE_ROW + (twist >> 2))
    elif rest == 7:
        first, _ = packed.filter_bits(cls * TWISTS + twist, slots.FILTER_BITS)
        prefetch(address(ctx, slots.NEAR_FILTER) + (first >> 3))
    else:
        first, _ = packed.filter_bits(cls * TWISTS + twist, slots.SMALL_FILTER_BITS)
        prefetch(address(ctx, slots.NEAREST_FILTER) + (first >> 3))


@inlined
def fetch_next(ctx: int, cls: int, twist: int, rest: int) -> None:
    """Prefetch the memory that is read when a node is expanded or reached."""
    if rest >= 7:
        row = address(ctx, slots.CLASS_MOVES) + cls * (MOVES * 4)
        prefetch(row)
        prefetch(row + 64)
    else:
        fetch_near(ctx, cls, twist)


@inlined
def reachable(ctx: int, cls: int, twist: int, rest: int) -> int:
    """Return whether G2 may be within rest of a node; if so, prefetch what is read next."""
    key = cls * TWISTS + twist
    if rest >= 8:
        fits = phase_one_grade(ctx, cls, twist) <= rest - 8
    elif rest == 7:
        fits = maybe_in(address(ctx, slots.NEAR_FILTER), slots.FILTER_BITS, key) != 0
    else:
        fits = maybe_in(address(ctx, slots.NEAREST_FILTER), slots.SMALL_FILTER_BITS, key) != 0
    if fits:
        fetch_next(ctx, cls, twist, rest)
    return fits


@inlined
def children_of(ctx: int, first: int, count: int, rest: int) -> int:
    """Write every child of the items, and prefetch the data that tell whether they are useful."""
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    written = 0
    for number in range(first, first + count):
        twist, symmetry, last, cls = packed.unpack_child(load64(items, 2 * number))
        frame_turns = address(ctx, slots.FRAME_TURNS) + symmetry * MOVES
        mask = load64(address(ctx, slots.TURNS_AFTER), last)
        while mask != 0:
            turn = lowest_bit(mask)
            mask &= mask - 1
            there, moved, by = turned(ctx, cls, twist, load8(frame_turns, turn))
            store64(children, 2 * written, packed.pack_child(moved, by, turn, there))
            store64(children, 2 * written + 1, number)
            written += 1
            fetch(ctx, there, moved, rest)
    return written


@inlined
def accept(ctx: int, written: int, rest: int, free: int) -> int:
    """Make items, from free on, of the children that may reach G2 in time; return their number."""
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    count = 0
    for i in range(written):
        child = load64(children, 2 * i)
        store64(children, 2 * count, child)
        store64(children, 2 * count + 1, load64(children, 2 * i + 1))
        twist, _, _, cls = packed.unpack_child(child)
        count += reachable(ctx, cls, twist, rest)
    for i in range(count):
        origin = load64(children, 2 * i + 1)
        twist, by, turn, cls = packed.unpack_child(load64(children, 2 * i))
        _, symmetry, _, _ = packed.unpack_child(load64(items, 2 * origin))
        corners, _ = packed.unpack_origin(load64(items, 2 * origin + 1))
        symmetry = seen_symmetry(ctx, by, symmetry)
        corners = turned_by(ctx, corners, turn)
        store64(items, 2 * (free + i), packed.pack_child(twist, symmetry, turn, cls))
        store64(items, 2 * (free + i) + 1, packed.pack_origin(corners, origin))
    return count


@inner(ints(4))
def expand(ctx: int, first: int, count: int, togo: int) -> int:
    """Follow every path of exactly togo >= 7 turns from the items; return 1 to give up."""
    rest, free, last = togo - 1, first + count, first + count
    while first < last:
        some = min(last - first, slots.TOGETHER_EXPANDED)
        if count_nodes(ctx, some):
            return 1
        accepted = accept(ctx, children_of(ctx, first, some, rest), rest, free)
        first += some
        if accepted > 0:
            if rest >= 7:
                if expand(ctx, free, accepted, rest):
                    return 1
            elif reach(ctx, free, accepted, rest):
                return 1
    return 0


@inlined
def within(ctx: int, cls: int, twist: int, length: int) -> int:
    """Return whether G2 is certainly within length turns, which are at most 6."""
    value = near_value(ctx, cls * TWISTS + twist)
    return value != 0 and packed.unpack_near(value)[0] <= length


@inlined
def roots_within(ctx: int, first: int, last: int, length: int) -> int:
    """Make items of roots first to last - 1 that may reach G2 in time; return their number."""
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    known, selves = address(ctx, slots.ROOT_CACHE), address(ctx, slots.SELVES)
    find_nodes(ctx, first, last)
    written = 0
    for number in range(first, last):
        twist, symmetry, grade, cls = packed.unpack_node(load64(known, number))
        if grade <= max(length - 8, 0) and load64(selves, number % 6) != 0:
            turn = slots.AT_ROOT + number if number < 6 else NO_TURN
            store64(children, 2 * written, packed.pack_child(twist, symmetry, turn, cls))
            store64(children, 2 * written + 1, number)
            written += 1
            fetch(ctx, cls, twist, length)
    count = 0
    for i in range(written):
        child, number = load64(children, 2 * i), load64(children, 2 * i + 1)
        twist, _, _, cls = packed.unpack_child(child)
        if (
            reachable(ctx, cls, twist, length)
            and (length >= 7 or within(ctx, cls, twist, length))
            and premove_is_first(ctx, number)
        ):
            store64(items, 2 * count, child)
            origin = packed.pack_origin(root_corners(ctx, number), number)
            store64(items, 2 * count + 1, origin)
            count += 1
    return count


@inlined
def search_items(ctx: int, count: int, level: int, length: int) -> int:
    """Search from the first items, roots with equally many premoves; return 1 to give up."""
    enter_level(ctx, level)
    store64(ctx, slots.LENGTH, length)
    store64(ctx, slots.SLACK, 1 + (length < level))
    first = np.int64(0)
    ended = expand(ctx, first, count, length) if length >= 7 else reach(ctx, first, count, length)
    return settle(ctx) or ended


@inlined
def search_block(ctx: int, first: int, last: int) -> None:
    """Search from the roots of premoves first to last - 1, at the context's level."""
    premoves, level = address(ctx, slots.PREMOVES), load64(ctx, slots.LEVEL)
    while first < last:
        long, after = packed.unpack_premove(load32(premoves, first))[0], first + 1
        while after < last and packed.unpack_premove(load32(premoves, after))[0] == long:
            after += 1
        length = level - long
        if length >= 0:
            count = roots_within(ctx, 6 * first, 6 * after, length)
            if count_nodes(ctx, after - first):
                return
            if count > 0 and search_items(ctx, count, level, length):
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
    if number >= 0:
        prepare_directions(ctx)
        prepare_first_turns(ctx)
    while number >= 0:
        first, last = premoves_of(ctx, number)
        search_block(ctx, first, last)
        number = next_task(ctx)
    return number == DONE
