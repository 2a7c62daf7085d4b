"""Compiled tables and search for shortest ways without quarter turns of F and B (S3's Φ1).

The corners are a permutation and twists; the twelve edges, none of which flips, are three groups of
four. A group's number is ``set * 24 + order`` of the places of its four edges.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

from numba import int64, uint8, uint16, void

from solver.kernels.arrays import Bytes, Ints, Words, read, written
from solver.kernels.compiled import compiled, inlined

ORDERS, PAIRS = 24, 1680
UNREACHED = 255


@compiled(int64(written(uint8), int64, read(uint16, 2), read(uint16, 2)))
def spread_corners(distances: Bytes, depth: int, permutations_by: Words, twists_by: Words) -> int:
    """Give the next distance to the unreached neighbours of all states at one; their number."""
    twists, reached = len(twists_by), 0
    for permutation in range(len(permutations_by)):
        for twist in range(twists):
            if distances[permutation * twists + twist] != depth:
                continue
            for turn in range(permutations_by.shape[1]):
                there = int64(permutations_by[permutation, turn]) * twists + twists_by[twist, turn]
                if distances[there] == UNREACHED:
                    distances[there] = depth + 1
                    reached += 1
    return reached


@inlined
def edges_at(first: int, second: int, third: int, ranks: Words) -> int:
    """The entry of three groups of edges."""
    rank = int64(ranks[first // ORDERS, second])
    return (int64(first) * PAIRS + rank) * ORDERS + int64(third) % ORDERS


@compiled(
    int64(
        *(written(uint8), int64, read(uint16, 2), read(uint16, 2)),
        *(read(uint16, 2), read(uint16, 2)),
    )
)
def spread_edges(
    distances: Bytes,
    depth: int,
    groups_by: Words,
    ranks: Words,
    seconds: Words,
    thirds: Words,
) -> int:
    """Give the next distance to the unreached neighbours of all states at one; their number.

    ``ranks`` numbers the second groups beside each set of the first, ``seconds`` is its inverse,
    and ``thirds`` holds the set that is left for the third group.
    """
    reached = 0
    turns = groups_by.shape[1]
    for first in range(len(groups_by)):
        for rank in range(PAIRS):
            row = (first * PAIRS + rank) * ORDERS
            some = False
            for order in range(ORDERS):
                some |= distances[row + order] == depth
            if not some:
                continue
            second = int64(seconds[first // ORDERS, rank])
            left = int64(thirds[first // ORDERS, rank]) * ORDERS
            for turn in range(turns):
                there = edges_at(groups_by[first, turn], groups_by[second, turn], 0, ranks)
                for order in range(ORDERS):
                    if distances[row + order] == depth:
                        at = there + groups_by[left + order, turn] % ORDERS
                        if distances[at] == UNREACHED:
                            distances[at] = depth + 1
                            reached += 1
    return reached


@compiled(void(written(uint8), written(uint8)))
def pack_pairs(distances: Bytes, packed: Bytes) -> None:
    """Four bits an entry, even entries low."""
    for i in range(len(packed)):
        packed[i] = distances[2 * i] | distances[2 * i + 1] << 4


@inlined
def packed_at(packed: Bytes, at: int) -> int:
    """An entry of four bits."""
    return int64(packed[at >> 1]) >> ((at & 1) << 2) & 15


@compiled(
    int64(
        *(int64, written(int64, 2), written(int64), int64, read(int64)),
        *(read(uint16, 2), read(uint16, 2), read(uint16, 2), read(uint16, 2)),
        *(read(uint8), read(uint8)),
    )
)
def search(
    length: int,
    states: Ints,
    path: Ints,
    budget: int,
    allowed: Ints,
    permutations_by: Words,
    twists_by: Words,
    groups_by: Words,
    ranks: Words,
    corners: Bytes,
    edges: Bytes,
) -> int:
    """Look for a way of so many turns, depth first.

    Row 0 of ``states`` holds the start: permutation, twist and three groups. ``path`` takes the
    turns of a way. ``allowed`` has bit sets of the turns that may follow each turn, the last one
    those of the start. At most ``budget`` positions are looked at.

    Returns:
        Their number, below zero when a way was found.
    """
    turns, twists = permutations_by.shape[1], len(twists_by)
    nodes, depth = 0, 0
    path[0] = -1
    while depth >= 0:
        last = path[depth - 1] if depth > 0 else turns
        path[depth] += 1
        turn = path[depth]
        if turn >= turns or nodes > budget:
            depth -= 1
            continue
        if not allowed[last] >> turn & 1:
            continue
        nodes += 1
        left = length - depth - 1
        permutation = int64(permutations_by[states[depth, 0], turn])
        twist = int64(twists_by[states[depth, 1], turn])
        if packed_at(corners, permutation * twists + twist) > left:
            continue
        first = int64(groups_by[states[depth, 2], turn])
        second = int64(groups_by[states[depth, 3], turn])
        third = int64(groups_by[states[depth, 4], turn])
        if packed_at(edges, edges_at(first, second, third, ranks)) > left:
            continue
        if left == 0:
            return -nodes
        depth += 1
        states[depth, 0], states[depth, 1] = permutation, twist
        states[depth, 2], states[depth, 3], states[depth, 4] = first, second, third
        path[depth] = -1
    return nodes
