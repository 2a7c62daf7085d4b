"""Whether four places in a square look like a face of a 2×2×2 cube.

Any four tiles, windows or keys form a square. A face is even inside its four stickers, has a
visible side all around each of them, and the pattern ends there.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.continuation import CELL, lines_beyond, straighten
from vision.faces.straightened import brightness, clearness, evenness, side_edges, side_visibility

# The stickers' centres in lattice coordinates, row by row.
Array = NDArray[np.float64]
_PLACES = np.array([(0, 0), (1, 0), (0, 1), (1, 1)], dtype=np.float32)
# Level above which a pixel of the straightened edges is on one.
_LINE_LEVEL = 100


# A logistic regression on `features`, fitted (by `pocket_finding.py` of 2af21c7c) on photos
# of 3×3×3 cubes whose middle row and column were cut out, under 16 stresses, against their wrong
# squares and 600 pictures without a cube, each of which counts as four.
_WEIGHTS = np.array(
    [-8.4, 10.8, -1.0, 3.5, 7.9, 4.6, -7.1, 13.9, 20.1, -7.8, 3.0, -8.8, -19.2, 13.0]
)
_BIAS = -54.8


def pocket_scores(
    lab: NDArray[np.uint8], edges: NDArray[np.uint8], squares: Array, fits: Array
) -> Array:
    """Score how much each square looks like the face of a 2×2×2 cube: (k,) log odds.

    Args:
        lab: (h, w, 3) OpenCV's 8-bit CIELAB.
        edges: (h, w), non-zero on edges.
        squares: (k, 4, 2) pixels, the stickers' middles row by row; k is at least 1.
        fits: (k, 3) from `propose_squares`.
    """
    return np.asarray(features(lab, edges, squares, fits) @ _WEIGHTS + _BIAS)


def features(
    lab: NDArray[np.uint8], edges: NDArray[np.uint8], squares: Array, fits: Array
) -> Array:
    """Return the features that decide, (k, 14), each in −1..1; arguments as for `pocket_scores`."""
    mappings = [
        np.asarray(cv2.getPerspectiveTransform(_PLACES, square), dtype=np.float64)
        for square in squares.astype(np.float32)
    ]
    straight = np.stack([straighten(lab, mapping, 2) for mapping in mappings]).astype(np.float32)
    straight *= np.array([100 / 255, 1.0, 1.0], dtype=np.float32)
    lined = np.stack(
        [_straight_edges(edges, *pair) for pair in zip(squares, mappings, strict=True)]
    )
    even, colours = evenness(straight, 2)
    even, clear, grid = even.astype(np.float64), clearness(lined, 2), colours.reshape(-1, 2, 2, 3)
    across = side_visibility(straight.swapaxes(1, 2), grid.swapaxes(1, 2))
    sides = np.stack([side_visibility(straight, grid), across], axis=1).astype(np.float64)
    edged = np.stack([side_edges(lined, 2), side_edges(lined.swapaxes(1, 2), 2)], axis=1)
    outer = sides[:, :, ::2].reshape(-1, 8)
    return np.column_stack(
        [
            even.min(axis=1),
            even.mean(axis=1),
            clear.min(axis=1),
            clear.mean(axis=1),
            sides[:, :, 1].mean(axis=(1, 2)),
            outer.mean(axis=1),
            np.sort(outer, axis=1)[:, 1],
            edged[:, :, 1].mean(axis=(1, 2)),
            edged[:, :, ::2].mean(axis=(1, 2, 3)),
            lines_beyond(straight).mean(axis=1),
            brightness(colours).min(axis=1),
            fits,
        ]
    )


def _straight_edges(edges: NDArray[np.uint8], square: Array, mapping: Array) -> NDArray[np.bool_]:
    """Straighten the edges, (side, side), after widening them so that none is missed."""
    step = max(np.linalg.norm(square[1] - square[0]), np.linalg.norm(square[2] - square[0]))
    width = max(2, int(np.ceil(step / CELL)))
    thick = np.asarray(cv2.dilate(edges, np.ones((width, width), np.uint8)), dtype=np.uint8)
    return np.asarray(straighten(thick, mapping, 2) > _LINE_LEVEL)
