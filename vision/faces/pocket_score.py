"""Do four places in a square look like a face of a 2×2×2 cube?

Any four tiles, windows or keys stand in a square. A face is even inside its four stickers, has a
visible side all around each of them, and the pattern ends there.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.continuation import lines_beyond
from vision.faces.straight import CELL, START, straighten

Array = NDArray[np.float64]

# The stickers' middles in lattice coordinates, row by row.
_PLACES = np.array([(0, 0), (1, 0), (0, 1), (1, 1)], dtype=np.float32)
# Margin around the part of a sticker, or of a side, that is looked at, and how near to a side its
# groove is, in pixels of the straightened picture.
_RIM, _REACH = 4, 4
# ΔE at which a side is half visible, and at which a sticker is half uneven.
_VISIBLE, _UNEVEN = 6.0, 8.0
# Level above which a pixel of the straightened edges lies on one.
_LINE_LEVEL = 100
# Lightness and chroma together, beside the lightest sticker's, below which a sticker is black.
_BLACK = 0.35
_SIDE = 2 * CELL + 2 * START
_LINES = tuple(START + line * CELL for line in range(3))


# A logistic regression on `features`, fitted by benchmarks/pocket_finding.py --fit on photos of
# 3×3×3 cubes whose middle row and column were cut out, under 16 stresses, against their wrong
# squares and 600 pictures without a cube, each of which counts as four.
_WEIGHTS = np.array(
    [-8.4, 10.8, -1.0, 3.5, 7.9, 4.6, -7.1, 13.9, 20.1, -7.8, 3.0, -8.8, -19.2, 13.0]
)
_BIAS = -54.8


def pocket_scores(
    lab: NDArray[np.uint8], edges: NDArray[np.uint8], squares: Array, fits: Array
) -> Array:
    """Say how much each square looks like the face of a 2×2×2 cube: (k,) log odds.

    Args:
        lab: (h, w, 3) OpenCV's 8-bit CIELAB.
        edges: (h, w), non-zero on edges.
        squares: (k, 4, 2) pixels, the stickers' middles row by row; k is at least 1.
        fits: (k, 3) as `vision.faces.pocket_squares` tells them.
    """
    return np.asarray(features(lab, edges, squares, fits) @ _WEIGHTS + _BIAS)


def features(
    lab: NDArray[np.uint8], edges: NDArray[np.uint8], squares: Array, fits: Array
) -> Array:
    """Return the numbers that decide, (k, 14), each in −1..1; for arguments see `pocket_scores`."""
    mappings = [
        np.asarray(cv2.getPerspectiveTransform(_PLACES, square), dtype=np.float64)
        for square in squares.astype(np.float32)
    ]
    straight = np.stack([straighten(lab, mapping, 2) for mapping in mappings]).astype(np.float32)
    straight *= np.array([100 / 255, 1.0, 1.0], dtype=np.float32)
    lined = np.stack(
        [_straight_edges(edges, *pair) for pair in zip(squares, mappings, strict=True)]
    )
    even, colours = _evenness(straight)
    marked = _cells(lined[..., None])[..., _RIM:-_RIM, _RIM:-_RIM, :].mean(axis=(3, 4, 5))
    clear = 1.0 - marked.reshape(-1, 4)
    grid = colours.reshape(-1, 2, 2, 3)
    sides = np.stack(
        [_sides(straight, grid), _sides(straight.swapaxes(1, 2), grid.swapaxes(1, 2))], axis=1
    )
    edged = np.stack([_edged(lined), _edged(lined.swapaxes(1, 2))], axis=1)
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
            _lit(colours).min(axis=1),
            fits,
        ]
    )


def _straight_edges(edges: NDArray[np.uint8], square: Array, mapping: Array) -> NDArray[np.bool_]:
    """Straighten the edges, (side, side), widened before so that no pixel steps over one."""
    step = max(np.linalg.norm(square[1] - square[0]), np.linalg.norm(square[2] - square[0]))
    width = max(2, int(np.ceil(step / CELL)))
    thick = np.asarray(cv2.dilate(edges, np.ones((width, width), np.uint8)), dtype=np.uint8)
    return np.asarray(straighten(thick, mapping, 2) > _LINE_LEVEL)


def _evenness(straight: NDArray[np.floating]) -> tuple[Array, Array]:
    """How even each sticker is, (k, 4) 0..1, and its colour, (k, 4, 3)."""
    inner = _cells(straight)[..., _RIM:-_RIM, _RIM:-_RIM, :]
    blocks = inner.reshape(-1, 4, 4, 2, 4, 2, 3).mean(axis=(3, 5)).reshape(-1, 4, 16, 3)
    colours = np.median(blocks, axis=2)
    rough = np.median(np.linalg.norm(blocks - colours[:, :, None], axis=3), axis=2)
    return np.asarray(_UNEVEN / (_UNEVEN + rough), dtype=np.float64), colours


def _lit(colours: NDArray[np.floating]) -> Array:
    """How far each of the stickers' colours (k, 4, 3) is from black, beside the lightest: 0..1."""
    lightness = colours[:, :, 0]
    chroma = np.hypot(colours[:, :, 1] - 128.0, colours[:, :, 2] - 128.0)
    lightest = np.maximum(lightness.max(axis=1, keepdims=True), 1.0)
    return np.asarray(np.clip((lightness + chroma) / lightest / _BLACK, 0.0, 1.0))


def _cells(straight: NDArray[Any]) -> NDArray[Any]:
    """(k, 2 rows, 2 columns, CELL, CELL, channels)."""
    face = straight[:, START:-START, START:-START]
    cells = face.reshape(len(face), 2, CELL, 2, CELL, -1).transpose(0, 1, 3, 2, 4, 5)
    return np.ascontiguousarray(cells)


def _sides(straight: NDArray[np.floating], colours: NDArray[np.floating]) -> Array:
    """(k, 3 lines, 2 rows): how visible the vertical sides are, 0..1."""
    profile = (
        straight[:, START:-START].reshape(-1, 2, CELL, _SIDE, 3)[:, :, _RIM:-_RIM].mean(axis=2)
    )
    left_of = profile[:, :, : START - _REACH].mean(axis=2)
    right_of = profile[:, :, -(START - _REACH) :].mean(axis=2)
    left = np.stack([left_of, colours[:, :, 0], colours[:, :, 1]], axis=1)
    right = np.stack([colours[:, :, 0], colours[:, :, 1], right_of], axis=1)
    band = np.stack([profile[:, :, x - _REACH : x + _REACH] for x in _LINES], axis=1)
    groove = np.minimum(
        np.linalg.norm(band - left[:, :, :, None], axis=4),
        np.linalg.norm(band - right[:, :, :, None], axis=4),
    ).max(axis=3)
    strength = np.maximum(np.linalg.norm(left - right, axis=3), groove)
    return np.asarray(strength / (strength + _VISIBLE), dtype=np.float64)


def _edged(lined: NDArray[np.bool_]) -> Array:
    """(k, 3 lines, 2 rows): share of each vertical side with an edge within reach."""
    rows = lined[:, START:-START].reshape(-1, 2, CELL, _SIDE)[:, :, _RIM:-_RIM]
    near = [rows[..., x - _REACH : x + _REACH].any(axis=3).mean(axis=2) for x in _LINES]
    return np.stack(near, axis=1).astype(np.float64)
