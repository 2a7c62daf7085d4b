"""Which colour belongs to which face, where centres do not tell.

Centres are not seen, or something covers them: a coupler, a disc, a logo. Then the colours are
known, but not whose they are, and a cube may explain the pictures as well with its colours
exchanged: with four centres hidden there is always another one, the whole cube turned by 180°.
"""

from collections.abc import Collection, Iterator
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from vision.colours.nine_each import CENTRES
from vision.decoding.attempt import Attempt

Array = NDArray[np.float64]
Order = tuple[int, ...]

# Orders are followed up when they may cost so many nats more than the first one.
_WINDOW = 20.0


def centre_orders(best: Attempt, fixed: Collection[int], most: int) -> list[tuple[float, Order]]:
    """Give the colours to the faces in every other order, and keep what is nearly as likely.

    Args:
        best: The likeliest attempt so far; its pictures come in their order.
        fixed: Faces whose colour was told.
        most: So many orders are wanted.

    Returns:
        How much dearer, nats, at least, and which colour each face then has; the likeliest first.
    """
    costs = best.fit.sticker_costs[0]
    first = float(costs[np.arange(54), best.fit.labels[0]].sum())
    limit = first + _WINDOW
    found: list[tuple[float, Order]] = []
    for bound, order in sorted(_bounds(best, fixed, limit)):
        if bound > limit:
            break
        centres, named = _named(costs, order)
        total = centres + best.constraint.least_cost(named, limit - centres)
        if total <= limit:
            found = sorted([*found, (total - first, order)])[:most]
            if len(found) == most:
                limit = first + found[-1][0]
    return found


def _bounds(best: Attempt, fixed: Collection[int], limit: float) -> Iterator[tuple[float, Order]]:
    """Lower bounds, nats, of the orders that may stay below a limit."""
    costs = best.fit.sticker_costs[0]
    least = float(np.delete(costs, CENTRES, axis=0).min(axis=1).sum())
    for order in _orders(fixed):
        centres, named = _named(costs, order)
        if centres + least <= limit:
            yield centres + best.constraint.least_bound(named), order


def _named(costs: Array, order: Order) -> tuple[float, Array]:
    """What the centres cost in an order, and the other stickers, (54, 6)."""
    named = costs[:, order]
    named[CENTRES] = 0.0
    return float(costs[CENTRES, order].sum()), named


def _orders(fixed: Collection[int]) -> list[Order]:
    """All orders of six but the first."""
    free = [face for face in range(6) if face not in fixed]
    found = []
    for choice in permutations(free):
        order = list(range(6))
        for face, colour in zip(free, choice, strict=True):
            order[face] = colour
        found.append(tuple(order))
    return found[1:]
