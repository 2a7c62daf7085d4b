"""Finds out whether the pattern of a face continues beyond its outline.

A floor, a chessboard and a keyboard continue: the lines between their tiles are as visible outside
of any nine tiles as inside, and there is nothing between these lines. Around a face of a cube there
are no such lines, except on one or two of the four sides if other faces of the cube are visible.

A chessboard that fills the picture shows too little beyond nine of its squares for such lines, and
none along its diagonals. It is recognised by having only two colours.

A face, straightened along its lattice: 16 pixels a sticker, and half a sticker around.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

CELL = 16
"""Pixels per sticker in the straightened picture."""
BORDER = 0.5
"""Width of the border around the face, in stickers."""
START = int(BORDER * CELL)
"""Position of the first sticker, in pixels."""
SIDE = 3 * CELL + 2 * START
"""Width and height of the straightened picture."""


def straighten(
    image: NDArray[np.uint8], homography: NDArray[np.float64], in_a_row: int = 3
) -> NDArray[np.uint8]:
    """Straighten a face; beyond the picture its border is repeated.

    Args:
        image: (h, w, …).
        homography: (3, 3) from lattice coordinates to pixels, as in `vision.faces.lattice.Lattice`.
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


Array = NDArray[np.float64]
Floats = NDArray[Any]
"""Single or double precision, as the pictures are."""

# The strip beside a face in which lines are searched, in pixels of the straightened picture: nearer
# is the edge of the face itself, and further is outside the straightened picture.
_NEAR, _FAR = 1, 6
# Half the width of a line, and of the places beside it for comparison.
_LINE, _BESIDE = 3, 6
# ΔE at which a line is half visible.
_VISIBLE = 6.0
# Excess of the visibility of lines over that of the gaps between them, 0..1, from which a pattern
# continues: on average over the visible sides, and on the weakest of them. Chosen so that most
# drawn floors and chessboards are above, and only few faces under stress.
_GOES_ON_MEAN, _GOES_ON_LEAST = 0.20, 0.10

# Side of the blocks for averaging noise, in pixels of the straightened picture, and the number of
# blocks across the strip around a face.
_BLOCK = 2
_STRIP = START // _BLOCK
# How near, as a share of the distance between the two colours, each sticker is to one of them, and
# each block around; the least share of blocks that are; and the least share that are near the
# middle sticker's colour: more than the quarter that repeats the stickers of a side that is cut.
# Seven chessboards taken for faces have at most 0.11, and at least 0.77 and 0.35. Of the faces
# found under the 2478 stresses, seed 11, those that come nearest have 0.19, 0.54 and 0.21, and
# 0.08, 0.51 and 0.41.
_OF_TWO_STICKER, _OF_TWO_AROUND = 0.15, 0.3
_LEAST_OF_TWO, _LEAST_AGAIN = 0.65, 0.28

LEAST_SIDES = 2
"""Minimum number of visible sides for a decision: with one, a cube's other side looks like a floor.
"""


def continues_beyond(straight: NDArray[np.floating], seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether the pattern of each face continues beyond the outline.

    Args:
        straight: (k, SIDE, SIDE, 3) straightened faces, CIELAB with L 0..100.
        seen: (k, 4) whether the picture shows the region left, right, above and below.

    Returns:
        (k,); False where fewer than `LEAST_SIDES` sides are seen.
    """
    more = lines_beyond(straight)
    many = seen.sum(axis=1)
    mean = np.where(seen, more, 0.0).sum(axis=1) / np.maximum(1, many)
    least = np.where(seen, more, 1.0).min(axis=1)
    on = (mean > _GOES_ON_MEAN) | (least > _GOES_ON_LEAST)
    return np.asarray(on & (many >= LEAST_SIDES))


def two_coloured(
    straight: NDArray[np.floating], colours: NDArray[np.floating]
) -> NDArray[np.bool_]:
    """Return whether the stickers and their surroundings have the same two colours.

    Around a face of two colours there is black plastic, a hand or a room. Beyond the picture its
    border is repeated, which does not add a colour.

    Args:
        straight: (k, SIDE, SIDE, 3) straightened faces, CIELAB with L 0..100.
        colours: (k, 9, 3) of the stickers.

    Returns:
        (k,); True if the middle sticker's colour occurs around the face, and besides it only the
        colour that is least like it.
    """
    pairs = zip(straight, colours, strict=True)
    return np.array([_is_two_coloured(*pair) for pair in pairs], dtype=np.bool_)


def _is_two_coloured(straight: NDArray[np.floating], colours: NDArray[np.floating]) -> bool:
    """Decide for one face, (SIDE, SIDE, 3) and (9, 3); for most, the stickers alone are enough."""
    count = SIDE // _BLOCK
    shrunk = cv2.resize(straight, (count, count), interpolation=cv2.INTER_AREA)
    blocks = np.asarray(shrunk, dtype=np.float32)
    off = _apart(blocks, colours[4])
    other = blocks[np.unravel_index(off.argmax(), off.shape)]
    unlike = float(off.max())
    sticker = np.minimum(_apart(colours, colours[4]), _apart(colours, other))
    if sticker.max() >= _OF_TWO_STICKER * unlike:
        return False
    around = np.ones((count, count), dtype=np.bool_)
    around[_STRIP:-_STRIP, _STRIP:-_STRIP] = False
    again = off[around] < _OF_TWO_AROUND * unlike
    of_two = again | (_apart(blocks[around], other) < _OF_TWO_AROUND * unlike)
    return bool(again.mean() > _LEAST_AGAIN and of_two.mean() > _LEAST_OF_TWO)


def _apart(colours: NDArray[np.floating], one: NDArray[np.floating]) -> Array:
    offset = colours - one
    return np.asarray(np.sqrt(np.einsum("...i,...i->...", offset, offset)), dtype=np.float64)


def lines_beyond(straight: NDArray[np.floating]) -> Array:
    """Return how much more visible the lines between stickers are beyond each side than the gaps.

    Args:
        straight: (k, side, side, 3) straightened faces of any number of stickers in a row.

    Returns:
        (k, 4) −1..1, left, right, above and below.
    """
    side = straight.shape[1]
    lines = tuple(range(START, side, CELL))
    strips = np.stack(
        [
            straight[:, :, _NEAR:_FAR].mean(axis=2),
            straight[:, :, side - _FAR : side - _NEAR].mean(axis=2),
            straight[:, _NEAR:_FAR].mean(axis=1),
            straight[:, side - _FAR : side - _NEAR].mean(axis=1),
        ],
        axis=1,
    )
    middles = tuple(line + CELL // 2 for line in lines[:-1])
    return _line_strength(strips, lines) - _line_strength(strips, middles)


def line_visibility(left: Floats, right: Floats, band: Floats) -> Floats:
    """Return the visibility, (…), 0..1, of lines between colours (…, 3), from pixels (…, n, 3).

    A line is visible if the colours on both sides of it differ, or if the pixels between them
    differ from both.
    """
    groove = np.minimum(
        np.linalg.norm(band - left[..., None, :], axis=-1),
        np.linalg.norm(band - right[..., None, :], axis=-1),
    ).max(axis=-1)
    strength = np.maximum(np.linalg.norm(left - right, axis=-1), groove)
    return np.asarray(strength / (strength + _VISIBLE))


def _line_strength(strips: NDArray[np.floating], places: tuple[int, ...]) -> Array:
    """Return the visibility of lines at places of the strips (k, 4, SIDE, 3): (k, 4), 0..1."""
    visible = []
    for x in places:
        left = strips[:, :, x - _BESIDE : x - _LINE].mean(axis=2)
        right = strips[:, :, x + _LINE : x + _BESIDE].mean(axis=2)
        band = strips[:, :, x - _LINE : x + _LINE]
        visible.append(line_visibility(left, right, band))
    return np.asarray(np.mean(visible, axis=0), dtype=np.float64)
