"""Other assignments of the six colours to the faces, if centres do not tell them for sure."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, permutations
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from vision.colours.assignment import CENTRES
from vision.decoding.attempt import Attempt

Array = NDArray[np.float64]

Order = tuple[int, ...]

# Orders are tried if they may cost at most this many nats more than the first one, up to a number:
# upright faces leave at most 7, rotated ones 672 if a face was shown twice.
_WINDOW = 20.0
_MOST_TRIED = 24
# The same for pictures in any order, where trying an order takes longer.
_EXCHANGE_WINDOW = 12.0


def centre_orders(
    best: Attempt, fixed: Collection[int], most: int
) -> list[tuple[float, Order | None]]:
    """Assign the colours to the faces in every other order; keep those nearly as likely.

    Args:
        best: The likeliest attempt so far; its pictures are in their order.
        fixed: Faces with a given colour.
        most: Maximum number of orders.

    Returns:
        A lower bound of the extra cost, nats, and each face's colour; the likeliest first. A final
        None stands for all orders that were not tried.
    """
    costs = best.fit.sticker_costs[0]
    first = float(costs[np.arange(54), best.fit.labels[0]].sum())
    window = _WINDOW if best.law.known_order else _EXCHANGE_WINDOW
    limit = first + window
    found: list[tuple[float, Order | None]] = []
    for tried, (bound, order) in enumerate(sorted(_bounds(best, fixed, limit))):
        if bound > limit:
            break
        if tried == _MOST_TRIED:
            found = [*found[: most - 1], (bound - first, None)]
            break
        centres, named = _named(costs, order)
        total = centres + best.any_placement.least_cost(named, limit - centres)
        if total <= limit:
            found = sorted([*found, (total - first, order)], key=itemgetter(0))[:most]
            if not best.law.known_order:
                limit = min(limit, first + found[0][0] + window)
            if len(found) == most:
                limit = min(limit, first + found[-1][0])
    return [one for one in found if first + one[0] <= limit]


def _bounds(best: Attempt, fixed: Collection[int], limit: float) -> Iterator[tuple[float, Order]]:
    """Return lower bounds, nats, of the orders that may stay below a limit."""
    costs = best.fit.sticker_costs[0]
    least = float(np.delete(costs, CENTRES, axis=0).min(axis=1).sum())
    for order in _orders(fixed) if best.law.known_order else _exchanges(best.odd_centres()):
        centres, named = _named(costs, order)
        if centres + least <= limit:
            yield centres + best.any_placement.least_bound(named), order


def _named(costs: Array, order: Order) -> tuple[float, Array]:
    """Return the cost of the centres in an order, and of the other stickers, (54, 6)."""
    named = costs[:, order]
    named[CENTRES] = 0.0
    return float(costs[CENTRES, order].sum()), named


def _orders(fixed: Collection[int]) -> list[Order]:
    """Return all orders of six but the first."""
    free = [face for face in range(6) if face not in fixed]
    found = []
    for choice in permutations(free):
        order = list(range(6))
        for face, colour in zip(free, choice, strict=True):
            order[face] = colour
        found.append(tuple(order))
    return found[1:]


def _exchanges(odd: Sequence[int]) -> list[Order]:
    """Return the orders in which one of some odd centres exchanges its colour with another face.

    A reflection can make a centre look like another face's colour; then the colour of the spoilt
    centre went to the other face, whose own centre looks odd. All orders of pictures that may come
    in any order would take a second.
    """
    found = []
    for one, other in combinations(range(6), 2):
        if one in odd or other in odd:
            order = list(range(6))
            order[one], order[other] = other, one
            found.append(tuple(order))
    return found
