"""Compiled phase two in axial turns: sixteen candidates per path, measured by turns or by time.

Paths wait as *candidates* until there are several, so that their look-ups overlap.
"""

from solver.kernels import packed, slots
from solver.kernels.axial.costs import cost_of, half_turns_cost, measure
from solver.kernels.blocks import at_root
from solver.kernels.clock import count_nodes
from solver.kernels.compiled import inlined, inner, ints
from solver.kernels.lookups import (
    copy_path,
    corner_number,
    corner_slice_distance,
    edge_rank,
    fetch_pair,
    fetch_pair_distance,
    pair_distance,
    renamed_slices,
    slice_order,
    turned_corners,
    turned_edges,
    turned_slices,
    write_path,
)
from solver.kernels.memory import address, count_bits, load8, load32, load64, prefetch, store64
from solver.kernels.roots import record
from solver.kernels.slots import AXIAL_TURNS

# ruff: noqa: PLR0917, PLR0912 - compiled functions take arguments by position
# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return,return-value"


WORDS = 8
"""Maximum number of words of a phase-one path."""
CANDIDATE = 8 * (WORDS + 2)
"""Bytes of a candidate: its path, `packed.pack_candidate`, `pack_edges`."""


@inlined
def pack_edges(edges: int, length: int, axis: int) -> int:
    """Pack a candidate's U-D edges, single turns of its path, axis of the last one."""
    return edges | length << 16 | axis << 24


@inlined
def unpack_edges(word: int) -> tuple[int, int, int]:
    """Unpack these three."""
    return word & 0xFFFF, word >> 16 & 0xFF, word >> 24


@inlined
def write_quarters(ctx: int, place: int, face: int, quarters: int) -> int:
    """Write a turn of a face to the path, if there is one; return the next place."""
    if quarters == 0:
        return place
    write_path(ctx, place, packed.pack_turn(face, quarters))
    return place + 1


@inlined
def add_premoves(ctx: int, premove: int, variant: int, length: int) -> int:
    """Append the premoves to the path, after half turns of the first one's faces."""
    for i in range(packed.unpack_premove(premove)[1]):
        axis, first, second = packed.unpack_axial_turn(packed.premove_turn(premove, i))
        halves = variant >> 2 if i == 0 else 0
        length = write_quarters(ctx, length, axis, 2 * (halves & 1))
        length = write_quarters(ctx, length, axis, first)
        length = write_quarters(ctx, length, axis + 3, halves & 2)
        length = write_quarters(ctx, length, axis + 3, second)
    return length


@inlined
def complete(ctx: int, length: int) -> int:
    """Record the path with its premoves; return 1 if others of the same cost are no better."""
    premove = load32(address(ctx, slots.PREMOVES), load64(ctx, slots.PREMOVE))
    whole = add_premoves(ctx, premove, load64(ctx, slots.VARIANT), length)
    record(ctx, measure(ctx, whole), whole)
    return 1 - address(ctx, slots.EVERY)


@inner(ints(7))
def finish(
    ctx: int, corners: int, edges: int, slices: int, axis: int, togo: int, depth: int
) -> int:
    """Search phase two at exactly the cost togo, from depth; return 1 if done, 2 to give up."""
    if togo == 0:
        return complete(ctx, depth)
    if count_nodes(ctx, 1):
        return 2
    for by in range(3):
        if by == axis:
            continue
        step = 1 if by == 0 else 2
        for a in range(0, 4, step):
            first_corners, first_slices, first_edges = corners, slices, edges
            if a != 0:
                turn = packed.pack_turn(by, a)
                first_corners = turned_corners(ctx, corners, turn)
                first_slices = turned_slices(ctx, slices, turn)
                first_edges = turned_edges(ctx, edges, turn)
            for b in range(0, 4, step):
                if a + b == 0:
                    continue
                rest = togo - cost_of(ctx, packed.pack_axial_turn(by, a, b))
                if rest < 0:
                    continue
                new_corners, new_slices, new_edges = first_corners, first_slices, first_edges
                turn = packed.pack_turn(by + 3, b)
                if b != 0:
                    new_corners = turned_corners(ctx, new_corners, turn)
                    new_slices = turned_slices(ctx, new_slices, turn)
                if corner_slice_distance(ctx, new_corners, new_slices) > rest:
                    continue
                if b != 0:
                    new_edges = turned_edges(ctx, new_edges, turn)
                if pair_distance(ctx, new_corners, new_edges) > rest:
                    continue
                place = write_quarters(ctx, depth, by, a)
                place = write_quarters(ctx, place, by + 3, b)
                result = finish(ctx, new_corners, new_edges, new_slices, by, rest, place)
                if result != 0:
                    return result
    return 0


@inlined
def end(ctx: int, candidate: int, least: int) -> int:
    """Search the cheapest phases two of a candidate, if cheap enough; return 1 to give up."""
    corners, slices, variant, extra, _ = packed.unpack_candidate(load64(candidate, WORDS))
    edges, length, axis = unpack_edges(load64(candidate, WORDS + 1))
    store64(ctx, slots.LENGTH, length)
    store64(ctx, slots.VARIANT, variant)
    while least + extra <= load64(ctx, slots.MOST):
        if finish(ctx, corners, edges, slices, axis, least, length) == 2:
            return 1
        least += 1
    return load64(ctx, slots.MOST) < 0


@inner(ints(1))
def settle(ctx: int) -> int:
    """Try phase two after the waiting candidates, and keep the best; return 1 to give up.

    In three passes, so that the memory accesses overlap.
    """
    candidates, path = address(ctx, slots.CANDIDATES), address(ctx, slots.PATH)
    waiting = load64(ctx, slots.WAITING)
    store64(ctx, slots.WAITING, 0)
    count, result = 0, 0
    for i in range(waiting):
        candidate, kept = candidates + i * CANDIDATE, candidates + count * CANDIDATE
        word = load64(candidate, WORDS)
        corners, slices, variant, extra, root = packed.unpack_candidate(word)
        if corner_slice_distance(ctx, corners, slices) + extra > load64(ctx, slots.MOST):
            continue
        _, length, axis = unpack_edges(load64(candidate, WORDS + 1))
        copy_path(candidate, path, WORDS)
        at_root(ctx, root)
        store64(ctx, slots.LENGTH, length)
        side = packed.premove_side(load32(address(ctx, slots.PREMOVES), load64(ctx, slots.PREMOVE)))
        edges = edge_rank(ctx, (variant >> 2 & 1) << side | (variant >> 3) << (side + 3))
        fetch_pair(ctx, corners, edges)
        copy_path(path, kept, WORDS)
        store64(kept, WORDS, word)
        store64(kept, WORDS + 1, pack_edges(edges, length, axis))
        count += 1
    for i in range(count):
        kept = candidates + i * CANDIDATE
        corners, _, _, _, _ = packed.unpack_candidate(load64(kept, WORDS))
        edges, _, _ = unpack_edges(load64(kept, WORDS + 1))
        fetch_pair_distance(ctx, corners, edges)
    for i in range(count):
        kept = candidates + i * CANDIDATE
        corners, slices, _, extra, root = packed.unpack_candidate(load64(kept, WORDS))
        edges, _, _ = unpack_edges(load64(kept, WORDS + 1))
        least = max(corner_slice_distance(ctx, corners, slices), pair_distance(ctx, corners, edges))
        if result == 0 and least + extra <= load64(ctx, slots.MOST):
            copy_path(kept, path, WORDS)
            at_root(ctx, root)
            result = end(ctx, kept, least)
    return result


@inlined
def suggest(ctx: int, number: int, slices: int, variant: int, extra: int, length: int) -> None:
    """Queue the path for phase two."""
    prefetch(address(ctx, slots.CORNER_SLICE_DISTANCES) + number * 24 + slices)
    waiting = load64(ctx, slots.WAITING)
    candidate = address(ctx, slots.CANDIDATES) + waiting * CANDIDATE
    copy_path(address(ctx, slots.PATH), candidate, WORDS)
    root = load64(ctx, slots.ROOT_NUMBER)
    store64(candidate, WORDS, packed.pack_candidate(number, slices, variant, extra, root))
    store64(candidate, WORDS + 1, pack_edges(0, length, load64(ctx, slots.LAST_AXIS)))
    store64(ctx, slots.WAITING, waiting + 1)


@inlined
def with_halves(ctx: int, slices: int, axis: int, after: int, side: int, before: int) -> int:
    """Return the order of the slice edges with half turns after the path and before premoves."""
    for which in range(2):
        if after >> which & 1:
            slices = turned_slices(ctx, slices, packed.pack_turn(axis + 3 * which, 2))
    for which in range(2):
        if before >> which & 1:
            slices = renamed_slices(ctx, side - 1 + 2 * which, slices)
    return slices


@inner(ints(4))
def propose(ctx: int, corners: int, turn: int, length: int) -> int:
    """Queue variants of the path, which is in G2, for phase two; return 1 to give up.

    The last axial turn of the path, and the first of the premoves, can be replaced by any other
    that differs by half turns of its own axis. Variant bits: half turns of the two faces after the
    path (1, 2) and before the premoves (4, 8). Variants whose corners alone are too far from the
    end are excluded before anything else is computed; a half turn brings them nearer by its own
    cost at most.

    Args:
        ctx: The context.
        corners: Those of the path itself, packed.
        turn: Its last axial turn; one more than the last number if it is empty.
        length: Its number of single turns.
    """
    premove = load32(address(ctx, slots.PREMOVES), load64(ctx, slots.PREMOVE))
    entry, other = packed.premove_turn(premove, 0), packed.premove_side(premove)
    axis, some = turn // 15, 4 if turn < AXIAL_TURNS else 1
    store64(ctx, slots.LENGTH, length)
    store64(ctx, slots.LAST_AXIS, axis)
    distances, most, slices = address(ctx, slots.CORNER_DISTANCES), load64(ctx, slots.MOST), -1
    distance = load8(distances, corner_number(ctx, corners))
    nearer = cost_of(ctx, packed.pack_axial_turn(0, 2, 0))
    for after in range(some):
        extra = half_turns_cost(ctx, turn, after)
        least = distance - nearer * count_bits(after)
        if least - (2 * nearer if other != 0 else 0) + extra > most:
            continue
        here, place = corners, length
        for which in range(2):
            if after >> which & 1:
                half = packed.pack_turn(axis + 3 * which, 2)
                here = packed.product(here, load32(address(ctx, slots.TURNED_CORNERS), half))
                write_path(ctx, place, half)
                place += 1
        for before in range(4 if other != 0 else 1):
            named, cost = here, extra + half_turns_cost(ctx, entry, before)
            if least - nearer * count_bits(before) + cost > most:
                continue
            for which in range(2):
                if before >> which & 1:
                    half = packed.pack_turn(other + 3 * which, 2)
                    named = packed.product(load32(address(ctx, slots.TURNED_CORNERS), half), named)
            number = corner_number(ctx, named)
            if load8(distances, number) + cost <= most:
                if slices < 0:
                    slices = slice_order(ctx)
                order = with_halves(ctx, slices, axis, after, other, before)
                suggest(ctx, number, order, after | before << 2, cost, place)
    if load64(ctx, slots.WAITING) > slots.MOST_CANDIDATES - 16:
        return settle(ctx)
    return 0
