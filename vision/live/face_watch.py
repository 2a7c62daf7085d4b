"""Finds the face in successive frames of a live camera, each within a time limit."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vision.faces.copies import COPIES
from vision.faces.finder import LIVE_LIMIT_S, search_copies
from vision.reading import FaceReading


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
