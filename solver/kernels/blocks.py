"""The starts of searches: blocks of roots, whose nodes are computed together."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from solver.kernels import packed, slots
from solver.kernels.compiled import inlined
from solver.kernels.lookups import phase_one_grade
from solver.kernels.memory import address, load16, load32, load64, prefetch, store64
from solver.kernels.roots import ROW, row_product


@inlined
def edges_at(table: int, pieces: int) -> int:
    """Return the positions of a set of edges."""
    low, middle = load64(table, pieces & 15), load64(table, 16 + (pieces >> 4 & 15))
    return low | middle | load64(table, 32 + (pieces >> 8))


@inlined
def corners_at(table: int, pieces: int) -> int:
    """Return the positions of a set of corners."""
    return load64(table, slots.CORNERS + (pieces & 15)) | load64(
        table, slots.CORNERS + 16 + (pieces >> 4)
    )


@inlined
def raw_node(ctx: int, number: int) -> tuple[int, int]:
    """Return flips and slice, and twist, of root ``6 * premove + direction``."""
    tables = address(ctx, slots.DIRECTION_TABLES)
    table = tables + number % 6 * (8 * slots.DIRECTION_SIZE)
    word = load64(address(ctx, slots.PREMOVE_PIECES), number // 6)
    once, twice, flipped, slices, _ = packed.unpack_premove_pieces(word)
    flip = (edges_at(table, flipped) ^ load64(table, slots.FLIPS)) & 2047
    slices = load16(address(ctx, slots.SLICE_NUMBERS), edges_at(table, slices) >> 11)
    once, twice = corners_at(table, once), corners_at(table, twice)
    here, back = load64(table, slots.TWISTED), load64(table, slots.BACK)
    still, stays = ~(once | twice), ~(here | back)
    sum_one = once & stays | here & still | twice & back
    sum_two = twice & stays | back & still | once & here
    ones = load64(tables, slots.WEIGHTS + (sum_one & 127))
    twos = load64(tables, slots.WEIGHTS + (sum_two & 127))
    return slices * 2048 + flip, ones + 2 * twos


@inlined
def find_nodes(ctx: int, first: int, last: int) -> None:
    """Compute the nodes of roots first to last - 1 into the root cache.

    In three passes, so that the memory accesses overlap.
    """
    known, children = address(ctx, slots.ROOT_CACHE), address(ctx, slots.CHILDREN)
    count = 0
    for number in range(first, last):
        if load64(known, number) == 0:
            flip_slice, twist = raw_node(ctx, number)
            prefetch(address(ctx, slots.FLIP_SLICES) + flip_slice * 4)
            store64(children, 2 * count, number | twist << 32)
            store64(children, 2 * count + 1, flip_slice)
            count += 1
    for i in range(count):
        twist = load64(children, 2 * i) >> 32
        entry = load32(address(ctx, slots.FLIP_SLICES), load64(children, 2 * i + 1))
        cls, symmetry = packed.unpack_entry(entry)
        twist = load16(address(ctx, slots.TWIST_CONJUGATES), twist * 16 + symmetry)
        prefetch(address(ctx, slots.PHASE_ONE) + cls * slots.PHASE_ONE_ROW + (twist >> 2))
        store64(children, 2 * i + 1, packed.pack_node(twist, symmetry, 0, cls))
    for i in range(count):
        number, node = load64(children, 2 * i) & 0xFFFFFFFF, load64(children, 2 * i + 1)
        twist, symmetry, _, cls = packed.unpack_node(node)
        node = packed.pack_node(twist, symmetry, phase_one_grade(ctx, cls, twist), cls)
        store64(known, number, node)


@inlined
def root_corners(ctx: int, number: int) -> int:
    """Return the packed corners of a root."""
    table = address(ctx, slots.DIRECTION_TABLES) + number % 6 * (8 * slots.DIRECTION_SIZE)
    word = load64(address(ctx, slots.PREMOVE_PIECES), number // 6)
    return packed.product(packed.unpack_premove_pieces(word)[4], load64(table, slots.PACKED))


@inlined
def at_root(ctx: int, number: int) -> None:
    """Compute a root's cube, and note its premoves and direction."""
    if load64(ctx, slots.ROOT_NUMBER) == number:
        return
    premoves = address(ctx, slots.PREMOVE_ROWS) + number // 6 * ROW
    row_product(premoves, address(ctx, slots.ROWS) + number % 6 * ROW, address(ctx, slots.ROOT))
    store64(ctx, slots.ROOT_NUMBER, number)
    store64(ctx, slots.PREMOVE, number // 6)
    store64(ctx, slots.DIRECTION, number % 6)
