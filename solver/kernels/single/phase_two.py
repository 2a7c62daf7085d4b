"""Compiled phase two: from a path into G2 to the end, in four variants; keeps the best.

Paths wait as *candidates* until there are several, so that their look-ups overlap.
"""
# ruff: noqa: PLR0917 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

from solver.kernels import packed, slots
from solver.kernels.blocks import at_root
from solver.kernels.clock import count_node
from solver.kernels.compiled import inlined, inner, ints
from solver.kernels.lookups import (
    allowed_after,
    copy_path,
    corner_number,
    corner_slice_distance,
    edge_rank,
    fetch_pair,
    fetch_pair_distance,
    pair_distance,
    read_path,
    renamed_slices,
    slice_order,
    turned_by,
    turned_corners,
    turned_edges,
    turned_slices,
    write_path,
)
from solver.kernels.memory import address, load32, load64, lowest_bit, prefetch, store64
from solver.kernels.roots import record
from solver.kernels.slots import AFTER_FACE, NO_TURN, SIDE_HALVES

WORDS = 4
"""Maximum number of words of a phase-one path."""
CANDIDATE = 8 * (WORDS + 2)
"""Bytes of a candidate: its path, `packed.pack_candidate`, its edges."""


@inner(ints(7))
def finish(
    ctx: int, corners: int, edges: int, slices: int, last: int, togo: int, depth: int
) -> int:
    """Search phase two in exactly togo turns, from depth; return 1 if done, 2 to give up."""
    if togo == 0:
        return 1
    if count_node(ctx):
        return 2
    rest, below = togo - 1, depth + 1
    turns = allowed_after(ctx, last) & slots.PHASE_TWO_TURNS
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        new_corners = turned_corners(ctx, corners, turn)
        new_slices = turned_slices(ctx, slices, turn)
        if corner_slice_distance(ctx, new_corners, new_slices) > rest:
            continue
        new_edges = turned_edges(ctx, edges, turn)
        if pair_distance(ctx, new_corners, new_edges) > rest:
            continue
        write_path(ctx, depth, turn)
        result = finish(ctx, new_corners, new_edges, new_slices, turn, rest, below)
        if result != 0:
            return result
    return 0


@inlined
def add_premoves(ctx: int, premove: int, other: int, length: int) -> int:
    """Append the premoves to the path, optionally with the first one inverted."""
    for i in range(packed.unpack_premove(premove)[0]):
        turn = packed.premove_turn(premove, i)
        if other and i == 0:
            turn += 2  # the clockwise turn is replaced by its inverse
        write_path(ctx, length, turn)
        length += 1
    return length


@inlined
def end(
    ctx: int, corners: int, edges: int, slices: int, last: int, least: int, renamed: int
) -> int:
    """Search the shortest phase two of a candidate, if short enough; return 1 to give up."""
    length = load64(ctx, slots.LENGTH)
    while least <= load64(ctx, slots.MOST):
        result = finish(ctx, corners, edges, slices, last, least, length)
        if result == 2:
            return 1
        if result == 1:
            premove = load32(address(ctx, slots.PREMOVES), load64(ctx, slots.PREMOVE))
            total = load64(ctx, slots.SPENT) + least
            record(ctx, total, add_premoves(ctx, premove, renamed, length + least))
            break
        least += 1
    return load64(ctx, slots.MOST) < 0


@inner(ints(1))
def settle(ctx: int) -> int:
    """Try phase two after the waiting candidates, and keep the best; return 1 to give up.

    In three passes, so that the memory accesses overlap.
    """
    candidates, path = address(ctx, slots.CANDIDATES), address(ctx, slots.PATH)
    waiting, length = load64(ctx, slots.WAITING), load64(ctx, slots.LENGTH)
    store64(ctx, slots.WAITING, 0)
    own = candidates + slots.MOST_CANDIDATES * CANDIDATE
    copy_path(path, own, WORDS)
    count = 0
    for i in range(waiting):
        candidate, kept = candidates + i * CANDIDATE, candidates + count * CANDIDATE
        corners, slices, renamed, root = packed.unpack_candidate(load64(candidate, WORDS))
        least = corner_slice_distance(ctx, corners, slices)
        if least > load64(ctx, slots.MOST):
            continue
        copy_path(candidate, path, WORDS)
        at_root(ctx, root)
        _, side = packed.unpack_premove(
            load32(address(ctx, slots.PREMOVES), load64(ctx, slots.PREMOVE))
        )
        edges = edge_rank(ctx, slots.SIDE_FACES >> (6 * side) & 63 if renamed else 0)
        fetch_pair(ctx, corners, edges)
        store64(kept, WORDS, load64(candidate, WORDS))
        store64(kept, WORDS + 1, edges)
        copy_path(path, kept, WORDS)
        count += 1
    for i in range(count):
        kept = candidates + i * CANDIDATE
        corners, _, _, _ = packed.unpack_candidate(load64(kept, WORDS))
        fetch_pair_distance(ctx, corners, load64(kept, WORDS + 1))
    result = 0
    for i in range(count):
        kept = candidates + i * CANDIDATE
        corners, slices, renamed, root = packed.unpack_candidate(load64(kept, WORDS))
        edges = load64(kept, WORDS + 1)
        least = max(corner_slice_distance(ctx, corners, slices), pair_distance(ctx, corners, edges))
        if result == 0 and least <= load64(ctx, slots.MOST):
            copy_path(kept, path, WORDS)
            at_root(ctx, root)
            boundary = AFTER_FACE + read_path(ctx, length - 1) // 3 if length > 0 else NO_TURN
            result = end(ctx, corners, edges, slices, boundary, least, renamed)
    copy_path(own, path, WORDS)
    return result


@inner(ints(3))
def propose(ctx: int, corners: int, variants: int) -> int:
    """Queue variants of the path, which is in G2, for phase two; return 1 to give up.

    The corners, packed, are those of the path itself. The last turn X of the path can be replaced
    by X', and the premove Y next to phase two by Y': up to four candidates from one path, bits of
    ``variants``.
    """
    premove = load32(address(ctx, slots.PREMOVES), load64(ctx, slots.PREMOVE))
    _, side = packed.unpack_premove(premove)
    slices, length = slice_order(ctx), load64(ctx, slots.LENGTH)
    last = read_path(ctx, length - 1) if length > 0 else NO_TURN
    face, quarters = packed.unpack_turn(last)
    half = packed.half_turn(last)
    for variant in range(4):
        if not variants >> variant & 1:
            continue
        here, there, turn = corners, slices, last
        if variant & 1:
            turn = packed.pack_turn(face, 4 - quarters)
            here, there = turned_by(ctx, here, half), turned_slices(ctx, there, half)
        if variant & 2:
            names = load32(address(ctx, slots.TURNED_CORNERS), SIDE_HALVES >> 5 * side & 31)
            here, there = packed.product(names, here), renamed_slices(ctx, side, there)
        here = corner_number(ctx, here)
        prefetch(address(ctx, slots.CORNER_SLICE_DISTANCES) + here * 24 + there)
        waiting = load64(ctx, slots.WAITING)
        candidate = address(ctx, slots.CANDIDATES) + waiting * CANDIDATE
        if length > 0:
            write_path(ctx, length - 1, turn)
        copy_path(address(ctx, slots.PATH), candidate, WORDS)
        word = packed.pack_candidate(here, there, variant >> 1, load64(ctx, slots.ROOT_NUMBER))
        store64(candidate, WORDS, word)
        store64(ctx, slots.WAITING, waiting + 1)
    if length > 0:
        write_path(ctx, length - 1, last)
    if load64(ctx, slots.WAITING) > slots.MOST_CANDIDATES - 4:
        return settle(ctx)
    return 0
