"""The quality of a look at a face: how sharp it is, and which stickers are covered or glared.

The frames in which a face is held still become one look, their mean.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import UNSEEN, FaceReading

Array = NDArray[np.float64]
# The face is straightened to squares of this many pixels per sticker; the margin is ignored.
_CELL, _MARGIN = 40, 11
_SIDE = 3 * _CELL
# Second differences along the four directions of the pixel grid: motion blur reduces one of them.
_DIRECTIONS = tuple(
    np.array(kernel, dtype=np.float64)
    for kernel in (
        [[0, 0, 0], [1, -2, 1], [0, 0, 0]],
        [[0, 1, 0], [0, -2, 0], [0, 1, 0]],
        [[1, 0, 0], [0, -2, 0], [0, 0, 1]],
        [[0, 0, 1], [0, -2, 0], [1, 0, 0]],
    )
)
# A pixel with this ΔE from the middle colour of its sticker belongs to something else, and so does
# a sticker with this share of such pixels. Of whole faces on phone photos, the most uneven sticker
# has 4 %; a finger over a part of one adds 12 % and more in nine of ten.
_ELSEWHERE, _SPOILT_SHARE = 15.0, 0.1


def sharpness(image_bgr: NDArray[np.uint8], face: FaceReading) -> float:
    """Measure the sharpness of a face in its least sharp direction, independent of size and light.

    The variance of the second differences of the face, straightened to a fixed size, over the
    variance of its lightness: as Pech-Pacheco et al. (2000), but by direction.

    Args:
        image_bgr: (h, w, 3) uint8.
        face: The face found in it.

    Returns:
        0 and up; 0 for a face without contrast.
    """
    grey = cv2.cvtColor(_straight(image_bgr, face), cv2.COLOR_BGR2GRAY).astype(np.float64)
    variance = float(grey.var())
    if variance < 1.0:
        return 0.0
    return min(float(cv2.filter2D(grey, -1, kernel).var()) for kernel in _DIRECTIONS) / variance


def spoilt_stickers(image_bgr: NDArray[np.uint8], face: FaceReading) -> tuple[int, ...]:
    """Return the stickers that are partly covered: by a finger, or by a lamp's reflection.

    The centre is never included, because it may have a logo. A sticker that is completely covered
    is even, and not included either.

    Args:
        image_bgr: (h, w, 3) uint8.
        face: The face found in it.

    Returns:
        Numbers 0..8.
    """
    calm = cv2.GaussianBlur(_straight(image_bgr, face), (3, 3), 0)
    lab = cv2.cvtColor(calm.astype(np.float32) / 255.0, cv2.COLOR_BGR2LAB)
    cells = lab.reshape(3, _CELL, 3, _CELL, 3).swapaxes(1, 2)
    inner = cells[:, :, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN].reshape(9, -1, 3)
    away = np.linalg.norm(inner - np.median(inner, axis=1, keepdims=True), axis=2)
    share = (away > _ELSEWHERE).mean(axis=1)
    return tuple(number for number in range(9) if number != 4 and share[number] > _SPOILT_SHARE)


def one_look(
    best: FaceReading, frames: Sequence[FaceReading], spoilt: Sequence[int]
) -> FaceReading:
    """Combine the frames of a face that was held still into one look.

    They have the same light and glare, and independent noise, so their mean is one look.

    Args:
        best: The reading whose places are used.
        frames: All readings, this one among them.
        spoilt: Stickers that do not count as seen.
    """
    labs = np.array([[sticker.lab for sticker in frame.stickers] for frame in frames])
    seen = np.isfinite(labs)
    count = seen.sum(axis=0)
    mean = np.where(count > 0, np.where(seen, labs, 0.0).sum(axis=0) / np.maximum(count, 1), np.nan)
    stickers = tuple(
        replace(sticker, lab=UNSEEN if number in spoilt else tuple(mean[number].tolist()))
        for number, sticker in enumerate(best.stickers)
    )
    return replace(best, stickers=stickers)


def _straight(image_bgr: NDArray[np.uint8], face: FaceReading) -> NDArray[np.uint8]:
    """(_SIDE, _SIDE, 3) uint8 BGR."""
    corners = np.array(face.corners, dtype=np.float32)
    target = np.array([(0, 0), (_SIDE, 0), (_SIDE, _SIDE), (0, _SIDE)], dtype=np.float32)
    straight = cv2.warpPerspective(
        image_bgr, cv2.getPerspectiveTransform(corners, target), (_SIDE, _SIDE)
    )
    return np.asarray(straight, dtype=np.uint8)
