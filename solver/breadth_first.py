"""Distances of all values of a coordinate, or of pairs of two, breadth first, in numpy.

The first answer has to wait for these tables, and loading a compiler would take longer than
computing them in numpy.
"""

from collections.abc import Iterable

import numpy as np

from solver.coordinates import Bytes, Table

UNREACHED = 255


def cheapest(moves: Table, costs: Table | None = None) -> Bytes:
    """Return distances from value 0 of one coordinate, with different costs of turns.

    Args:
        moves: Its move table, shape (values, turns).
        costs: Cost of each turn; 1 by default.
    """
    if costs is None:
        costs = np.ones(moves.shape[1], dtype=np.int64)
    distances = np.full(len(moves), UNREACHED, dtype=np.uint8)
    distances[0] = 0
    goal, idle = 0, 0
    while idle <= costs.max():
        goal += 1
        idle += 1
        for cost in np.unique(costs):
            here = np.flatnonzero(distances == goal - cost) if goal >= cost else np.zeros(0, int)
            there = moves[here][:, costs == cost]
            reached = there[distances[there] == UNREACHED]
            distances[reached] = goal
            idle = 0 if len(reached) else idle
    return distances


def pair_distances(
    a_moves: Table,
    b_moves: Table,
    turns: Iterable[int],
    parities: tuple[Table, Table] | None = None,
) -> Bytes:
    """Return the number of turns from each pair of two coordinates to the pair (0, 0).

    Args:
        a_moves: Move table of the first coordinate.
        b_moves: Move table of the second one.
        turns: The allowed turns.
        parities: Parities of the values of both coordinates, if they are always equal: the parity
            of a then selects one of two neighbouring b, which halves the table.

    Returns:
        Distances at ``a * size_b + b``, or at ``a * (size_b >> 1) + (b >> 1)``; 255 if unreachable.
    """
    fold = int(parities is not None)
    size = len(b_moves) >> fold
    distances = np.full(len(a_moves) * size, UNREACHED, dtype=np.uint8)
    distances[0], depth = 0, 0
    frontier = np.zeros(1, dtype=np.int64)
    columns = [
        (a_moves[:, turn].astype(np.int64) * size, b_moves[:, turn] >> fold) for turn in turns
    ]
    while len(frontier):
        depth += 1
        a, b = np.divmod(frontier, size)
        if parities is not None:
            b *= 2
            b += parities[0][a] != parities[1][b]
        for first, second in columns:
            there = first[a] + second[b]
            distances[there[distances[there] == UNREACHED]] = depth
        frontier = np.flatnonzero(distances == depth)
    return distances
