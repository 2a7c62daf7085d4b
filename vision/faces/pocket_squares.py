"""Four regions at the corners of a square: where the face of a 2×2×2 cube may be."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.faces.candidates import Candidates

Array = NDArray[np.float64]

# A neighbour is this many sticker sides away, and its side differs by at most this factor.
_LEAST_STEP, _MOST_STEP, _MOST_RATIO = 0.95, 1.6, 1.45
# The two directions of a face: cosine of their angle, ratio of their lengths (a face seen at 50°),
# and how far a sticker may lie from where the other three put it, in steps.
_MOST_COSINE, _MOST_STRETCH, _MOST_OFF = 0.35, 1.6, 0.18
# So many squares are returned at most: a tiled floor has hundreds.
_MOST_SQUARES = 24
# The places around a square, in lattice coordinates; how near to one of them a region lies that
# continues the pattern, in steps; and the ratio of its side to the stickers' at most.
_RING = np.array([(x, y) for y in range(-1, 3) for x in range(-1, 3) if {x, y} & {-1, 2}])
_NEAR, _ALIKE = 0.25, 1.35


def propose_squares(candidates: Candidates) -> tuple[Array, Array]:
    """Find regions in squares, the largest and most regular ones first.

    Returns:
        (k, 4, 2) pixels, their middles row by row, and (k, 3), each 0..1: the cosine between rows
        and columns, the share of the 12 places around that hold a region as well, and how much of a
        step a region fills.
    """
    whole = candidates.whole
    centres, sizes, cut = candidates.centres[whole], candidates.sizes[whole], candidates.cut[whole]
    offsets = centres[None] - centres[:, None]
    distance = np.linalg.norm(offsets, axis=2)
    larger = np.maximum(sizes[:, None], sizes)
    near = (distance > _LEAST_STEP * larger) & (distance < _MOST_STEP * larger)
    near &= larger < _MOST_RATIO * np.minimum(sizes[:, None], sizes)
    found: list[tuple[float, list[int], float]] = []
    for corner in range(len(centres)):
        arms = np.flatnonzero(near[corner]).tolist()
        right = [i for i in arms if _is_right(offsets[corner, i]) and offsets[corner, i, 0] >= 0]
        down = [i for i in arms if not _is_right(offsets[corner, i]) and offsets[corner, i, 1] >= 0]
        for i, j in product(right, down):
            a, b = offsets[corner, i], offsets[corner, j]
            steps = float(distance[corner, i]), float(distance[corner, j])
            cosine = abs(float(a @ b)) / (steps[0] * steps[1])
            if cosine > _MOST_COSINE or max(steps) > _MOST_STRETCH * min(steps):
                continue
            off = np.linalg.norm(centres - (centres[corner] + a + b), axis=1) / min(steps)
            fourth = int(off.argmin())
            if off[fourth] > _MOST_OFF or not near[i, fourth] or not near[j, fourth]:
                continue
            four = [corner, i, j, fourth]
            regular = float(min(sizes[four]) * (1.0 - cosine - off[fourth]))
            found.append((regular, four, cosine))
    found.sort(key=lambda square: -square[0])
    squares = [centres[four] for _, four, _ in found[:_MOST_SQUARES]]
    fits = [
        (cosine, *_fit(four, centres, sizes, ~cut)) for _, four, cosine in found[:_MOST_SQUARES]
    ]
    return np.array(squares).reshape(-1, 4, 2), np.array(fits).reshape(-1, 3)


def _fit(
    four: list[int], centres: Array, sizes: Array, known: NDArray[np.bool_]
) -> tuple[float, float]:
    """Share of the places around a square that hold a region as well, and of a step that is filled.

    Args:
        four: Which regions stand in a square.
        centres: (n, 2) pixels, of all regions.
        sizes: (n,) their sides.
        known: (n,) whether the whole region lies in the picture.
    """
    middles = centres[four]
    a = (middles[1] - middles[0] + middles[3] - middles[2]) / 2.0
    b = (middles[2] - middles[0] + middles[3] - middles[1]) / 2.0
    step = float(np.sqrt(abs(a[0] * b[1] - a[1] * b[0])))
    ring = middles.mean(axis=0) + (_RING - 0.5) @ np.stack([a, b])
    side = float(np.sqrt(np.mean(sizes[four] ** 2)))
    alike = (sizes < _ALIKE * side) & (sizes * _ALIKE > side) & known
    apart = np.linalg.norm(ring[:, None] - centres[None, alike], axis=2)
    around = np.count_nonzero((apart < _NEAR * step).any(axis=1)) / len(_RING)
    return around, min(1.0, side / step)


def _is_right(offset: Array) -> bool:
    return abs(float(offset[0])) >= abs(float(offset[1]))
