"""A face, straightened along its lattice: 16 pixels a sticker, and half a sticker around."""

import cv2
import numpy as np
from numpy.typing import NDArray

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


def straighten(
    image: NDArray[np.uint8], homography: NDArray[np.float64], in_a_row: int = 3
) -> NDArray[np.uint8]:
    """Straighten a face; beyond the picture its border is repeated.

    Args:
        image: (h, w, …).
        homography: (3, 3) from lattice coordinates to pixels, as of `vision.faces.lattice.Lattice`.
        in_a_row: How many stickers a row of the face has.

    Returns:
        (side, side, …) uint8; for three stickers in a row the side is `SIDE`.
    """
    to_lattice = np.array([[1 / CELL, 0, -0.5 - BORDER], [0, 1 / CELL, -0.5 - BORDER], [0, 0, 1]])
    side = in_a_row * CELL + 2 * START
    straight = cv2.warpPerspective(
        image,
        homography @ to_lattice,
        (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(straight, dtype=np.uint8)
