"""Find the face of a 2×2×2 cube in a picture: four stickers in a square."""

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.candidates import find_candidates
from vision.geometry.sampling import as_bgr8, sample_polygon
from vision.reading import Polygon, as_polygon

Array = NDArray[np.float64]

_SEARCH_SIDES = (320, 640)
# A neighbour is this many sticker sides away, and its side differs by at most this factor.
_LEAST_STEP, _MOST_STEP, _MOST_RATIO = 0.95, 1.6, 1.45
# The two directions of a face: cosine of their angle, ratio of their lengths (a face seen at 50°),
# and how far a sticker may lie from where the other three put it, in steps.
_MOST_COSINE, _MOST_STRETCH, _MOST_OFF = 0.35, 1.6, 0.18
# Side of a sticker's outline as a share of the step.
_OUTLINE = 0.8


def find_pocket_face(image_bgr: NDArray[np.uint8]) -> tuple[Polygon, ...] | None:
    """Find the four stickers of one face of a 2×2×2 cube.

    Regions of even colour are the candidates; the largest four that lie at the corners of a
    parallelogram with sides of about one sticker are the face.

    Args:
        image_bgr: (h, w, 3) uint8; grey pictures, alpha channels and 16 bits are accepted too.

    Returns:
        Four outlines, row by row, corners clockwise from top left, pixels; None without a face.

    Raises:
        VisionError: The picture has no pixels.
    """
    image = as_bgr8(image_bgr)
    best: tuple[float, Array] | None = None
    for side in _SEARCH_SIDES:
        scale = min(1.0, side / max(image.shape[:2]))
        if round(min(image.shape[:2]) * scale) < 16:
            continue
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        found = _best_square(np.asarray(small, dtype=np.uint8))
        if found is not None:
            score, middles = found
            if best is None or score > best[0]:
                best = score, (middles + 0.5) / scale - 0.5
    return None if best is None else _outlines(best[1])


def _best_square(image: NDArray[np.uint8]) -> tuple[float, Array] | None:
    """Score and middles, (4, 2) row by row, of the likeliest face."""
    candidates = find_candidates(image)
    centres, sizes = candidates.centres[candidates.whole], candidates.sizes[candidates.whole]
    offsets = centres[None] - centres[:, None]
    distance = np.linalg.norm(offsets, axis=2)
    larger = np.maximum(sizes[:, None], sizes)
    near = (distance > _LEAST_STEP * larger) & (distance < _MOST_STEP * larger)
    near &= larger < _MOST_RATIO * np.minimum(sizes[:, None], sizes)
    best: tuple[float, Array] | None = None
    for corner in range(len(centres)):
        right = [int(i) for i in np.flatnonzero(near[corner]) if _is_right(offsets[corner, i])]
        down = [int(i) for i in np.flatnonzero(near[corner]) if not _is_right(offsets[corner, i])]
        for i, j in product(right, down):
            a, b = offsets[corner, i], offsets[corner, j]
            if a[0] < 0 or b[1] < 0:
                continue
            steps = float(distance[corner, i]), float(distance[corner, j])
            cosine = abs(float(a @ b)) / (steps[0] * steps[1])
            if cosine > _MOST_COSINE or max(steps) > _MOST_STRETCH * min(steps):
                continue
            off = np.linalg.norm(centres - (centres[corner] + a + b), axis=1) / min(steps)
            fourth = int(off.argmin())
            if off[fourth] > _MOST_OFF or not near[i, fourth] or not near[j, fourth]:
                continue
            middles = centres[[corner, i, j, fourth]]
            score = float(min(sizes[[corner, i, j, fourth]]) * (1.0 - cosine - off[fourth]))
            score *= _evenness(image, middles)
            if best is None or score > best[0]:
                best = score, middles
    return best


def _is_right(offset: Array) -> bool:
    return abs(float(offset[0])) >= abs(float(offset[1]))


def _evenness(image: NDArray[np.uint8], middles: Array) -> float:
    """1 for four stickers of even colour, less for textured places."""
    spreads = [sample_polygon(image, outline).spread for outline in _outlines(middles)]
    return float(1.0 / (1.0 + np.nan_to_num(max(spreads), nan=1e3) / 5.0))


def _outlines(middles: Array) -> tuple[Polygon, ...]:
    a = (middles[1] - middles[0] + middles[3] - middles[2]) / 4.0 * _OUTLINE
    b = (middles[2] - middles[0] + middles[3] - middles[1]) / 4.0 * _OUTLINE
    corners = ((m - a - b, m + a - b, m + a + b, m - a + b) for m in middles)
    return tuple(as_polygon(np.array(each), 15) for each in corners)
