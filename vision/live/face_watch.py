"""Finds the face in successive frames of a live camera, each within a time limit.

It also judges the quality of a look at a face: sharp in every direction, and no sticker partly
covered or glared.

Finally, it computes the mean of a face over the frames in which it is held still.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.copies import COPIES
from vision.faces.finder import LIVE_LIMIT_S, search_copies
from vision.reading import UNSEEN, FaceReading


class FaceWatch:
    """Continues with another copy in the next frame if there is not enough time for all of one.

    A frame after one with a face begins with the copy that showed it. Otherwise every second frame
    begins with the first copy, which shows most faces, and those between with the others in turn.

    Args:
        limit_s: Limit per frame, in seconds of processor time; at least one copy is searched.
    """

    def __init__(self, limit_s: float = LIVE_LIMIT_S) -> None:
        self._limit_s = limit_s
        self._shown_by = -1
        self._next = 1
        self._first_again = True

    def find(self, image_bgr: NDArray[np.uint8]) -> FaceReading | None:
        """Find the face in the next frame, (h, w, 3) uint8.

        Raises:
            VisionError: The array is not a picture.
        """
        led = self._shown_by >= 0 or self._first_again
        first_led = self._shown_by == 0 or (self._shown_by < 0 and self._first_again)
        face, self._shown_by, searched = search_copies(image_bgr, self._limit_s, self._order())
        if face is None:
            self._next = 1 + (self._next - 1 + searched - led) % (len(COPIES) - 1)
            self._first_again = not first_led
        return face

    def _order(self) -> Iterator[int]:
        if self._shown_by >= 0:
            yield self._shown_by
        elif self._first_again:
            yield 0
        others = len(COPIES) - 1
        for step in range(others):
            number = 1 + (self._next - 1 + step) % others
            if number != self._shown_by:
                yield number


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
