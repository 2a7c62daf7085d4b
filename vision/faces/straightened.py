"""Measurements in straightened pictures of faces, n × n stickers: evenness, and visible sides."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.faces.continuation import CELL, START, Floats, line_visibility

# Margin around the examined part of a sticker or of a side: 0.22 of its length.
_RIM = 4
# A groove belongs to a side of a sticker if it is this near, in pixels of the straightened picture.
_REACH = 4
# ΔE at which a sticker is half uneven.
_UNEVEN = 8.0
# Lightness and chroma together, as a share of the brightest sticker's lightness, below which a
# sticker is black: no cube has black stickers.
_BLACK = 0.35


def _inner(straight: NDArray[Any], side: int) -> NDArray[Any]:
    """Return the stickers without their rims, (k, side, side, height, width, channels)."""
    face = straight[:, START : START + side * CELL, START : START + side * CELL]
    cells = face.reshape(len(face), side, CELL, side, CELL, -1).transpose(0, 1, 3, 2, 4, 5)
    return np.ascontiguousarray(cells)[..., _RIM:-_RIM, _RIM:-_RIM, :]


def evenness(straight: Floats, side: int) -> tuple[Floats, Floats]:
    """Return the evenness of each sticker, (k, side²) 0..1, and its colour, (k, side², 3)."""
    # Blocks of 2×2 average out the noise of the sensor, but not the grain of wood.
    blocks = _inner(straight, side).reshape(-1, side**2, 4, 2, 4, 2, 3).mean(axis=(3, 5))
    blocks = blocks.reshape(-1, side**2, 16, 3)
    colours = np.median(blocks, axis=2)
    rough = np.median(np.linalg.norm(blocks - colours[:, :, None], axis=3), axis=2)
    return _UNEVEN / (_UNEVEN + rough), colours


def clearness(lined: NDArray[np.bool_], side: int) -> Floats:
    """Return the share of each sticker without edges, (k, side²)."""
    marked = _inner(lined[..., None], side).mean(axis=(3, 4, 5))
    return np.asarray(1.0 - marked.reshape(-1, side**2))


def brightness(colours: Floats) -> NDArray[np.float64]:
    """Return each sticker's distance from black, relative to the brightest; colours (k, n, 3)."""
    lightness = colours[:, :, 0]
    chroma = np.hypot(colours[:, :, 1] - 128.0, colours[:, :, 2] - 128.0)
    bright = np.maximum(lightness.max(axis=1, keepdims=True), 1.0)
    return np.asarray(np.clip((lightness + chroma) / bright / _BLACK, 0.0, 1.0))


def side_visibility(straight: Floats, grid: Floats) -> Floats:
    """Return the visibility of vertical sides, (k, lines, rows), 0..1.

    Args:
        straight: The pictures, (k, h, w, 3) CIELAB.
        grid: The colours of the stickers, (k, side, side, 3).
    """
    side, width = grid.shape[1], straight.shape[2]
    rows = straight[:, START : START + side * CELL].reshape(-1, side, CELL, width, 3)
    profile = rows[:, :, _RIM:-_RIM].mean(axis=2)
    beyond_left = profile[:, :, : START - _REACH].mean(axis=2)
    beyond_right = profile[:, :, START + side * CELL + _REACH :].mean(axis=2)
    columns = [grid[:, :, column] for column in range(side)]
    left = np.stack([beyond_left, *columns], axis=1)
    right = np.stack([*columns, beyond_right], axis=1)
    band = np.stack([profile[:, :, x - _REACH : x + _REACH] for x in _lines(side)], axis=1)
    return line_visibility(left, right, band)


def side_edges(lined: NDArray[np.bool_], side: int) -> Floats:
    """Return the share of each vertical side with an edge within reach, (k, lines, rows)."""
    rows = lined[:, START : START + side * CELL].reshape(-1, side, CELL, lined.shape[2])
    rows = rows[:, :, _RIM:-_RIM]
    near = [rows[..., x - _REACH : x + _REACH].any(axis=3).mean(axis=2) for x in _lines(side)]
    return np.stack(near, axis=1)


def _lines(side: int) -> range:
    """Return where the vertical lines of a face are, pixels."""
    return range(START, START + side * CELL + 1, CELL)
