"""The likeliest legal cube, exactly, and how much likelier it is than any other.

A legal cube is a permutation and a twist of the corners and a permutation and a flip of the edges
with three invariants: the twists sum to 0 mod 3, the flips to 0 mod 2, and both permutations have
the same parity. The cost of a cube is the sum of its pieces' costs, so corners and edges touch only
through the parity. For each of them the cheapest arrangement of every (parity, orientation sum) is
found by dynamic programming over the set of pieces used so far (Held and Karp 1962, with the two
invariants carried along): 2^12 · 4 values for the edges. Forward and backward values together give
the min-marginal of every piece in every place: the cost of the cheapest legal cube that has it
there. The second likeliest cube differs from the likeliest in at least one of these, so the margin
is exact too.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.float64]
Indices = NDArray[np.intp]
Arrangement = tuple[Indices, Indices]


@dataclass(frozen=True, slots=True, eq=False)
class LegalSearch:
    """What the search found.

    Attributes:
        cost: cost of the cheapest legal cube.
        corners: piece (8,) and twist (8,) in each corner place.
        edges: piece (12,) and flip (12,) in each edge place.
        margin: cost of the second cheapest legal cube minus `cost`.
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


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """The transitions that fill one place, for all sets of pieces at once.

    All arrays are (t,). `before` and `after` are the sets (bit masks), `piece` the piece added,
    `odd` whether it jumps over an odd number of larger pieces already placed. Transitions to one
    `after` stand together; `by_before` and `by_piece` are the orders in which those from one
    `before`, or with one piece, do.
    """

    before: Indices
    after: Indices
    piece: Indices
    odd: Indices
    by_before: Indices
    by_piece: Indices


@lru_cache(maxsize=2)
def _layers(count: int) -> tuple[_Layer, ...]:
    masks = np.arange(1 << count)
    sizes = np.array([int(m).bit_count() for m in masks])
    layers = []
    for place in range(count):
        after, piece = np.nonzero(
            (sizes[:, None] == place + 1) & ((masks[:, None] >> np.arange(count)) & 1 == 1)
        )
        before = after ^ (1 << piece)
        odd = sizes[before >> piece] & 1
        orders = (np.argsort(key, kind="stable") for key in (before, piece))
        layers.append(_Layer(before, after, piece, odd, *orders))
    return tuple(layers)


def _swap_parity(values: Costs, odd: Indices) -> Costs:
    """Exchange even and odd classes where a transition is odd; values (classes, t)."""
    return np.asarray(np.where(odd == 1, np.roll(values, len(values) // 2, axis=0), values))


def _cheapest_steps(values: Costs, costs: Costs, layer: _Layer) -> Costs:
    """(classes, t): cheapest value of each class through each transition, over the orientations.

    Args:
        values: (classes, t) before the transition.
        costs: (pieces, turns) of the place that is filled.
        layer: the transitions.
    """
    turns = costs.shape[1]
    start = _swap_parity(values, layer.odd).reshape(2, turns, -1)
    step = costs[layer.piece].T
    options = [np.roll(start, turn, axis=1) + step[turn] for turn in range(turns)]
    return np.asarray(np.minimum.reduce(options).reshape(2 * turns, -1))


def _cheapest_of(values: Costs, group: int) -> Costs:
    """Minimum over each `group` neighbouring columns: (classes, t) to (classes, t / group)."""
    return np.asarray(np.minimum.reduce([values[:, k::group] for k in range(group)]))


def _forward(costs: Costs) -> Costs:
    """(classes, sets): cheapest cost of placing exactly those pieces in the first places."""
    count, _, turns = costs.shape
    values = np.full((2 * turns, 1 << count), np.inf)
    values[0, 0] = 0.0
    for place, layer in enumerate(_layers(count)):
        steps = _cheapest_steps(values[:, layer.before], costs[place], layer)
        values[:, layer.after[:: place + 1]] = _cheapest_of(steps, place + 1)
    return values


def _backward(costs: Costs) -> Costs:
    """(classes, sets): cheapest cost of filling the remaining places and adding that class."""
    count, _, turns = costs.shape
    values = np.full((2 * turns, 1 << count), np.inf)
    values[0, -1] = 0.0
    for place in reversed(range(count)):
        layer, ways = _layers(count)[place], count - place
        steps = _cheapest_steps(values[:, layer.after], costs[place], layer)
        targets = layer.before[layer.by_before[::ways]]
        values[:, targets] = _cheapest_of(steps[:, layer.by_before], ways)
    return values


def _marginals(costs: Costs, forward: Costs, backward: Costs) -> Costs:
    """(places, pieces, turns, parity): cheapest arrangement of sum 0 with the piece there."""
    count, _, turns = costs.shape
    result = np.empty((count, count, turns, 2))
    for place, layer in enumerate(_layers(count)):
        order = layer.by_piece
        ahead = _swap_parity(forward[:, layer.before[order]], layer.odd[order])
        ahead = ahead.reshape(2, turns, -1)
        behind = backward[:, layer.after[order]].reshape(2, turns, -1)
        for turn in range(turns):
            for goal in (0, 1):
                through = np.minimum.reduce(
                    [
                        ahead[parity, total] + behind[goal ^ parity, (-total - turn) % turns]
                        for parity in (0, 1)
                        for total in range(turns)
                    ]
                )
                cheapest = through.reshape(count, -1).min(axis=1)
                result[place, :, turn, goal] = cheapest + costs[place, :, turn]
    return result


def _trace(costs: Costs, forward: Costs, parity: int) -> Arrangement:
    """Follow the forward values back to the cheapest arrangement of that parity and sum 0."""
    count, _, turns = costs.shape
    pieces = np.zeros(count, dtype=np.intp)
    orientations = np.zeros(count, dtype=np.intp)
    mask, total = (1 << count) - 1, 0
    for place in reversed(range(count)):
        options = []
        for piece in range(count):
            if mask >> piece & 1:
                before = mask ^ (1 << piece)
                came_from = parity ^ (before >> piece).bit_count() & 1
                options += [
                    (
                        forward[came_from * turns + (total - turn) % turns, before]
                        + costs[place, piece, turn],
                        (piece, turn, before, came_from),
                    )
                    for turn in range(turns)
                ]
        piece, turn, mask, parity = min(options)[1]
        total = (total - turn) % turns
        pieces[place], orientations[place] = piece, turn
    return pieces, orientations


def cheapest_legal(
    corner_costs: Costs, edge_costs: Costs
) -> tuple[float, Arrangement, Arrangement]:
    """Find the cheapest legal cube only.

    Tries the two assignment problems without invariants first: their optimum is a lower bound, so
    when it happens to be legal, which it is for most good pictures, it is the answer and the sweep
    is saved.

    Args:
        corner_costs: (8 places, 8 pieces, 3 twists), finite.
        edge_costs: (12 places, 12 pieces, 2 flips), finite.

    Returns:
        The cost, and piece and orientation of each corner and edge place.
    """
    corners, edges = _assign(corner_costs), _assign(edge_costs)
    if (
        _parity(corners[0]) == _parity(edges[0])
        and corners[1].sum() % 3 == 0
        and edges[1].sum() % 2 == 0
    ):
        cost = sum(
            costs[np.arange(len(costs)), pieces, turns].sum()
            for costs, (pieces, turns) in ((corner_costs, corners), (edge_costs, edges))
        )
        return float(cost), corners, edges
    corner_values, edge_values = map(_forward, (corner_costs, edge_costs))
    totals = [corner_values[3 * parity, -1] + edge_values[2 * parity, -1] for parity in (0, 1)]
    parity = int(np.argmin(totals))
    return (
        float(totals[parity]),
        _trace(corner_costs, corner_values, parity),
        _trace(edge_costs, edge_values, parity),
    )


def search_legal(corner_costs: Costs, edge_costs: Costs) -> LegalSearch:
    """Find the cheapest legal cube, its margin and min-marginals; see `cheapest_legal`."""
    corner_values, edge_values = map(_forward, (corner_costs, edge_costs))
    corner_best = corner_values[[0, 3], -1]
    edge_best = edge_values[[0, 2], -1]
    parity = int(np.argmin(corner_best + edge_best))
    cost = float((corner_best + edge_best)[parity])
    corners = _trace(corner_costs, corner_values, parity)
    edges = _trace(edge_costs, edge_values, parity)
    corner_marginals, edge_marginals = (
        (_marginals(costs, values, _backward(costs)) + other).min(axis=-1)
        for costs, values, other in (
            (corner_costs, corner_values, edge_best),
            (edge_costs, edge_values, corner_best),
        )
    )
    rivals = []
    for marginals, (pieces, turns) in ((corner_marginals, corners), (edge_marginals, edges)):
        others = marginals.copy()
        others[np.arange(len(pieces)), pieces, turns] = np.inf
        rivals.append(others.min())
    margin = max(0.0, float(min(rivals)) - cost)
    return LegalSearch(cost, corners, edges, margin, corner_marginals, edge_marginals)


def _assign(costs: Costs) -> Arrangement:
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy, needed here only

    turns = costs.argmin(axis=2)
    places, pieces = linear_sum_assignment(costs.min(axis=2))
    return pieces.astype(np.intp), turns[places, pieces]


def _parity(permutation: NDArray[np.intp]) -> int:
    later, earlier = np.tril_indices(len(permutation), -1)
    return int((permutation[earlier] > permutation[later]).sum() & 1)
