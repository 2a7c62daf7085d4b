"""Whether two readings show the same face of a cube, perhaps rotated in its plane."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vision.colours.colour_spaces import HALF_LIGHTNESS, delta_e
from vision.reading import FaceReading

Array = NDArray[np.float64]

# Median ΔE below which nine stickers belong to a known face.
_SAME_FACE = 7.0
# The centre may differ by this many times the median of the stickers: logos are printed on it. It
# must not differ by more, because no two faces have the same centre.
_CENTRE = 3.0


def face_labs(face: FaceReading) -> Array:
    """(9, 3) CIELAB of the stickers; NaN where not seen."""
    return np.array([sticker.lab for sticker in face.stickers], dtype=np.float64)


def face_difference(one: FaceReading, other: FaceReading) -> float:
    """Median ΔE of corresponding stickers."""
    return float(np.nanmedian(delta_e(face_labs(one), face_labs(other), HALF_LIGHTNESS)))


def recognise(face: FaceReading, known: Mapping[str, FaceReading]) -> tuple[str, int] | None:
    """Find the known face that shows the same nine stickers, in any rotation.

    Args:
        face: The reading.
        known: The known faces, by letter.

    Returns:
        Its letter, and the fewest quarter turns anticlockwise that align `face` with it; None if it
        is none of them.
    """
    seen = face_labs(face).reshape(3, 3, 3)
    for turn in range(4):
        turned = np.rot90(seen, turn).reshape(9, 3)
        for letter, other in known.items():
            apart = delta_e(turned, face_labs(other), HALF_LIGHTNESS)
            if np.nanmedian(apart) < _SAME_FACE and not apart[4] >= _CENTRE * _SAME_FACE:
                return letter, turn
    return None
