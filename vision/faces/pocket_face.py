"""Find the face of a 2×2×2 cube in a picture: four stickers in a square."""

import time
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.faces.candidates import find_candidates
from vision.faces.copies import COPIES, large, small
from vision.faces.finder import PHOTO_LIMIT_S
from vision.geometry.sampling import as_bgr8, sample_polygon
from vision.reading import Polygon, as_polygon

Array = NDArray[np.float64]

# The copies that are searched in any case, and the least side of a copy in pixels.
_PLAIN, _LEAST_PX = (small, large), 16
# A neighbour is this many sticker sides away, and its side differs by at most this factor.
_LEAST_STEP, _MOST_STEP, _MOST_RATIO = 0.95, 1.6, 1.45
# The two directions of a face: cosine of their angle, ratio of their lengths (a face seen at 50°),
# and how far a sticker may lie from where the other three put it, in steps.
_MOST_COSINE, _MOST_STRETCH, _MOST_OFF = 0.35, 1.6, 0.18
# Side of a sticker's outline as a share of the step.
_OUTLINE = 0.8


def find_pocket_face(
    image_bgr: NDArray[np.uint8], limit_s: float = PHOTO_LIMIT_S
) -> tuple[Polygon, ...] | None:
    """Find the four stickers of one face of a 2×2×2 cube.

    Regions of even colour are the candidates; the largest four that lie at the corners of a
    parallelogram with sides of about one sticker are the face. The better one of the plain copies
    counts; where they show none, the other copies are searched until one does.

    Args:
        image_bgr: (h, w, 3) uint8; grey pictures, alpha channels and 16 bits are accepted too.
        limit_s: How many seconds of a processor's time may have passed when another copy is begun.

    Returns:
        Four outlines, row by row, corners clockwise from top left, pixels; None without a face.

    Raises:
        VisionError: The picture has no pixels.
    """
    image = as_bgr8(image_bgr)
    begin = time.thread_time()
    best: tuple[float, Array] | None = None
    for make in sorted(COPIES, key=lambda make: make not in _PLAIN):
        if make not in _PLAIN and (best is not None or time.thread_time() - begin > limit_s):
            break
        copy = make(image)
        if copy is None or min(copy.image.shape[:2]) < _LEAST_PX:
            continue
        found = _best_square(copy.image)
        if found is not None and (best is None or found[0] > best[0]):
            best = found[0], copy.to_picture(found[1])
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
