"""Guesses of a face's lattice of three rows of three; each guess has votes.

Each candidate with two neighbours at about a right angle proposes the two steps of a lattice; all
candidates of about the same size that are on its points vote for it. The steps need not be equal or
perpendicular, so this also works for a face seen from the side.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LEAST_STEP, MOST_STEP = 0.85, 1.70
"""Distance of neighbours in sticker sides: stickerless cubes touch, old stickers and blurred ones
leave wide black gaps.
"""
# Largest ratio of the square roots of the areas of one face's stickers.
_SIZE_RATIO = 1.45
# The two steps of a lattice enclose an angle with at least this sine, and differ by at most this
# ratio.
_LEAST_SINE, _STEP_RATIO = 0.62, 1.7
# Maximum distance of a voter from its lattice point, in steps.
_VOTE_RADIUS = 0.22
# Number of guesses that are voted on, and number returned: a tiled floor has thousands.
_MOST_GUESSES, _MOST_RETURNED = 400, 80
# Candidates from which guesses start: the last ones, with the largest weights.
_MOST_CANDIDATES = 200
# Neighbours examined: four in a lattice, and some that are not in it.
_MOST_ARMS = 8
# Distance in steps from the guess's origin up to which points are examined: a face does not extend
# further.
_REACH = 2
_SPAN = 2 * _REACH + 1


@dataclass(frozen=True, slots=True, eq=False)
class Guesses:
    """Affine lattices, most votes first.

    Attributes:
        votes: (k,).
        first: (k, 2) pixels, the middle of the first sticker.
        steps: (k, 2, 2) pixels, along a row and down a column.
    """

    votes: Array
    first: Array
    steps: Array


def propose(centres: Array, sizes: Array, weights: Array) -> Guesses:
    """Guess lattices from pairs of neighbours.

    Args:
        centres: (n, 2) pixels.
        sizes: (n,) sides in pixels.
        weights: (n,) weight of each candidate's vote, in increasing order.
    """
    last = slice(max(0, len(sizes) - _MOST_CANDIDATES), None)
    origins, steps = _neighbours(centres[last], sizes[last], weights[last])
    origins = origins + (len(sizes) - len(sizes[last]))
    grids = _votes(centres, sizes, weights, origins, steps)
    windows = np.stack(
        [
            grids[:, row : row + 3, column : column + 3].sum(axis=(1, 2))
            for row in range(3)
            for column in range(3)
        ],
        axis=1,
    ).ravel()
    best = np.argsort(-windows, kind="stable")[:_MOST_RETURNED]
    guess, window = np.divmod(best, 9)
    place = np.stack([window % 3, window // 3], axis=1) - _REACH
    first = centres[origins[guess]] + np.einsum("ki,kij->kj", place, steps[guess])
    return Guesses(windows[best], first, steps[guess])


def _neighbours(centres: Array, sizes: Array, weights: Array) -> tuple[NDArray[np.intp], Array]:
    """Return origins (h,), candidate indices, and steps (h, 2, 2): along a row, down a column."""
    offset = centres[None, :, :] - centres[:, None, :]
    distance = np.hypot(offset[..., 0], offset[..., 1])
    ratio = sizes[None, :] / sizes[:, None]
    side = np.sqrt(sizes[None, :] * sizes[:, None])
    near = (
        (distance > LEAST_STEP * side)
        & (distance < MOST_STEP * side)
        & (ratio < _SIZE_RATIO)
        & (ratio > 1 / _SIZE_RATIO)
    )
    # The nearest few; a neighbour to the left stands for one to the right, one above for one below.
    order = np.argsort(np.where(near, distance, np.inf), axis=1, kind="stable")[:, :_MOST_ARMS]
    here = np.arange(len(sizes))[:, None]
    is_arm = np.tile(near[here, order], 2)
    trust = np.tile(weights[order], 2)
    arms = np.concatenate([offset[here, order], -offset[here, order]], axis=1)
    x, y, length = arms[..., 0], arms[..., 1], np.hypot(arms[..., 0], arms[..., 1])
    # One of the four equivalent pairs is enough: the one whose first step points to the right.
    first = is_arm & (np.abs(y) <= x)
    cross = x[:, :, None] * y[:, None, :] - y[:, :, None] * x[:, None, :]
    pair = first[:, :, None] & is_arm[:, None, :]
    pair &= cross > _LEAST_SINE * length[:, :, None] * length[:, None, :]
    pair &= length[:, :, None] < _STEP_RATIO * length[:, None, :]
    pair &= length[:, None, :] < _STEP_RATIO * length[:, :, None]
    origin, a, b = np.nonzero(pair)
    trusted = weights[origin] + trust[origin, a] + trust[origin, b]
    best = np.argsort(-trusted, kind="stable")
    origin, a, b = origin[best], a[best], b[best]
    steps = np.stack([arms[origin, a], arms[origin, b]], axis=1)
    coarse = np.rint(steps.reshape(-1, 4) / (0.12 * sizes[origin, None])).astype(np.int64) + 64
    code = np.ravel_multi_index((origin, *coarse.T), (len(sizes), 128, 128, 128, 128), mode="clip")
    _, kept = np.unique(code, return_index=True)
    kept = np.sort(kept)[:_MOST_GUESSES]
    return origin[kept], steps[kept]


def _votes(
    centres: Array, sizes: Array, weights: Array, origins: NDArray[np.intp], steps: Array
) -> Array:
    """Return (h, 5, 5) [row, column]: the votes for the points within two steps of each origin."""
    (ax, ay), (bx, by) = steps[:, 0].T, steps[:, 1].T
    area = ax * by - ay * bx
    x = centres[None, :, 0] - centres[origins, None, 0]
    y = centres[None, :, 1] - centres[origins, None, 1]
    column = (x * by[:, None] - y * bx[:, None]) / area[:, None]
    row = (y * ax[:, None] - x * ay[:, None]) / area[:, None]
    near_column, near_row = np.rint(column), np.rint(row)
    ratio = sizes[None, :] / sizes[origins, None]
    hit = (
        (np.abs(column - near_column) < _VOTE_RADIUS)
        & (np.abs(row - near_row) < _VOTE_RADIUS)
        & (np.abs(near_column) <= _REACH)
        & (np.abs(near_row) <= _REACH)
        & (ratio < _SIZE_RATIO)
        & (ratio > 1 / _SIZE_RATIO)
    )
    guess, candidate = np.nonzero(hit)
    grids = np.zeros((len(origins), _SPAN, _SPAN))
    # Of two candidates on one point the later one counts: weights are increasing.
    grids[
        guess,
        near_row[guess, candidate].astype(np.intp) + _REACH,
        near_column[guess, candidate].astype(np.intp) + _REACH,
    ] = weights[candidate]
    return grids
