"""How many stickers in a row do the faces in some photos have?

Four stickers of a 3×3×3 cube look like the face of a 2×2×2 one, so a person who chose the wrong
size would get a cube that nobody holds.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.faces.finder import find_face
from vision.faces.pocket_face import find_pocket_face

Image = NDArray[np.uint8]

# What a look at one photo may cost, in seconds of a processor's time: nearly all good photos show
# their face in the first copies, and one that does not is no loss, for there are six.
_LIMIT_S = 0.1


def look_3x3x3(photos: Sequence[Image]) -> bool:
    """Say whether more than half of the photos show the nine stickers of a 3×3×3 cube's face."""
    return _most(photos, _is_3x3x3)


def look_2x2x2(photos: Sequence[Image]) -> bool:
    """Say whether more than half of the photos show a 2×2×2 cube's face and no 3×3×3 one's."""
    return _most(photos, _is_2x2x2)


def _is_3x3x3(photo: Image) -> bool:
    return find_face(photo, _LIMIT_S) is not None


def _is_2x2x2(photo: Image) -> bool:
    return not _is_3x3x3(photo) and find_pocket_face(photo, _LIMIT_S) is not None


def _most(photos: Sequence[Image], shows: Callable[[Image], bool]) -> bool:
    """Ask of one photo after the other until it is settled what most of them show."""
    needed, left = len(photos) // 2 + 1, len(photos)
    for photo in photos:
        if needed <= 0 or needed > left:
            break
        needed -= shows(photo)
        left -= 1
    return needed <= 0
