"""A face, straightened along its lattice: 16 pixels a sticker, and half a sticker around."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.lattice import Lattice

CELL = 16
"""Pixels per sticker of the straightened picture."""
BORDER = 0.5
"""How far it reaches beyond the face, in stickers."""
START = int(BORDER * CELL)
"""Where the first sticker begins, in pixels."""
SIDE = 3 * CELL + 2 * START
"""Width and height of the straightened picture."""
LINES = tuple(START + line * CELL for line in range(4))
"""Where stickers begin and end, in pixels."""


def straighten(image: NDArray[np.uint8], lattice: Lattice) -> NDArray[np.uint8]:
    """Return the face as (SIDE, SIDE, …) uint8; beyond the picture its border is repeated."""
    to_lattice = np.array([[1 / CELL, 0, -0.5 - BORDER], [0, 1 / CELL, -0.5 - BORDER], [0, 0, 1]])
    straight = cv2.warpPerspective(
        image,
        lattice.homography @ to_lattice,
        (SIDE, SIDE),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(straight, dtype=np.uint8)
