"""The compiled search: all solutions of one length, depth first, several positions at a time.

Positions with the same number of remaining turns are in one list, as items of four words: position,
corners, edges (`solver.kernels.optimal.coset`) and the number of the parent item.
"""

import numpy as np

from solver.kernels.compiled import entry, inlined, inner, ints
from solver.kernels.memory import (
    address,
    atomic_add,
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
    inverse_position,
    last_turn,
    mixed_pieces,
    near_bits,
    parts_bound,
    table_grade,
    table_place,
    turned_pieces,
    turned_position,
)

# ruff: noqa: PLR0917 - compiled functions take their arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return, assignment"

SOLVED_CORNERS = sum(piece << 5 * piece for piece in range(8))
SOLVED_EDGES = sum(piece << 5 * piece for piece in range(12))


@inlined
def item_list(ctx: int, rest: int) -> int:
    """Return the address of the items with a number of remaining turns."""
    return address(ctx, layout.LISTS) + rest * layout.LIST_BYTES


@inlined
def write_item(items: int, i: int, position: int, corners: int, edges: int, parent: int) -> None:
    """Write an item."""
    store64(items, 4 * i, position)
    store64(items, 4 * i + 1, corners)
    store64(items, 4 * i + 2, edges)
    store64(items, 4 * i + 3, parent)


@inlined
def move_item(items: int, i: int, there: int) -> None:
    """Copy an item to another place of its list."""
    for word in range(4):
        store64(items, 4 * there + word, load64(items, 4 * i + word))


@inlined
def turns_after(ctx: int, position: int) -> int:
    """Return the turns that may follow, as bits; all turns of a face or none."""
    turn = last_turn(position)
    if turn == layout.FROM_ROOT:
        return load64(ctx, layout.FIRST_TURNS)
    return load32(address(ctx, layout.FOLLOWERS), turn)


@inlined
def add_candidate(ctx: int, count: int, position: int, turn: int, parent: int) -> int:
    """Append a child that the table may exclude; return the number of candidates."""
    at = address(ctx, layout.CANDIDATES) + count * layout.CANDIDATE_BYTES
    child = turned_position(ctx, position, turn)
    place = table_place(ctx, child)
    prefetch(address(ctx, layout.GRADES) + (place >> 2))
    store64(at, 0, child)
    store64(at, 1, place)
    store64(at, 2, parent)
    return count + 1


@inlined
def write_child(ctx: int, parents: int, items: int, count: int, child: int, parent: int) -> None:
    """Write a child of an item, with its pieces."""
    corners, edges = load64(parents, 4 * parent + 1), load64(parents, 4 * parent + 2)
    corners, edges = turned_pieces(ctx, corners, edges, last_turn(child))
    write_item(items, count, child, corners, edges, parent)


@inner(ints(5))
def searched_before(ctx: int, position: int, corners: int, edges: int, rest: int) -> int:
    """Return whether a position was searched with at least as many turns; else remember it.

    Half turns do not change some cosets near the solved cube's. A search that reaches one comes to
    the same positions again and again, and the table does not exclude them.

    Entries: corners 40 | remaining turns 6 | last face, and edges. The search after a turn of U, R
    or F leaves out only turns of the same face, with which a shorter solution would exist. After
    D, L or B it also leaves out the opposite face: such an entry only counts after the same face.
    The first entry of a pair is kept for more remaining turns.
    """
    if load64(address(ctx, layout.SHARED), layout.EVERY) != 0:
        return 0
    product = mixed_pieces(corners, edges)
    pair = (product >> 40 & (1 << layout.MEMORY_BITS) - 1) * 4
    memory, face = address(ctx, layout.MEMORY), last_turn(position) // 3
    for i in range(2):
        found = load64(memory, pair + 2 * i)
        if found & (1 << 40) - 1 == corners and load64(memory, pair + 2 * i + 1) == edges:
            before = found >> 46
            if found >> 40 & 63 >= rest and (before < 3 or before == face):
                return 1
    at = pair if load64(memory, pair) >> 40 & 63 <= rest else pair + 2
    store64(memory, at, corners | rest << 40 | face << 46)
    store64(memory, at + 1, edges)
    return 0


@inner(ints(4))
def all_children(ctx: int, rest: int, first: int, last: int) -> int:
    """List all children of items first to last - 1; return their number."""
    parents, items, count = item_list(ctx, rest + 1), item_list(ctx, rest), 0
    for parent in range(first, last):
        position = load64(parents, 4 * parent)
        turns = turns_after(ctx, position)
        while turns != 0:
            child = turned_position(ctx, position, lowest_bit(turns))
            write_child(ctx, parents, items, count, child, parent)
            turns &= turns - 1
            count += 1
    return count


@inner(ints(4))
def candidates(ctx: int, rest: int, first: int, last: int) -> int:
    """List the children of items that the table does not exclude; return their number.

    A turn of the same face changes the distance by one at most. So if the state after a quarter
    turn is two turns too far, the other two turns of this face are not looked up.
    """
    parents, items, count = item_list(ctx, rest + 1), item_list(ctx, rest), 0
    list_, base = address(ctx, layout.CANDIDATES), address(ctx, layout.BASE)
    for parent in range(first, last):
        position = load64(parents, 4 * parent)
        turns = turns_after(ctx, position) & 0o111111
        while turns != 0:
            turn = lowest_bit(turns)
            turns &= turns - 1
            count = add_candidate(ctx, count, position, turn, parent)
            if rest > base + 1:
                count = add_candidate(ctx, count, position, turn + 1, parent)
                count = add_candidate(ctx, count, position, turn + 2, parent)
    kept, all_ = 0, count
    if rest <= base + 1:
        for i in range(count):
            at = list_ + i * layout.CANDIDATE_BYTES
            if base + table_grade(ctx, load64(at, 1)) < rest + 2:
                parent, turn = load64(at, 2), last_turn(load64(at, 0))
                position = load64(parents, 4 * parent)
                all_ = add_candidate(ctx, all_, position, turn + 1, parent)
                all_ = add_candidate(ctx, all_, position, turn + 2, parent)
    for i in range(all_):
        at = list_ + i * layout.CANDIDATE_BYTES
        grade = table_grade(ctx, load64(at, 1))
        if base + grade <= rest:
            child = load64(at, 0)
            write_child(ctx, parents, items, kept, child, load64(at, 2))
            corners, edges = load64(items, 4 * kept + 1), load64(items, 4 * kept + 2)
            kept += grade > 0 or not searched_before(ctx, child, corners, edges, rest)
    store64(ctx, layout.NODES, load64(ctx, layout.NODES) + all_)
    return kept


@inner(ints(3))
def without_far_inverses(ctx: int, rest: int, count: int) -> int:
    """Remove the items with an inverse that the table excludes; return how many are left."""
    items, list_ = item_list(ctx, rest), address(ctx, layout.CANDIDATES)
    base, kept = address(ctx, layout.BASE), 0
    for i in range(count):
        position = inverse_position(ctx, load64(items, 4 * i + 1), load64(items, 4 * i + 2))
        place = table_place(ctx, position)
        prefetch(address(ctx, layout.GRADES) + (place >> 2))
        store64(list_, i, place)
    for i in range(count):
        if base + table_grade(ctx, load64(list_, i)) <= rest:
            move_item(items, i, kept)
            kept += 1
    return kept


@inlined
def in_near_filter(ctx: int, corners: int, edges: int) -> int:
    """Return whether a state may be within six turns of the solved one."""
    bits, (first, second) = address(ctx, layout.NEAR_FILTER), near_bits(corners, edges)
    return load8(bits, first >> 3) >> (first & 7) & load8(bits, second >> 3) >> (second & 7) & 1


@inlined
def may_be_near(ctx: int, position: int, rest: int) -> int:
    """Return whether a position may be within a distance below the table's least value."""
    return parts_bound(ctx, position) <= rest and table_grade(ctx, table_place(ctx, position)) == 0


@inner(ints(3))
def near_items(ctx: int, rest: int, count: int) -> int:
    """Remove the items that are not near, or that were searched before; return how many are left.

    Those within `layout.NEAR_TURNS` are known but for errors of the filter.
    """
    items, kept = item_list(ctx, rest), 0
    for i in range(count):
        corners, edges = load64(items, 4 * i + 1), load64(items, 4 * i + 2)
        if rest <= layout.NEAR_TURNS:
            if not in_near_filter(ctx, corners, edges):
                continue
        elif not may_be_near(ctx, inverse_position(ctx, corners, edges), rest):
            continue
        if rest > 2 and searched_before(ctx, load64(items, 4 * i), corners, edges, rest):
            continue
        move_item(items, i, kept)
        kept += 1
    return kept


@inner(ints(4))
def near_children(ctx: int, rest: int, first: int, last: int) -> int:
    """List the children of items that may be within a distance below the table's least value."""
    parents, items, count, seen = item_list(ctx, rest + 1), item_list(ctx, rest), 0, 0
    for parent in range(first, last):
        position = load64(parents, 4 * parent)
        turns = turns_after(ctx, position)
        while turns != 0:
            child = turned_position(ctx, position, lowest_bit(turns))
            turns &= turns - 1
            seen += 1
            if may_be_near(ctx, child, rest):
                write_child(ctx, parents, items, count, child, parent)
                corners, edges = load64(items, 4 * count + 1), load64(items, 4 * count + 2)
                prefetch(address(ctx, layout.NEAR_FILTER) + (near_bits(corners, edges)[0] >> 3))
                count += 1
    store64(ctx, layout.NODES, load64(ctx, layout.NODES) + seen)
    return near_items(ctx, rest, count)


@inner(ints(2))
def record_solution(ctx: int, item: int) -> int:
    """Record the turns from the root to an item without remaining turns; return 1 to give up."""
    shared = address(ctx, layout.SHARED)
    ticket = atomic_add(shared, layout.FOUND, 1)
    if ticket < layout.MOST_FOUND:
        there = address(ctx, layout.FOUND_LIST) + ticket * layout.FOUND_BYTES
        store64(there, 0, load64(ctx, layout.POSITION))
        for rest in range(load64(ctx, layout.REST)):
            items = item_list(ctx, rest)
            store8(there + 8, rest, last_turn(load64(items, 4 * item)))
            item = load64(items, 4 * item + 3)
    if load64(shared, layout.EVERY) == 0:
        store64(shared, layout.STOP, 1)
        return 1
    return 0


@inner(ints(2))
def record_solved(ctx: int, count: int) -> int:
    """Record the items that are solved; return 1 to give up."""
    items = item_list(ctx, 0)
    for i in range(count):
        corners, edges = load64(items, 4 * i + 1), load64(items, 4 * i + 2)
        solved = corners == SOLVED_CORNERS and edges == SOLVED_EDGES
        if solved and record_solution(ctx, i):
            return 1
    return 0


@inner(ints(3))
def search_list(ctx: int, rest: int, count: int) -> int:
    """Search from items with a number of remaining turns; return 1 to give up."""
    base = address(ctx, layout.BASE)
    first, below = np.int64(0), rest - 1
    while first < count:
        last = min(first + layout.TOGETHER, count)
        if below > base + 2:
            kept = all_children(ctx, below, first, last)
        elif below >= base:
            kept = candidates(ctx, below, first, last)
            kept = without_far_inverses(ctx, below, kept)
        else:
            kept = near_children(ctx, below, first, last)
        if below == 0:
            if record_solved(ctx, kept):
                return 1
        elif kept > 0 and search_list(ctx, below, kept):
            return 1
        first = last
    return load64(address(ctx, layout.SHARED), layout.STOP)


@entry(ints(1))
def prove(ctx: int) -> int:
    """Search from each root for solutions of exactly the context's number of turns.

    Several threads may run this on contexts with a common shared array; each takes the next root
    that no other has taken. Returns 1 when it was stopped, 0 at the end.
    """
    shared, roots = address(ctx, layout.SHARED), address(ctx, layout.ROOTS)
    rest, one = load64(ctx, layout.REST), np.int64(1)
    number = atomic_add(shared, layout.NEXT, 1)
    while number < load64(ctx, layout.ROOT_COUNT):
        root = roots + number * layout.ITEM_BYTES
        write_item(
            item_list(ctx, rest), 0, load64(root, 0), load64(root, 1), load64(root, 2), number
        )
        store64(ctx, layout.FIRST_TURNS, load64(root, 3))
        store64(ctx, layout.POSITION, number)
        if search_list(ctx, rest, one):
            return 1
        number = atomic_add(shared, layout.NEXT, 1)
    return 0
