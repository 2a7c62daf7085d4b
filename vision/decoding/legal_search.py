"""The likeliest legal cube, exactly, and how much likelier it is than any other.

A legal cube is a permutation and a twist of the corners and a permutation and a flip of the edges
with three invariants: the twists sum to 0 mod 3, the flips to 0 mod 2, and both permutations have
the same parity. The cost of a cube is the sum of its pieces' costs, so corners and edges interact
only through the parity. For each of them, dynamic programming with the two invariants as state
finds the cheapest arrangement of every (parity, orientation sum). Forward and backward values
together give the min-marginal of every piece in every place: the cost of the cheapest legal cube
that has it there. The second likeliest cube differs from the likeliest in at least one of these, so
the margin is exact, too.
"""

import operator
from dataclasses import dataclass

import numpy as np

from cube.laws import Orbit, permutation_parity
from vision.colours.assignment import cheapest_assignment
from vision.decoding.piece_costs import Arrangement, Costs, marginals_of, sweep, trace


@dataclass(frozen=True, slots=True, eq=False)
class LegalSearch:
    """The result of the search.

    Attributes:
        cost: Cost of the cheapest legal cube.
        corners: Piece (8,) and twist (8,) in each corner place.
        edges: Piece (12,) and flip (12,) in each edge place.
        margin: Cost of the second cheapest legal cube minus `cost`.
        corner_marginals: (8, 8, 3) cost of the cheapest legal cube with that piece in that place
            and twist.
        edge_marginals: (12, 12, 2) the same for edges.
    """

    cost: float
    corners: Arrangement
    edges: Arrangement
    margin: float
    corner_marginals: Costs
    edge_marginals: Costs


def cheapest_legal(
    corner_costs: Costs, edge_costs: Costs
) -> tuple[float, Arrangement, Arrangement]:
    """Find the cheapest legal cube.

    The result of `assign` is a lower bound, so if that is legal, as for most good pictures, it is
    the answer, and this sweep is not needed.

    Args:
        corner_costs: (8 places, 8 pieces, 3 twists), finite.
        edge_costs: (12 places, 12 pieces, 2 flips), finite.

    Returns:
        The cost, and piece and orientation of each corner and edge place.
    """
    cost, (corners, edges), _, _ = _swept((corner_costs, edge_costs))
    return cost, corners, edges


def search_legal(corner_costs: Costs, edge_costs: Costs) -> LegalSearch:
    """Find the cheapest legal cube, its margin and min-marginals; see `cheapest_legal`."""
    both = (corner_costs, edge_costs)
    cost, (corners, edges), values, cheapest = _swept(both)
    corner_marginals, edge_marginals = map(marginals_of, both, values, cheapest[::-1])
    margin = min(_margin(corner_marginals, corners, cost), _margin(edge_marginals, edges, cost))
    return LegalSearch(cost, corners, edges, margin, corner_marginals, edge_marginals)


def _swept(
    both: tuple[Costs, Costs],
) -> tuple[float, list[Arrangement], list[list[Costs]], list[Costs]]:
    """Find the cheapest legal cube with `sweep`.

    Returns:
        Its cost, corners and edges; the values of both sweeps; for corners and edges, the (2,)
        costs of the cheapest arrangement of each parity.
    """
    values = [sweep(costs) for costs in both]
    cheapest = [
        swept[-1][[0, costs.shape[2]], 0] for costs, swept in zip(both, values, strict=True)
    ]
    totals = cheapest[0] + cheapest[1]
    parity = int(np.argmin(totals))
    placed = [trace(costs, swept, parity, 0) for costs, swept in zip(both, values, strict=True)]
    return float(totals[parity]), placed, values, cheapest


def assign(corner_costs: Costs, edge_costs: Costs) -> tuple[float, Arrangement, Arrangement]:
    """Find the cheapest cube of any orbit; arguments and result as in `cheapest_legal`."""
    corner_cost, corners = assign_one(corner_costs)
    edge_cost, edges = assign_one(edge_costs)
    return corner_cost + edge_cost, corners, edges


def assign_one(costs: Costs) -> tuple[float, Arrangement]:
    """Find the cheapest arrangement of one kind of piece, without invariants."""
    turns = costs.argmin(axis=2)
    cheapest = costs.min(axis=2)
    places, pieces = np.arange(len(cheapest)), cheapest_assignment(cheapest)
    return float(cheapest[places, pieces].sum()), (pieces, turns[places, pieces])


def search_corners(
    costs: Costs, *, marginals: bool = True
) -> tuple[float, Arrangement, float, Costs]:
    """Find the cheapest corners of any parity whose twists sum to 0: a 2×2×2 cube.

    Args:
        costs: (8 places, 8 pieces, 3 twists), finite.
        marginals: Whether to compute margin and marginals.

    Returns:
        The cost, piece and twist of each place, the margin to the second cheapest, and (8, 8, 3)
        the cost of the cheapest with that piece there; 0 and nothing if they are not computed.
    """
    forward = sweep(costs)
    by_parity = forward[-1][[0, 3], 0]
    parity = int(np.argmin(by_parity))
    corners = trace(costs, forward, parity, 0)
    cost = float(by_parity[parity])
    if not marginals:
        return cost, corners, 0.0, np.empty((0, 0, 0))
    each = marginals_of(costs, forward, np.zeros(2))
    return cost, corners, _margin(each, corners, cost), each


def _margin(marginals: Costs, best: Arrangement, cost: float) -> float:
    """Return the extra cost of the cheapest arrangement that differs from the best somewhere."""
    others = marginals.copy()
    others[np.arange(len(marginals)), *best] = np.inf
    return max(0.0, float(others.min()) - cost)


def arrangement_orbit(corners: Arrangement, edges: Arrangement) -> Orbit:
    """Return the orbit of pieces and orientations in their places."""
    parities = (permutation_parity(pieces.tolist()) for pieces, _ in (corners, edges))
    return Orbit(int(corners[1].sum()) % 3, int(edges[1].sum()) % 2, operator.xor(*parities))
