"""Hand-held capture of a 2×2×2 cube: how to turn it, and when to take the picture.

Its faces have no centres that could name them, so the program tells the user how to turn the cube
from each face to the next one. Pure logic, like `vision.live.capture`.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.colours.colour_spaces import HALF_LIGHTNESS, LESS_LIGHTNESS, delta_e
from vision.colours.first_guesses import nearest_colour
from vision.frame import Frame
from vision.geometry.sampling import sample_polygons
from vision.live.still_face import COLOUR_CHANGE, SHIFT, STILL_FRAMES, WINDOW
from vision.pocket.decoding import PocketReading
from vision.pocket.faces import find_pocket_face

Array = NDArray[np.float64]

_STEPS = {
    "F": "Show any face. From now on, turn the cube only as described.",
    "R": "Make a quarter turn of the whole cube, clockwise as seen from above.",
    "B": "Make another quarter turn, clockwise as seen from above.",
    "L": "Make one more quarter turn, clockwise as seen from above.",
    "U": "Turn it once more, back to the first face, then tip its top towards the camera.",
    "D": "Tip it back, then tip it by another quarter turn, so that its bottom faces the camera.",
}
"""The rotation that brings each face before the camera, upright as in the usual net, from the
previous one.
"""

# Time limit per frame, in seconds of processor time.
_LIMIT_S = 0.05
# ΔE below which every sticker must be for a face to be the one captured last.
_SAME_STICKER = 14.0
# ΔE from the median of its colour above which a sticker has another one, lightness counted less.
_ODD_STICKER = 35.0


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Corners of the four stickers, (4, 4, 2) pixels, and their CIELAB, (4, 3)."""

    places: Array
    labs: Array

    @property
    def side_px(self) -> float:
        return float(np.linalg.norm(self.places[0, 0] - self.places[3, 2])) / 2**0.5


class PocketScan:
    """Collects the six faces one after the other, each once it is held still."""

    def __init__(self) -> None:
        self._labs: dict[str, Array] = {}
        self._frames: list[Frame] = []
        self._recent: deque[_Seen | None] = deque(maxlen=WINDOW)

    @property
    def wanted(self) -> str | None:
        """The face to show now, None if all are captured."""
        return next((face for face in _STEPS if face not in self._labs), None)

    @property
    def labs(self) -> dict[str, Array]:
        """CIELAB, (4, 3), of each face captured so far, row by row."""
        return dict(self._labs)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The pictures of the faces captured so far, in the order of capture."""
        return tuple(self._frames)

    @property
    def colours(self) -> dict[str, Sequence[str]]:
        """The nearest colour names of each face captured so far."""
        return {face: [nearest_colour(lab)[0] for lab in labs] for face, labs in self._labs.items()}

    def feed(self, frame: Frame, *, now: bool = False) -> str:
        """Search a frame for the face, capture it if it is held still, and return what to do.

        Args:
            frame: The next picture.
            now: Capture the face at once: the user pressed a key.
        """
        wanted = self.wanted
        if wanted is None:
            return "All six faces are captured."
        seen = _look(frame)
        self._recent.append(seen)
        if seen is None:
            return _STEPS[wanted]
        alike = [one for one in self._recent if one is not None and _still(one, seen)]
        if not now:
            if self._is_last(seen):
                return f"This face has already been captured. {_STEPS[wanted]}"
            if len(alike) < STILL_FRAMES:
                return "Hold still."
        self._labs[wanted] = np.mean([one.labs for one in alike], axis=0)
        self._frames.append(frame)
        self._recent.clear()
        following = self.wanted
        return "That was the last one." if following is None else f"Captured. {_STEPS[following]}"

    def _is_last(self, seen: _Seen) -> bool:
        """Return whether these are the stickers that were captured last."""
        last = list(self._labs.values())[-1:]
        return any(delta_e(seen.labs, labs, HALF_LIGHTNESS).max() < _SAME_STICKER for labs in last)


def _still(one: _Seen, other: _Seen) -> bool:
    shift = float(np.abs(one.places - other.places).max())
    apart = float(np.median(delta_e(one.labs, other.labs)))
    return shift <= SHIFT * other.side_px and apart <= COLOUR_CHANGE


def looks_alike(reading: PocketReading) -> bool:
    """Return whether every sticker looks like the others of its colour.

    Without centres some cube fits any six faces; if they were not shown as instructed, stickers are
    assigned to colours that they do not have. Of 100 cubes in uneven light (each face's lightness
    off by 8, its hue by 4, each sticker by 4, standard deviations) the oddest sticker was 22 off;
    of as many with a face shown twice, 46 and more.
    """
    labs, letters = np.array(reading.labs) * LESS_LIGHTNESS, np.array(list(reading.facelets))
    return all(
        np.linalg.norm(alike - np.median(alike, axis=0), axis=1).max() < _ODD_STICKER
        for alike in (labs[letters == letter] for letter in set(reading.facelets))
    )


def _look(frame: Frame) -> _Seen | None:
    outlines = find_pocket_face(frame.image, _LIMIT_S)
    if outlines is None:
        return None
    labs = sample_polygons(frame.image, outlines)
    return _Seen(outlines, labs) if np.isfinite(labs).all() else None
