"""The number of stickers in a row on the faces in some photos.

Four stickers of a 3×3×3 cube look like the face of a 2×2×2 one, so a user who chose the wrong size
would get a result for a cube that does not exist.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.faces.finder import find_face
from vision.pocket.faces import find_pocket_face

Image = NDArray[np.uint8]

# Time limit for a photo, in seconds of processor time: nearly all good photos show their face in
# the first copies, and a missed one does not matter, because there are six.
_LIMIT_S = 0.1


def look_3x3x3(photos: Sequence[Image]) -> bool:
    """Return whether more than half of the photos show the nine stickers of a 3×3×3 cube."""
    return _most(photos, _is_3x3x3)


def look_2x2x2(photos: Sequence[Image]) -> bool:
    """Return whether more than half of the photos show a 2×2×2 cube's face, not a 3×3×3 one's."""
    return _most(photos, _is_2x2x2)


def _is_3x3x3(photo: Image) -> bool:
    return find_face(photo, _LIMIT_S) is not None


def _is_2x2x2(photo: Image) -> bool:
    return not _is_3x3x3(photo) and find_pocket_face(photo, _LIMIT_S) is not None


def _most(photos: Sequence[Image], shows: Callable[[Image], bool]) -> bool:
    """Check photos one after the other until the majority is certain."""
    needed, left = len(photos) // 2 + 1, len(photos)
    for photo in photos:
        if needed <= 0 or needed > left:
            break
        needed -= shows(photo)
        left -= 1
    return needed <= 0
