"""Flat regions of a picture that could be stickers.

A sticker is a patch of even colour with an edge around it, whatever its colour and whether it is
glued on black plastic or is coloured plastic with a thin groove around it. So edges are taken from
the colour channel that changes most at each pixel, at several sensitivities, and the compact
regions that they enclose are the candidates.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

# Hysteresis thresholds of the Canny detector on the colour gradient, from sensitive to strict.
_EDGE_LEVELS = ((14, 40), (30, 80), (60, 160))
# The one of them whose edges a found face is checked against.
_CHECK_LEVEL = 0
# Chroma steps are smaller than lightness steps between stickers, so they count more.
_CHROMA_GAIN = 1.6
# A sticker is at least this share of the picture's shorter side (a face of 10 %), at most this.
_LEAST_SIDE, _MOST_SIDE = 0.03, 0.40
# Least share that a region fills of its convex hull, and the hull of its rectangle (a disc: 0.785).
_LEAST_SOLID, _LEAST_BOXY = 0.80, 0.66
# Least ratio of the rectangle's sides: a square seen at 60° has 0.5.
_LEAST_ASPECT = 0.45
# Edges are widened by a pixel on both sides, so a region is smaller than its sticker by this much.
_EDGE_WIDTH_PX = 3.0
# Brightest value that a dim picture is stretched to, and how much at most.
_BRIGHT, _MOST_STRETCH = 235.0, 8.0


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Regions that may be stickers.

    Attributes:
        centres: (n, 2) pixels.
        sizes: (n,) side of the square of equal area, pixels.
        edges: (h, w) uint8, non-zero on edges, for later checks.
    """

    centres: NDArray[np.float64]
    sizes: NDArray[np.float64]
    edges: NDArray[np.uint8]


def find_candidates(image_bgr: NDArray[np.uint8]) -> Candidates:
    """Find the candidate stickers of a picture, (h, w, 3) uint8, best at about 640 pixels width."""
    dx, dy = _colour_gradient(_brightened(image_bgr))
    found: list[tuple[float, float, float]] = []
    widen = np.ones((3, 3), np.uint8)
    kept = np.zeros(image_bgr.shape[:2], np.uint8)
    for level, (low, high) in enumerate(_EDGE_LEVELS):
        edges = np.asarray(cv2.Canny(dx, dy, low, high, L2gradient=False), dtype=np.uint8)
        if level == _CHECK_LEVEL:
            kept = edges
        flat = cv2.bitwise_not(cv2.dilate(edges, widen))
        found.extend(_compact_regions(np.asarray(flat, dtype=np.uint8)))
    centres, sizes = _merge(np.array(found, dtype=np.float64).reshape(-1, 3))
    return Candidates(centres, sizes, kept)


def _brightened(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Stretch a dim picture, so that its edges reach the thresholds."""
    bright = float(np.percentile(image_bgr[::4, ::4].max(axis=2), 99))
    if bright >= _BRIGHT * 0.8:
        return image_bgr
    stretch = min(_MOST_STRETCH, _BRIGHT / max(1.0, bright))
    return np.asarray(cv2.convertScaleAbs(image_bgr, alpha=stretch), dtype=np.uint8)


def _colour_gradient(
    image_bgr: NDArray[np.uint8],
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Gradient of the channel of CIELAB that changes most at each pixel."""
    lab = cv2.GaussianBlur(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2Lab), (5, 5), 1.1)
    best_x = best_y = strength = None
    for channel, gain in zip(cv2.split(lab), (1.0, _CHROMA_GAIN, _CHROMA_GAIN), strict=True):
        dx = cv2.Sobel(channel, cv2.CV_16S, 1, 0, scale=gain)
        dy = cv2.Sobel(channel, cv2.CV_16S, 0, 1, scale=gain)
        size = cv2.add(cv2.convertScaleAbs(dx, alpha=0.25), cv2.convertScaleAbs(dy, alpha=0.25))
        if strength is None:
            best_x, best_y, strength = dx, dy, size
            continue
        stronger = cv2.compare(size, strength, cv2.CMP_GT)
        cv2.copyTo(dx, stronger, best_x)
        cv2.copyTo(dy, stronger, best_y)
        strength = cv2.max(strength, size)
    return np.asarray(best_x, dtype=np.int16), np.asarray(best_y, dtype=np.int16)


def _compact_regions(flat: NDArray[np.uint8]) -> list[tuple[float, float, float]]:
    """Centre and side of each compact region of a mask."""
    shorter = min(flat.shape)
    least = max(4.0, _LEAST_SIDE * shorter - _EDGE_WIDTH_PX) ** 2
    most = (_MOST_SIDE * shorter) ** 2
    contours, _ = cv2.findContours(flat, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        area = cv2.contourArea(contour)
        if not least <= area <= most:
            continue
        hull = cv2.convexHull(contour)
        (x, y), (width, height), _ = cv2.minAreaRect(hull)
        hull_area = cv2.contourArea(hull)
        if (
            area >= _LEAST_SOLID * hull_area
            and hull_area >= _LEAST_BOXY * width * height
            and min(width, height) >= _LEAST_ASPECT * max(width, height)
        ):
            found.append((x, y, float(np.sqrt(hull_area)) + _EDGE_WIDTH_PX))
    return found


def _merge(
    found: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Keep one of the regions that several sensitivities found in the same place."""
    kept: list[int] = []
    for i in np.argsort(-found[:, 2], kind="stable"):
        if kept:
            others = found[kept]
            near = np.hypot(*(others[:, :2] - found[i, :2]).T) < 0.25 * found[i, 2]
            alike = others[:, 2] < 1.35 * found[i, 2]
            if bool(np.any(near & alike)):
                continue
        kept.append(int(i))
    return found[kept, :2], found[kept, 2]
