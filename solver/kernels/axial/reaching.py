"""The last turns of phase one: from items near G2 to all paths into it, with phase two after them.

States near G2 are stored with their distance, all cheapest paths into it, and the turns that remain
possible with one more unit of cost, see `solver.kernels.building.axial_near`.
"""
# ruff: noqa: PLR0917 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from solver.kernels import packed, slots
from solver.kernels.axial.costs import cost_of
from solver.kernels.axial.phase_two import propose, write_quarters
from solver.kernels.blocks import at_root
from solver.kernels.clock import count_nodes
from solver.kernels.compiled import inlined, inner, ints
from solver.kernels.lookups import corner_number, place_of, seen_corners
from solver.kernels.memory import (
    address,
    load8,
    load16,
    load32,
    load64,
    lowest_bit,
    prefetch,
    store8,
    store64,
)
from solver.kernels.slots import AXIAL_TURNS, NO_AXIS, PERMUTATIONS, TWISTS

EVERY_TURN = (1 << AXIAL_TURNS) - 1


@inlined
def turned(ctx: int, cls: int, twist: int, frame: int) -> tuple[int, int, int]:
    """Return class and twist after a turn in the frame, and the symmetry to the new frame."""
    entry = load32(address(ctx, slots.CLASS_MOVES), cls * AXIAL_TURNS + frame)
    there, by = packed.unpack_entry(entry)
    moved = load16(address(ctx, slots.TWIST_MOVES), twist * AXIAL_TURNS + frame)
    moved = load16(address(ctx, slots.TWIST_CONJUGATES), moved * 16 + by)
    return there, moved, by


@inlined
def place_near(ctx: int, cls: int, twist: int) -> int:
    """Return the place of a state near G2 in the hash, or -1 if it is farther."""
    return place_of(address(ctx, slots.NEAR_KEYS), slots.HASH_BITS, cls * TWISTS + twist)


@inlined
def fetch_near(ctx: int, cls: int, twist: int) -> None:
    """Prefetch the memory that `place_near` will read, and the value there."""
    slot = packed.hash_slot(cls * TWISTS + twist, slots.HASH_BITS)
    prefetch(address(ctx, slots.NEAR_KEYS) + slot * 4)
    prefetch(address(ctx, slots.NEAR_VALUES) + slot * 4)


@inlined
def make_item(ctx: int, at: int, child: int, origin: int) -> None:
    """Write the item of a child whose parent is another one."""
    items = address(ctx, slots.ITEMS)
    twist, by, turn, cls = packed.unpack_child(child)
    _, symmetry, _, side, _ = packed.unpack_item(load64(items, 2 * origin))
    corners, _ = packed.unpack_origin(load64(items, 2 * origin + 1))
    symmetry = load8(address(ctx, slots.SYMMETRY_PRODUCTS), by * 16 + symmetry)
    corners = packed.product(corners, load32(address(ctx, slots.AXIAL_TURNED_CORNERS), turn))
    store64(items, 2 * at, packed.pack_item(twist, symmetry, turn, side, cls))
    store64(items, 2 * at + 1, packed.pack_origin(corners, origin))


@inlined
def write_turn(ctx: int, place: int, turn: int) -> int:
    """Write the single turns of an axial one to the path; return the next place."""
    axis, first, second = packed.unpack_axial_turn(turn)
    place = write_quarters(ctx, place, axis, first)
    return write_quarters(ctx, place, axis + 3, second)


@inlined
def write_way(ctx: int, item: int) -> int:
    """Write the turns to an item, and enter its root; return the number of single turns."""
    items, back, count = address(ctx, slots.ITEMS), address(ctx, slots.AXIAL_PATH), 0
    _, _, turn, _, _ = packed.unpack_item(load64(items, 2 * item))
    _, origin = packed.unpack_origin(load64(items, 2 * item + 1))
    while turn < AXIAL_TURNS:
        store8(back, count, turn)
        count += 1
        _, _, turn, _, _ = packed.unpack_item(load64(items, 2 * origin))
        _, origin = packed.unpack_origin(load64(items, 2 * origin + 1))
    place = 0
    while count > 0:
        count -= 1
        place = write_turn(ctx, place, load8(back, count))
    at_root(ctx, origin)
    return place


@inlined
def seen_axis(ctx: int, symmetry: int, axis: int) -> int:
    """Return an axis of the raw cube, or none, in the frame of a symmetry."""
    if axis == NO_AXIS:
        return axis
    return load8(address(ctx, slots.FRAME_TURNS), symmetry * AXIAL_TURNS + 15 * axis) // 15


@inlined
def turn_of(ctx: int, item: int) -> int:
    """Return the turn that led to an item."""
    _, _, turn, _, _ = packed.unpack_item(load64(address(ctx, slots.ITEMS), 2 * item))
    return turn


@inner(ints(6))
def complete(ctx: int, item: int, ending: int, corners: int, symmetry: int, togo: int) -> int:
    """Complete a path with an ending, into G2 and from there to the end; return 1 to give up.

    The corners are those after the ending, in the frame of the symmetry.
    """
    place = write_way(ctx, item)
    raw_turns = address(ctx, slots.RAW_TURNS) + symmetry * AXIAL_TURNS
    turn = turn_of(ctx, item)
    while togo > 0:
        turn, ending = packed.unpack_ending(ending)
        turn = load8(raw_turns, turn)
        togo -= cost_of(ctx, turn)
        place = write_turn(ctx, place, turn)
    raw = seen_corners(ctx, corners, 2 * symmetry + 1, 2 * symmetry)
    return propose(ctx, raw, turn, place)


@inlined
def within_bounds(ctx: int, corners: int, last: int, side: int) -> int:
    """Return whether the corners alone, as seen from the axes, allow a short enough phase two."""
    bounds = address(ctx, slots.CORNER_BOUNDS) + (last * 3 + side) * PERMUTATIONS
    return load8(bounds, corner_number(ctx, corners)) <= load64(ctx, slots.MOST)


@inner(ints(4))
def follow_endings(ctx: int, item: int, at: int, togo: int) -> int:
    """Complete a path with all stored endings that start on another axis; return 1 to give up."""
    items = address(ctx, slots.ITEMS)
    _, symmetry, turn, side, _ = packed.unpack_item(load64(items, 2 * item))
    corners, _ = packed.unpack_origin(load64(items, 2 * item + 1))
    corners = seen_corners(ctx, corners, 2 * symmetry, 2 * symmetry + 1)
    axis, side = seen_axis(ctx, symmetry, turn // 15), seen_axis(ctx, symmetry, side)
    while True:
        head = load32(address(ctx, slots.ENDING_HEADS), at)
        after, first, last = packed.unpack_ending_head(head)
        if first != axis:
            end = packed.product(corners, after)
            if within_bounds(ctx, end, last, side):
                ending = load64(address(ctx, slots.ENDINGS), at)
                if complete(ctx, item, ending, end, symmetry, togo):
                    return 1
        if head >> 31:
            return 0
        at += 1


@inlined
def end_here(ctx: int, item: int) -> int:
    """Complete a path that is in G2; return 1 to give up."""
    items = address(ctx, slots.ITEMS)
    _, _, turn, side, _ = packed.unpack_item(load64(items, 2 * item))
    corners, _ = packed.unpack_origin(load64(items, 2 * item + 1))
    if turn < AXIAL_TURNS and not packed.enters_g2(turn):
        return 0
    last = turn // 15 if turn < AXIAL_TURNS else 0
    if not within_bounds(ctx, corners, last, side):
        return 0
    place = write_way(ctx, item)
    return propose(ctx, corners, turn, place)


@inlined
def sort_out(ctx: int, first: int, count: int, togo: int) -> tuple[int, int]:
    """List the items that are exactly as far from G2 as the remaining cost, and those nearer.

    The former are at the beginning of the children's memory, with their endings, the latter at its
    end.
    """
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    back = address(ctx, slots.RETURN)
    there, nearer = 0, 0
    for number in range(first, first + count):
        twist, _, _, _, cls = packed.unpack_item(load64(items, 2 * number))
        place = place_near(ctx, cls, twist)
        if place < 0:
            continue
        value = load32(address(ctx, slots.NEAR_VALUES), place)
        distance, at = packed.unpack_near(value)
        if distance == togo:
            prefetch(address(ctx, slots.ENDING_HEADS) + at * 4)
            store64(children, there, number | at << 32)
            there += 1
        elif distance < togo and distance + togo >= back:
            prefetch(address(ctx, slots.NEAR_TURNS) + place * 8)
            nearer += 1
            store64(children, 2 * slots.MOST_CHILDREN - nearer, number)
    return there, nearer


@inlined
def wander(ctx: int, first: int, some: int, togo: int, cost: int, free: int) -> int:
    """Make items of the children over turns of a cost, of nearer items; return their number.

    A state with one spare unit of cost is left only by turns that keep it as near.
    """
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    written = 0
    for number in range(first, first + some):
        twist, symmetry, last, _, cls = packed.unpack_item(load64(items, 2 * number))
        place = place_near(ctx, cls, twist)
        distance, _ = packed.unpack_near(load32(address(ctx, slots.NEAR_VALUES), place))
        turns = EVERY_TURN
        if togo - distance == 1:
            turns = load64(address(ctx, slots.NEAR_TURNS), place)
        raw_turns = address(ctx, slots.RAW_TURNS) + symmetry * AXIAL_TURNS
        while turns != 0:
            frame = lowest_bit(turns)
            turns &= turns - 1
            turn = load8(raw_turns, frame)
            if turn // 15 != last // 15 and cost_of(ctx, turn) == cost:
                there, moved, by = turned(ctx, cls, twist, frame)
                store64(children, 2 * written, packed.pack_child(moved, by, turn, there))
                store64(children, 2 * written + 1, number)
                written += 1
                fetch_near(ctx, there, moved)
    for i in range(written):
        make_item(ctx, free + i, load64(children, 2 * i), load64(children, 2 * i + 1))
    return written


@inlined
def where_begun(ctx: int, togo: int) -> int:
    """Return the address of the starts of the items for each cost, after items with togo left."""
    return address(ctx, slots.STACK) + togo * (8 * slots.COST_LIMIT)


@inner(ints(4))
def reach(ctx: int, first: int, count: int, togo: int) -> int:
    """Follow every path of exactly the cost togo, within the radius; return 1 to give up."""
    items, children = address(ctx, slots.ITEMS), address(ctx, slots.CHILDREN)
    there, nearer = sort_out(ctx, first, count, togo)
    for i in range(there):
        word = load64(children, i)
        item, at = word & 0xFFFFFFFF, word >> 32
        if togo == 0:
            if end_here(ctx, item):
                return 1
        elif follow_endings(ctx, item, at, togo):
            return 1
    for i in range(nearer):
        number = load64(children, 2 * slots.MOST_CHILDREN - 1 - i)
        store64(items, 2 * (first + i), load64(items, 2 * number))
        store64(items, 2 * (first + i) + 1, load64(items, 2 * number + 1))
    begun, dearest = where_begun(ctx, togo), min(togo, address(ctx, slots.DEAREST))
    beyond, last = first + count, first + nearer
    while first < last:
        some, free = min(last - first, slots.TOGETHER_EXPANDED), beyond
        if count_nodes(ctx, some):
            return 1
        for cost in range(1, dearest + 1):
            store64(begun, cost, free)
            free += wander(ctx, first, some, togo, cost, free)
        for i in range(dearest):
            begin, rest = load64(begun, dearest - i), togo - (dearest - i)
            made, free = free - begin, begin
            if made > 0 and reach(ctx, begin, made, rest):
                return 1
        first += some
    return 0
