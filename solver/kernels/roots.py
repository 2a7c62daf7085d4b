"""Where the compiled searches start: six directions, what symmetry spares, premoves."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from typing import NamedTuple

from solver.kernels import packed, slots
from solver.kernels.arrays import record as record_of
from solver.kernels.clock import count_node
from solver.kernels.compiled import compiled, entry, inlined, ints
from solver.kernels.lookups import phase_one_grade, rank_bytes, rank_four
from solver.kernels.memory import (
    address,
    atomic_add,
    load8,
    load16,
    load32,
    load64,
    store8,
    store64,
)

ROW = 40
"""Bytes of a cube: corners, twists, edges, flips."""
DONE, STOPPED = -1, -2


class Node(NamedTuple):
    """Where a search stands in phase one, as the recursive searches hand it on.

    Attributes:
        cls: Class of its flips and slice.
        twist: Its twists in the class's frame.
        symmetry: Leads from the raw cube to that frame.
        corners: Permutation of the raw cube's corners.
        slices: Places and order of the raw cube's slice edges.
    """

    cls: int
    twist: int
    symmetry: int
    corners: int
    slices: int


NODE = record_of(Node)


@inlined
def row_product(first: int, second: int, out: int) -> None:
    """The product of two cubes of forty bytes at addresses."""
    for i in range(8):
        place = load8(second, i)
        store8(out, i, load8(first, place))
        store8(out, 8 + i, (load8(first, 8 + place) + load8(second, 8 + i)) % 3)
    for i in range(12):
        place = load8(second, 16 + i)
        store8(out, 16 + i, load8(first, 16 + place))
        store8(out, 28 + i, load8(first, 28 + place) ^ load8(second, 28 + i))


@entry(ints(1, "void"))
def prepare(ctx: int) -> None:
    """From the first of the six rows make the others: three axes, then their inverses."""
    rows, root = address(ctx, slots.ROWS), address(ctx, slots.ROOT)
    for axis in range(1, 3):
        rotation = address(ctx, slots.ROTATIONS) + axis * 80
        row_product(rotation, rows, root)
        row_product(root, rotation + 40, rows + axis * 40)
    for axis in range(3):
        row, back = rows + axis * 40, rows + (axis + 3) * 40
        for i in range(8):
            piece = load8(row, i)
            store8(back, piece, i)
            store8(back, 8 + piece, (3 - load8(row, 8 + i)) % 3)
        for i in range(12):
            piece = load8(row, 16 + i)
            store8(back, 16 + piece, i)
            store8(back, 28 + piece, load8(row, 28 + i))


@compiled(ints(3))
def symmetries_between(ctx: int, row: int, other: int) -> int:
    """Those of the sixteen symmetries, as bits, that turn one cube (not mirrored) into another."""
    found = 0
    for symmetry in range(16):
        by = address(ctx, slots.SYMMETRY_ROWS) + symmetry * 80
        back = by + 40
        same = True
        for i in range(12):
            place = load8(back, 16 + i)
            piece = load8(by, 16 + load8(row, 16 + place))
            if piece != load8(other, 16 + i):
                same = False
                break
            flip = load8(by, 28 + load8(row, 16 + place)) ^ load8(row, 28 + place)
            if flip ^ load8(back, 28 + i) != load8(other, 28 + i):
                same = False
                break
        if not same:
            continue
        for i in range(8):
            place = load8(back, i)
            piece = load8(row, place)
            if load8(by, piece) != load8(other, i):
                same = False
                break
            # twists of a mirrored corner run backwards, and by and back cancel otherwise
            twist = load8(row, 8 + place)
            if load8(by, 8) >= 3:
                twist = (3 - twist) % 3
            if twist != load8(other, 8 + i):
                same = False
                break
        if same:
            found |= 1 << symmetry
    return found


@entry(ints(1, "void"))
def find_symmetries(ctx: int) -> None:
    """Find the directions worth searching: of those alike by a symmetry, the first."""
    rows, selves = address(ctx, slots.ROWS), address(ctx, slots.SELVES)
    for direction in range(6):
        row = rows + direction * 40
        own = symmetries_between(ctx, row, row)
        for earlier in range(direction):
            if symmetries_between(ctx, rows + earlier * 40, row) != 0:
                own = 0
                break
        store64(selves, direction, own)


@inlined
def root_node(ctx: int, number: int) -> int:
    """The phase-one node of root ``6 * premove + direction``, packed."""
    known = address(ctx, slots.ROOT_CACHE)
    node = load64(known, number)
    if node != 0:
        return node
    first = address(ctx, slots.PREMOVE_ROWS) + number // 6 * ROW
    second = address(ctx, slots.ROWS) + number % 6 * ROW
    twist, flip, mask = 0, 0, 0
    for i in range(7):
        twist = twist * 3 + (load8(first, 8 + load8(second, i)) + load8(second, 8 + i)) % 3
    for i in range(12):
        place = load8(second, 16 + i)
        mask |= (load8(first, 16 + place) >> 3) << i
        if i < 11:
            flip = flip << 1 | (load8(first, 28 + place) ^ load8(second, 28 + i))
    slices = load16(address(ctx, slots.SLICE_NUMBERS), mask)
    entry = load32(address(ctx, slots.FLIP_SLICES), slices * 2048 + flip)
    cls, symmetry = packed.unpack_entry(entry)
    twist = load16(address(ctx, slots.TWIST_CONJUGATES), twist * 16 + symmetry)
    node = packed.pack_node(twist, symmetry, phase_one_grade(ctx, cls, twist), cls)
    store64(known, number, node)
    return node


@inlined
def root_pieces(ctx: int, number: int) -> tuple[int, int]:
    """Write the cube of a root; permutation of its corners, places and order of its slice edges."""
    root, inside = address(ctx, slots.ROOT), address(ctx, slots.PATH)
    premoves = address(ctx, slots.PREMOVE_ROWS) + number // 6 * ROW
    row_product(premoves, address(ctx, slots.ROWS) + number % 6 * ROW, root)
    mask, places = 0, 0
    for i in range(12):
        piece = load8(root, 16 + i)
        if piece >= 8:
            mask |= 1 << i
            store8(inside, places, piece)
            places += 1
    order = rank_four(inside, 0, 1)
    slices = load16(address(ctx, slots.SLICE_NUMBERS), mask) * 24 + order
    return rank_bytes(root, 0, 8), slices


@inlined
def enter_level(ctx: int, spent: int) -> None:
    """Note what is spent on premoves and phase one, and how much is left."""
    shared, unit = address(ctx, slots.SHARED), load64(ctx, slots.UNIT)
    most, cap = (load64(shared, slots.BEST) - 1) // unit - spent, load64(shared, slots.CAP)
    if most > cap:
        most = cap
        if (cap + 1 + spent) * unit < load64(shared, slots.CAPPED):
            store64(shared, slots.CAPPED, (cap + 1 + spent) * unit)
    store64(ctx, slots.MOST, most)
    store64(ctx, slots.SPENT, spent)


@inlined
def enter_root(ctx: int, number: int, spent: int) -> None:
    """Note the root that is searched, what is spent on premoves and phase one, and what is left."""
    enter_level(ctx, spent)
    store64(ctx, slots.PREMOVE, number // 6)
    store64(ctx, slots.DIRECTION, number % 6)


@inlined
def next_root(ctx: int) -> int:
    """The next root that no thread has taken, at the context's level; or DONE or STOPPED."""
    return next_task(ctx, False)


@inlined
def tasks_of(premoves: int, blocks: bool) -> int:
    """How many tasks so many premove sequences are: roots one by one, or in blocks."""
    if not blocks:
        return 6 * premoves
    if premoves <= slots.ALONE:
        return premoves
    return slots.ALONE + (premoves - slots.ALONE + slots.BLOCK - 1) // slots.BLOCK


@inlined
def next_task(ctx: int, blocks: bool) -> int:
    """The next task that no thread has taken, at the context's level; or DONE or STOPPED.

    The search is done when no root of a higher level can lead to a better solution.
    """
    shared, unit, levels = (
        address(ctx, slots.SHARED),
        load64(ctx, slots.UNIT),
        address(ctx, slots.LEVELS),
    )
    level, before = load64(ctx, slots.LEVEL), load64(ctx, slots.BEFORE)
    task = atomic_add(shared, slots.TASK + load64(ctx, slots.PASS), 1)
    while task - before >= tasks_of(load64(levels, level), blocks):
        before += tasks_of(load64(levels, level), blocks)
        level += 1
        if level * unit >= load64(shared, slots.BEST) or level == slots.MOST_LEVELS - 1:
            return DONE
    store64(ctx, slots.LEVEL, level)
    store64(ctx, slots.BEFORE, before)
    store64(ctx, slots.SPENT, level)
    if load64(shared, slots.STOP) != 0:
        return STOPPED
    if level * unit >= load64(shared, slots.BEST):
        return DONE
    if count_node(ctx):
        return STOPPED if load64(shared, slots.STOP) != 0 else DONE
    return task - before


@inlined
def record(ctx: int, total: int, length: int) -> None:
    """Keep the path's first turns if they are the best solution of all threads."""
    shared = address(ctx, slots.SHARED)
    while atomic_add(shared, slots.LOCK, 1) != 0:
        atomic_add(shared, slots.LOCK, -1)
    if total < load64(shared, slots.BEST):
        store64(shared, slots.BEST, total)
        for i in range(length):
            store64(shared, slots.FOUND_TURNS + i, load8(address(ctx, slots.PATH), i))
        store64(shared, slots.FOUND_LENGTH, length)
        store64(shared, slots.FOUND_DIRECTION, load64(ctx, slots.DIRECTION))
        store64(shared, slots.FOUND, load64(shared, slots.FOUND) + 1)
    atomic_add(shared, slots.LOCK, -1)
    most = (load64(shared, slots.BEST) - 1) // load64(ctx, slots.UNIT) - load64(ctx, slots.SPENT)
    if most < load64(ctx, slots.MOST):
        store64(ctx, slots.MOST, most)
