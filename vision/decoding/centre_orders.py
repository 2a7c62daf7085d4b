"""Which colour belongs to which face, where centres do not tell.

Centres are not seen, or something covers them: a coupler, a disc, a logo. Then the colours are
known, but not whose they are, and a cube may explain the pictures as well with its colours
exchanged: with four centres hidden there is always another one, the whole cube turned by 180°.
"""

from collections.abc import Collection
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from vision.colours.nine_each import CENTRES
from vision.decoding.attempt import Attempt

Array = NDArray[np.float64]
Order = tuple[int, ...]

# Orders are followed up when they may cost so many nats more than the first one.
_WINDOW = 20.0


def centre_orders(best: Attempt, fixed: Collection[int]) -> list[tuple[float, Order]]:
    """Give the colours to the faces in every other order, and keep what is nearly as likely.

    Args:
        best: The likeliest attempt so far; its pictures come in their order.
        fixed: Faces whose colour was told.

    Returns:
        How much dearer, nats, at least, and which colour each face then has; the likeliest first.
    """
    costs = best.fit.sticker_costs[0]
    everywhere = np.arange(54)
    limit = float(costs[everywhere, best.fit.labels[0]].sum()) + _WINDOW
    others = np.delete(everywhere, CENTRES)
    least = float(costs[others].min(axis=1).sum())
    found = []
    for order in _orders(fixed):
        centres = float(costs[CENTRES, order].sum())
        if centres + least > limit:
            continue
        named = costs[:, order]
        named[CENTRES] = 0.0
        if centres + best.constraint.least_bound(named) > limit:
            continue
        total = centres + best.constraint.placements(named, 0.0)[0][0]
        if total <= limit:
            found.append((total - limit + _WINDOW, tuple(order)))
    return sorted(found)


def _orders(fixed: Collection[int]) -> list[list[int]]:
    """All orders of six but the first."""
    free = [face for face in range(6) if face not in fixed]
    found = []
    for choice in permutations(free):
        order = list(range(6))
        for face, colour in zip(free, choice, strict=True):
            order[face] = colour
        found.append(order)
    return found[1:]
