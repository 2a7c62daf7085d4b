"""The likeliest legal cube, exactly, and how much likelier it is than any other.

A legal cube is a permutation and a twist of the corners and a permutation and a flip of the edges
with three invariants: the twists sum to 0 mod 3, the flips to 0 mod 2, and both permutations have
the same parity. The cost of a cube is the sum of its pieces' costs, so corners and edges touch only
through the parity. For each of them the cheapest arrangement of every (parity, orientation sum) is
found by dynamic programming over the set of pieces used so far (Held and Karp 1962, with the two
invariants carried along): 2^12 · 4 values for the edges. Forward and backward values together give
the min-marginal of every piece in every place: the cost of the cheapest legal cube that has it
there. The second likeliest cube differs from the likeliest in at least one of these, so the margin
is exact too. The same sweep tells the cheapest cube of each of the other eleven orbits: cubes that
were assembled wrongly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cube.laws import ORBITS, Orbit

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
        orbit_costs: (12,) cost of the cheapest cube of each orbit, by `Orbit.number`; entry 0 is
            `cost`.
    """

    cost: float
    corners: Arrangement
    edges: Arrangement
    margin: float
    corner_marginals: Costs
    edge_marginals: Costs
    orbit_costs: Costs


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """The transitions that fill one place, for all sets of pieces at once.

    Sets of one size are numbered in rising order of their bit masks. A transition is odd when its
    piece jumps over an odd number of larger pieces already placed. `*_set` numbers the set at the
    other end, plus the number of sets of that size when the transition is odd.

    Attributes:
        into_set: (place + 1, sets after): the ways to come to each set; `into_piece` alike.
        out_set: (count - place, sets before): the ways to go on from each set; `out_piece` alike.
        by_piece: (pieces, ways): the flat indices of `out_*` that add each piece.
    """

    into_set: Indices
    into_piece: Indices
    out_set: Indices
    out_piece: Indices
    by_piece: Indices


@lru_cache(maxsize=2)
def _layers(count: int) -> tuple[_Layer, ...]:
    masks = np.arange(1 << count)
    sizes = np.array([int(m).bit_count() for m in masks])
    number = np.zeros(1 << count, dtype=np.intp)
    for size in range(count + 1):
        of_size = masks[sizes == size]
        number[of_size] = np.arange(len(of_size))
    bits = (masks[:, None] >> np.arange(count)) & 1
    layers = []
    for place in range(count):
        before, after = masks[sizes == place], masks[sizes == place + 1]
        into_piece = np.nonzero(bits[after])[1].reshape(len(after), -1).T
        came_from = after ^ (1 << into_piece)
        into_odd = sizes[came_from >> into_piece] & 1
        out_piece = np.nonzero(1 - bits[before])[1].reshape(len(before), -1).T
        leads_to = before | (1 << out_piece)
        out_odd = sizes[before >> out_piece] & 1
        layers.append(
            _Layer(
                number[came_from] + into_odd * len(before),
                into_piece,
                number[leads_to] + out_odd * len(after),
                out_piece,
                np.argsort(out_piece, axis=None, kind="stable").reshape(count, -1),
            )
        )
    return tuple(layers)


@lru_cache(maxsize=2)
def _class_steps(turns: int) -> tuple[Indices, Indices]:
    """Between which classes, numbered parity · turns + sum, a piece leads.

    Returns:
        Two of (turns, 2 · turns, 2): `[turn, class, odd]` is the class before, and the class after,
        a piece that is odd or not and turned by `turn`.
    """
    turn, parity, total, odd = np.ogrid[:turns, :2, :turns, :2]
    before, after = (
        ((parity ^ odd) * turns + (total + sign * turn) % turns).reshape(turns, 2 * turns, 2)
        for sign in (-1, 1)
    )
    return before, after


def _sweep(costs: Costs) -> list[Costs]:
    """(classes, sets) for each number of filled places: cost of exactly those pieces in them."""
    count, _, turns = costs.shape
    back, _ = _class_steps(turns)
    start = np.full((2 * turns, 1), np.inf)
    start[0] = 0.0
    values = [start]
    for place, layer in enumerate(_layers(count)):
        moved = values[-1][back].reshape(turns, 2 * turns, -1)
        options = moved.take(layer.into_set, axis=2)
        options += costs[place].T.take(layer.into_piece, axis=1)[:, None]
        values.append(options.min(axis=2).min(axis=0))
    return values


def _marginals(costs: Costs, forward: Sequence[Costs], finish: ArrayLike) -> Costs:
    """Find for each piece in each place the cheapest arrangement of sum 0 that has it there.

    Args:
        costs: (places, pieces, turns).
        forward: what `_sweep` returns.
        finish: (2,) what the parity of the arrangement costs besides.

    Returns:
        (places, pieces, turns).
    """
    count, _, turns = costs.shape
    _, after = _class_steps(turns)
    result = np.empty((count, count, turns))
    to_go = np.full((2 * turns, 1), np.inf)
    to_go[[0, turns], 0] = finish
    for place, layer in reversed(list(enumerate(_layers(count)))):
        behind = to_go[after].reshape(turns, 2 * turns, -1).take(layer.out_set, axis=2)
        own = costs[place].T.take(layer.out_piece, axis=1)
        through = (behind + forward[place][:, None]).min(axis=1).reshape(turns, -1)
        ways = through.take(layer.by_piece, axis=1).min(axis=2)
        result[place] = ways.T + costs[place]
        behind += own[:, None]
        to_go = behind.min(axis=2).min(axis=0)
    return result


def _trace(costs: Costs, forward: Sequence[Costs], parity: int, total: int) -> Arrangement:
    """Follow the forward values back to the cheapest arrangement of that parity and sum."""
    count, _, turns = costs.shape
    pieces = np.zeros(count, dtype=np.intp)
    orientations = np.zeros(count, dtype=np.intp)
    back, _ = _class_steps(turns)
    here, state = 0, parity * turns + total
    for place in reversed(range(count)):
        layer, before = _layers(count)[place], forward[place]
        odd, sets = np.divmod(layer.into_set[:, here], before.shape[1])
        classes = back[:, state, odd]
        piece = layer.into_piece[:, here]
        options = before[classes, sets] + costs[place][piece].T
        turn, way = np.unravel_index(int(options.argmin()), options.shape)
        pieces[place], orientations[place] = piece[way], turn
        here, state = int(sets[way]), int(classes[turn, way])
    return pieces, orientations


def _orbit_costs(corner_classes: Costs, edge_classes: Costs) -> Costs:
    """(12,) from the cheapest corners (6,) and edges (4,) of each class, by `Orbit.number`."""
    corners, edges = corner_classes.reshape(2, 3), edge_classes.reshape(2, 2)
    return np.array(
        [
            min(
                corners[parity, orbit.corner_twist] + edges[parity ^ orbit.parity, orbit.edge_flip]
                for parity in (0, 1)
            )
            for orbit in ORBITS
        ]
    )


def cheapest_in_orbit(
    corner_costs: Costs, edge_costs: Costs, orbit: Orbit = ORBITS[0]
) -> tuple[float, Arrangement, Arrangement]:
    """Find the cheapest cube of an orbit only.

    Tries the two assignment problems without invariants first: their optimum is a lower bound, so
    when it happens to lie in the orbit, which it does for most good pictures, it is the answer and
    the sweep is saved.

    Args:
        corner_costs: (8 places, 8 pieces, 3 twists), finite.
        edge_costs: (12 places, 12 pieces, 2 flips), finite.
        orbit: the orbit, by default the solvable cubes.

    Returns:
        The cost, and piece and orientation of each corner and edge place.
    """
    cost, corners, edges = assign(corner_costs, edge_costs)
    if arrangement_orbit(corners, edges) == orbit:
        return cost, corners, edges
    forward = [_sweep(costs) for costs in (corner_costs, edge_costs)]
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
        _trace(corner_costs, forward[0], parity, orbit.corner_twist),
        _trace(edge_costs, forward[1], parity ^ orbit.parity, orbit.edge_flip),
    )


def search_legal(corner_costs: Costs, edge_costs: Costs) -> LegalSearch:
    """Find the cheapest legal cube, its margin and min-marginals; see `cheapest_in_orbit`."""
    both = (corner_costs, edge_costs)
    corner_values, edge_values = (_sweep(costs) for costs in both)
    corner_best = corner_values[-1][[0, 3], 0]
    edge_best = edge_values[-1][[0, 2], 0]
    parity = int(np.argmin(corner_best + edge_best))
    cost = float((corner_best + edge_best)[parity])
    corners = _trace(corner_costs, corner_values, parity, 0)
    edges = _trace(edge_costs, edge_values, parity, 0)
    corner_marginals, edge_marginals = (
        _marginals(costs, values, other)
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
    return LegalSearch(
        cost,
        corners,
        edges,
        max(0.0, float(min(rivals)) - cost),
        corner_marginals,
        edge_marginals,
        _orbit_costs(corner_values[-1], edge_values[-1]),
    )


def assign(corner_costs: Costs, edge_costs: Costs) -> tuple[float, Arrangement, Arrangement]:
    """Find the cheapest cube of any orbit; arguments and result as of `cheapest_in_orbit`."""
    corner_cost, corners = assign_one(corner_costs)
    edge_cost, edges = assign_one(edge_costs)
    return corner_cost + edge_cost, corners, edges


def assign_one(costs: Costs) -> tuple[float, Arrangement]:
    """Find the cheapest arrangement of one kind of piece, without invariants."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - heavy, needed here only

    turns = costs.argmin(axis=2)
    cheapest = costs.min(axis=2)
    places, pieces = linear_sum_assignment(cheapest)
    return float(cheapest[places, pieces].sum()), (pieces.astype(np.intp), turns[places, pieces])


def search_corners(
    costs: Costs, *, marginals: bool = True
) -> tuple[float, Arrangement, float, Costs]:
    """Find the cheapest corners of any parity whose twists sum to 0: a 2×2×2 cube.

    Args:
        costs: (8 places, 8 pieces, 3 twists), finite.
        marginals: whether margin and marginals are wanted.

    Returns:
        The cost, piece and twist of each place, the margin to the second cheapest, and (8, 8, 3)
        the cost of the cheapest with that piece there; 0 and nothing when they are not wanted.
    """
    forward = _sweep(costs)
    by_parity = forward[-1][[0, 3], 0]
    parity = int(np.argmin(by_parity))
    corners = _trace(costs, forward, parity, 0)
    cost = float(by_parity[parity])
    if not marginals:
        return cost, corners, 0.0, np.empty((0, 0, 0))
    each = _marginals(costs, forward, np.zeros(2))
    others = each.copy()
    others[np.arange(len(costs)), *corners] = np.inf
    return cost, corners, max(0.0, float(others.min()) - cost), each


def arrangement_orbit(corners: Arrangement, edges: Arrangement) -> Orbit:
    """Return the orbit of pieces and orientations in their places."""
    return Orbit(
        int(corners[1].sum()) % 3,
        int(edges[1].sum()) % 2,
        _parity(corners[0]) ^ _parity(edges[0]),
    )


@lru_cache(maxsize=2)
def _pairs(count: int) -> tuple[Indices, Indices]:
    return np.tril_indices(count, -1)


def _parity(permutation: Indices) -> int:
    later, earlier = _pairs(len(permutation))
    return int((permutation[earlier] > permutation[later]).sum() & 1)
