"""Cheapest assignments: stickers to colours, pieces to places.

This is a transportation problem, which OpenCV solves for the distance between histograms. SciPy's
assignment solver would work, too, but importing it takes longer than reading a cube.

Every colour occurs nine times: the cheapest balanced assignment of the stickers.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.colour_model import seen_stickers


def cheapest_assignment(costs: NDArray[np.float64], times: int = 1) -> NDArray[np.intp]:
    """Assign a column to each row, and `times` rows to each column, at minimum total cost.

    Args:
        costs: (rows, columns) finite; sums are compared with a precision of six digits.
        times: Rows per column; rows ≤ columns · times.

    Returns:
        (rows,) column of each row.
    """
    rows, columns = costs.shape
    supply = np.ones((rows, 1), np.float32)
    demand = np.full((columns, 1), times, np.float32)
    _, _, flow = cv2.EMD(supply, demand, cv2.DIST_USER, np.ascontiguousarray(costs, np.float32))
    return np.asarray(np.asarray(flow).argmax(axis=1), dtype=np.intp)


Array = NDArray[np.float64]
Labels = NDArray[np.intp]

CENTRES = np.arange(4, 54, 9)


def nine_per_colour(costs: Array) -> Labels:
    """Assign exactly nine stickers to each colour, its centre among them, at minimum total cost.

    Args:
        costs: (54, 6) finite.

    Returns:
        (54,) colour of each sticker, index in URFDLB.
    """
    labels = np.empty(54, dtype=np.intp)
    labels[CENTRES] = np.arange(6)
    others = np.delete(np.arange(54), CENTRES)
    labels[others] = cheapest_assignment(costs[others], times=8)
    return labels


def nine_nearest(colours: Array, means: Array) -> Labels:
    """Assign to each of (6, 3) means nine of (54, 3) colours, with the least total distance."""
    distance = ((colours[:, None] - means) ** 2).sum(axis=2)
    return nine_per_colour(np.nan_to_num(distance))


def median_colours(colours: Array, labels: Labels, fallback: Array) -> Array:
    """Return the (6, 3) medians of the visible stickers of each colour.

    Args:
        colours: (stickers, 3); NaN where not seen.
        labels: (stickers,) the same number for each colour.
        fallback: (6, 3) for colours without visible stickers.
    """
    values = np.where(seen_stickers(colours)[:, None], colours, np.inf)
    ranked = np.sort(values[np.argsort(labels, kind="stable")].reshape(6, -1, 3), axis=1)
    count = np.isfinite(ranked[:, :, 0]).sum(axis=1)
    each = np.arange(6)
    middle = 0.5 * (ranked[each, (count - 1) // 2] + ranked[each, count // 2 % ranked.shape[1]])
    return np.asarray(np.where(count[:, None] > 0, middle, fallback))


def nearest_medians(colours: Array, seeds: Array) -> Array:
    """Return the medians of the nine nearest; see `vision.colours.first_guesses.Proposer`."""
    return median_colours(colours, nine_nearest(colours, seeds), seeds)
