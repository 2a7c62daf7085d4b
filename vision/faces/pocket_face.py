"""Find the face of a 2×2×2 cube in a picture: four stickers in a square."""

import time

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.candidates import find_candidates
from vision.faces.copies import COPIES, large, small
from vision.faces.finder import PHOTO_LIMIT_S
from vision.faces.pocket_score import pocket_scores
from vision.faces.pocket_squares import propose_squares
from vision.geometry.sampling import as_bgr8
from vision.reading import Polygon, as_polygon

Array = NDArray[np.float64]

# The copies that are searched in any case, and the least side of a copy in pixels.
_PLAIN, _LEAST_PX = (small, large), 16
# Log odds below which no face is reported. Cross-validated, 356 of 472 stressed faces are found and
# 8 of 600 pictures without a cube show one; at 0.5, 365 and 13.
_LEAST_SCORE = 1.0
# Side of a sticker's outline as a share of the step.
_OUTLINE = 0.8


def find_pocket_face(
    image_bgr: NDArray[np.uint8], limit_s: float = PHOTO_LIMIT_S
) -> tuple[Polygon, ...] | None:
    """Find the four stickers of one face of a 2×2×2 cube.

    Regions of even colour are the candidates; four at the corners of a parallelogram with sides of
    about one sticker may be the face (`vision.faces.pocket_squares`), if what the picture shows
    there looks like one (`vision.faces.pocket_score`). The better one of the plain copies counts;
    where they show none, the other copies are searched until one does.

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
        if found is not None and found[0] >= max(_LEAST_SCORE, best[0] if best else -np.inf):
            best = found[0], copy.to_picture(found[1])
    return None if best is None else _outlines(best[1])


def _best_square(image: NDArray[np.uint8]) -> tuple[float, Array] | None:
    """Score and middles, (4, 2) row by row, of the likeliest face."""
    candidates = find_candidates(image)
    squares, fits = propose_squares(candidates)
    if not len(squares):
        return None
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    scores = pocket_scores(lab, candidates.edges, squares, fits)
    best = int(np.argmax(scores))
    return float(scores[best]), squares[best]


def _outlines(middles: Array) -> tuple[Polygon, ...]:
    a = (middles[1] - middles[0] + middles[3] - middles[2]) / 4.0 * _OUTLINE
    b = (middles[2] - middles[0] + middles[3] - middles[1]) / 4.0 * _OUTLINE
    corners = ((m - a - b, m + a - b, m + a + b, m - a + b) for m in middles)
    return tuple(as_polygon(np.array(each), 15) for each in corners)
