"""The likeliest legal cube, exactly, and how much likelier it is than any other.

A legal cube is a permutation and a twist of the corners and a permutation and a flip of the edges
with three invariants: the twists sum to 0 mod 3, the flips to 0 mod 2, and both permutations have
the same parity. The cost of a cube is the sum of its pieces' costs, so corners and edges interact
only through the parity. For each of them, dynamic programming with the two invariants as state
finds the cheapest arrangement of every (parity, orientation sum). Forward and backward values
together give the min-marginal of every piece in every place: the cost of the cheapest legal cube
that has it there. The second likeliest cube differs from the likeliest in at least one of these, so
the margin is exact, too. The same sweep gives the cheapest cube of each of the other eleven orbits:
mis-assembled cubes.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cube.laws import ORBITS, Orbit
from vision.colours.assignment import cheapest_assignment
from vision.decoding.piece_costs import Arrangement, Costs, Indices, marginals_of, sweep, trace


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


def cheapest_in_orbit(
    corner_costs: Costs, edge_costs: Costs, orbit: Orbit = ORBITS[0]
) -> tuple[float, Arrangement, Arrangement]:
    """Find the cheapest cube of one orbit.

    First it solves the two assignment problems without invariants: their optimum is a lower bound,
    so if it is in the orbit, as for most good pictures, it is the answer, and the sweep is skipped.

    Args:
        corner_costs: (8 places, 8 pieces, 3 twists), finite.
        edge_costs: (12 places, 12 pieces, 2 flips), finite.
        orbit: The orbit, by default the solvable cubes.

    Returns:
        The cost, and piece and orientation of each corner and edge place.
    """
    cost, corners, edges = assign(corner_costs, edge_costs)
    if arrangement_orbit(corners, edges) == orbit:
        return cost, corners, edges
    forward = [sweep(costs) for costs in (corner_costs, edge_costs)]
    total, parity = min(
        (
            forward[0][-1][3 * parity + orbit.corner_twist, 0]
            + forward[1][-1][2 * (parity ^ orbit.parity) + orbit.edge_flip, 0],
            parity,
        )
        for parity in (0, 1)
    )
    return (
        float(total),
        trace(corner_costs, forward[0], parity, orbit.corner_twist),
        trace(edge_costs, forward[1], parity ^ orbit.parity, orbit.edge_flip),
    )


def search_legal(corner_costs: Costs, edge_costs: Costs) -> LegalSearch:
    """Find the cheapest legal cube, its margin and min-marginals; see `cheapest_in_orbit`."""
    both = (corner_costs, edge_costs)
    corner_values, edge_values = (sweep(costs) for costs in both)
    corner_best = corner_values[-1][[0, 3], 0]
    edge_best = edge_values[-1][[0, 2], 0]
    parity = int(np.argmin(corner_best + edge_best))
    cost = float((corner_best + edge_best)[parity])
    corners = trace(corner_costs, corner_values, parity, 0)
    edges = trace(edge_costs, edge_values, parity, 0)
    corner_marginals, edge_marginals = (
        marginals_of(costs, values, other)
        for costs, values, other in (
            (corner_costs, corner_values, edge_best),
            (edge_costs, edge_values, corner_best),
        )
    )
    margin = min(_margin(corner_marginals, corners, cost), _margin(edge_marginals, edges, cost))
    return LegalSearch(cost, corners, edges, margin, corner_marginals, edge_marginals)


def assign(corner_costs: Costs, edge_costs: Costs) -> tuple[float, Arrangement, Arrangement]:
    """Find the cheapest cube of any orbit; arguments and result as in `cheapest_in_orbit`."""
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
    return Orbit(
        int(corners[1].sum()) % 3, int(edges[1].sum()) % 2, _parity(corners[0]) ^ _parity(edges[0])
    )


@lru_cache(maxsize=2)
def _pairs(count: int) -> tuple[Indices, Indices]:
    return np.tril_indices(count, -1)


def _parity(permutation: Indices) -> int:
    later, earlier = _pairs(len(permutation))
    return int((permutation[earlier] > permutation[later]).sum() & 1)
