"""Where the compiled searches start: six directions, what symmetry spares, premoves."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from numba import njit

from solver.kernels.memory import (
    load8,
    load16,
    load32,
    load64,
    store8,
    store64,
)
from solver.kernels.slots import (
    ALLOWED,
    FLIP_SLICES,
    FRAME_TURNS,
    NO_TURN,
    PHASE_ONE,
    PHASE_ONE_ROW,
    PREMOVE_ROWS,
    PREMOVES,
    ROOT,
    ROOT_CACHE,
    ROTATIONS,
    ROWS,
    SELVES,
    SLICE_NUMBERS,
    SYMMETRY_ROWS,
    TWIST_CONJUGATES,
)


@njit("void(int64, int64, int64)", nogil=True, cache=True)
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


@njit("void(int64)", nogil=True, cache=True)
def prepare(ctx: int) -> None:
    """From the first of the six rows make the others: three axes, then their inverses."""
    rows, root = load64(ctx, ROWS), load64(ctx, ROOT)
    for axis in range(1, 3):
        rotation = load64(ctx, ROTATIONS) + axis * 80
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


@njit("int64(int64, int64, int64)", nogil=True, cache=True)
def symmetries_between(ctx: int, row: int, other: int) -> int:
    """Those of the sixteen symmetries, as bits, that turn one cube (not mirrored) into another."""
    found = 0
    for symmetry in range(16):
        by = load64(ctx, SYMMETRY_ROWS) + symmetry * 80
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


@njit("void(int64)", nogil=True, cache=True)
def find_symmetries(ctx: int) -> None:
    """Find the directions worth searching: of those alike by a symmetry, the first."""
    rows, selves = load64(ctx, ROWS), load64(ctx, SELVES)
    for direction in range(6):
        row = rows + direction * 40
        own = symmetries_between(ctx, row, row)
        for earlier in range(direction):
            if symmetries_between(ctx, rows + earlier * 40, row) != 0:
                own = 0
                break
        store64(selves, direction, own)


@njit("int64(int64, int64)", nogil=True, cache=True)
def premove_is_first(ctx: int, number: int) -> int:
    """Whether no symmetry of the cube turns these premoves into others that stand before them."""
    own = load64(load64(ctx, SELVES), number % 6)
    if own <= 1:
        return own
    word = load32(load64(ctx, PREMOVES), number // 6)
    length = word & 7
    for symmetry in range(1, 16):
        if not own >> symmetry & 1:
            continue
        last, difference = NO_TURN, 0
        for i in range(length):
            turn = word >> (8 + 5 * i) & 31
            other = load8(load64(ctx, FRAME_TURNS), symmetry * 18 + turn)
            if i == 0:
                other = other // 3 * 3
            if not load32(load64(ctx, ALLOWED), last) >> other & 1:
                difference = 1
                break
            last = other
            if difference == 0:
                difference = other - turn
        if difference < 0:
            return 0
    return 1


@njit("int64(int64, int64)", nogil=True, cache=True)
def first_turns(ctx: int, number: int) -> int:
    """The turns to start phase one with: of those alike by a symmetry, the first."""
    every = load32(load64(ctx, ALLOWED), NO_TURN)
    own = load64(load64(ctx, SELVES), number % 6)
    if own == 1 or number >= 6:
        return every
    turns = 0
    for turn in range(18):
        first = True
        for symmetry in range(1, 16):
            if own >> symmetry & 1:
                first &= load8(load64(ctx, FRAME_TURNS), symmetry * 18 + turn) >= turn
        turns |= first << turn
    return turns & every


@njit("int64(int64, int64)", nogil=True, cache=True)
def root_node(ctx: int, number: int) -> int:
    """The phase-one node of root ``6 * premove + direction``.

    Packed as twist | symmetry << 12 | grade << 16 | class << 18 | 1 << 40.
    """
    cache = load64(ctx, ROOT_CACHE)
    node = load64(cache, number)
    if node != 0:
        return node
    first = load64(ctx, PREMOVE_ROWS) + number // 6 * 40
    second = load64(ctx, ROWS) + number % 6 * 40
    twist, flip, mask = 0, 0, 0
    for i in range(7):
        twist = twist * 3 + (load8(first, 8 + load8(second, i)) + load8(second, 8 + i)) % 3
    for i in range(12):
        place = load8(second, 16 + i)
        mask |= (load8(first, 16 + place) >> 3) << i
        if i < 11:
            flip = flip << 1 | (load8(first, 28 + place) ^ load8(second, 28 + i))
    entry = load32(load64(ctx, FLIP_SLICES), load16(load64(ctx, SLICE_NUMBERS), mask) * 2048 + flip)
    twist = load16(load64(ctx, TWIST_CONJUGATES), twist * 16 + (entry & 15))
    grade = load8(load64(ctx, PHASE_ONE), (entry >> 4) * PHASE_ONE_ROW + (twist >> 2))
    grade = grade >> ((twist & 3) << 1) & 3
    node = twist | (entry & 15) << 12 | grade << 16 | (entry >> 4) << 18 | 1 << 40
    store64(cache, number, node)
    return node
