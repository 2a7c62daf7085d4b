"""Finds the face of a 2×2×2 cube in a picture: four stickers in a square."""

import time
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.candidates import Candidates, find_candidates
from vision.faces.copies import COPIES, large, small
from vision.faces.finder import PHOTO_LIMIT_S
from vision.geometry.sampling import as_bgr8
from vision.pocket.square_score import Array, pocket_scores

# A neighbour is this many sticker sides away, and its side differs by at most this factor.
_LEAST_STEP, _MOST_STEP, _MOST_RATIO = 0.95, 1.6, 1.45
# The two directions of a face: cosine of their angle, ratio of their lengths (a face seen at 50°),
# and the maximum distance of a sticker from the position given by the other three, in steps.
_MOST_COSINE, _MOST_STRETCH, _MOST_OFF = 0.35, 1.6, 0.18
# Maximum number of squares returned: a tiled floor has hundreds.
_MOST_SQUARES = 24
# The places around a square, in lattice coordinates; the distance to one of them, in steps, at
# which a region continues the pattern; and the maximum ratio of its side to the stickers'.
_RING = np.array([(x, y) for y in range(-1, 3) for x in range(-1, 3) if {x, y} & {-1, 2}])
_NEAR, _ALIKE = 0.25, 1.35


def propose_squares(candidates: Candidates) -> tuple[Array, Array]:
    """Find regions in squares, the largest and most regular ones first.

    Returns:
        (k, 4, 2) pixels, their centres row by row, and (k, 3), each 0..1: the cosine between rows
        and columns, the share of the 12 places around that contain a region as well, and the share
        of a step that a region fills.
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
    """Return the share of places around a square with a region, and the filled share of a step.

    Args:
        four: The regions of the square.
        centres: (n, 2) pixels, of all regions.
        sizes: (n,) their sides.
        known: (n,) whether the whole region is in the picture.
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


# The copies that are always searched, and the minimum side of a copy in pixels.
_PLAIN, _LEAST_PX = (small, large), 16
# Log odds below which no face is reported. Cross-validated, 356 of 472 stressed faces are found and
# 8 of 600 pictures without a cube show one; at 0.5, 365 and 13.
_LEAST_SCORE = 1.0
# Side of a sticker's outline as a share of the step.
_OUTLINE = 0.8


def find_pocket_face(image_bgr: NDArray[np.uint8], limit_s: float = PHOTO_LIMIT_S) -> Array | None:
    """Find the four stickers of one face of a 2×2×2 cube.

    Regions of even colour are the candidates; four at the corners of a parallelogram with sides of
    about one sticker may be the face, if the picture there looks like one. The better one of the
    plain copies counts; if they show none, the other copies are searched until one does.

    Args:
        image_bgr: (h, w, 3) uint8; grey pictures, alpha channels and 16 bits are accepted too.
        limit_s: Seconds of processor time after which no further copy is searched.

    Returns:
        (4, 4, 2) pixels, four outlines, row by row, corners clockwise from top left; None without
        a face.

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
        if found is not None and found[0] >= max(_LEAST_SCORE, best[0] if best else -np.inf):
            best = found[0], copy.to_picture(found[1])
    return None if best is None else _outlines(best[1])


def _best_square(image: NDArray[np.uint8]) -> tuple[float, Array] | None:
    """Return score and centres, (4, 2) row by row, of the likeliest face."""
    candidates = find_candidates(image)
    squares, fits = propose_squares(candidates)
    if not len(squares):
        return None
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    scores = pocket_scores(lab, candidates.edges, squares, fits)
    best = int(np.argmax(scores))
    return float(scores[best]), squares[best]


def _outlines(middles: Array) -> Array:
    a = (middles[1] - middles[0] + middles[3] - middles[2]) / 4.0 * _OUTLINE
    b = (middles[2] - middles[0] + middles[3] - middles[1]) / 4.0 * _OUTLINE
    return np.array([(m - a - b, m + a - b, m + a + b, m - a + b) for m in middles])
