"""Finds regions of even colour in a picture that could be stickers.

A sticker is a patch of even colour with an edge around it, whatever its colour and whether it is
glued on black plastic or is coloured plastic with a thin groove around it. So edges are taken from
the colour channel that changes most at each pixel, at several sensitivities, and the compact
regions that they enclose are the candidates.

Blur first closes the groove between two stickers of one colour. So a region may also be two or
three stickers in a row, or a whole face; the parts of such a region are weaker candidates.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

# Hysteresis thresholds of the Canny detector on the colour gradient, from sensitive to strict.
_EDGE_LEVELS = ((14, 40), (30, 80), (60, 160))
# Each level with the width in pixels of its edges: wide ones close the gaps that blur leaves in
# outlines.
_PASSES = ((0, 3), (1, 3), (2, 3), (1, 5))
# The level whose edges are used to check a found face.
_CHECK_LEVEL = 0
# Chroma steps are smaller than lightness steps between stickers, so they count more.
_CHROMA_GAIN = 1.6
# A sticker is at least this share of the picture's shorter side (a face of 10 %), at most this.
_LEAST_SIDE, _MOST_SIDE = 0.03, 0.40
# A region that may be a whole face has at least this share of it, and at most this number of them
# are tried.
_LEAST_FACE, _MOST_FACES = 0.12, 10
# Least share of its rectangle that a region fills before it is divided, and the ratios of the
# longer to the shorter side of two and three stickers in a row, and of a face.
_DIVIDED_BOXY = 0.80
_ROWS = {2: (1.6, 2.6), 3: (2.6, 3.8)}
_FACE_RATIO = 1.45
# Least share that a region fills of its convex hull, and the hull of its rectangle (a disc: 0.785).
_LEAST_SOLID, _LEAST_BOXY = 0.80, 0.66
# Least ratio of the rectangle's sides: a square seen at 60° has 0.5.
_LEAST_ASPECT = 0.45
# Brightest value to which a dim picture is stretched, and the maximum factor.
_BRIGHT, _MOST_STRETCH = 235.0, 8.0


# x, y, side, 1 for a separate region or 0 for a part, 1 if the picture's border cuts it.
Found = tuple[float, float, float, float, float]
# Area, middle and convex hull of a region.
Face = tuple[float, tuple[float, float], cv2.typing.MatLike]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Regions that may be stickers.

    Attributes:
        centres: (n, 2) pixels.
        sizes: (n,) side of the square of equal area, pixels.
        whole: (n,) bool, whether the candidate is a separate region, not a part of a larger one.
        cut: (n,) bool, whether the picture's border cuts the region: its shape is unknown.
        faces: (f, 4, 2) corners, in order, of regions that may be whole faces.
        edges: (h, w) uint8, non-zero on edges, for later checks.
    """

    centres: NDArray[np.float64]
    sizes: NDArray[np.float64]
    whole: NDArray[np.bool_]
    cut: NDArray[np.bool_]
    faces: NDArray[np.float64]
    edges: NDArray[np.uint8]


def find_candidates(image_bgr: NDArray[np.uint8]) -> Candidates:
    """Find the candidate stickers of a picture, (h, w, 3) uint8, best at about 640 pixels width."""
    dx, dy = _colour_gradient(_brightened(image_bgr))
    edges = [
        np.asarray(cv2.Canny(dx, dy, low, high, L2gradient=False), dtype=np.uint8)
        for low, high in _EDGE_LEVELS
    ]
    found: list[Found] = []
    faces: list[Face] = []
    for level, width in _PASSES:
        wide = cv2.dilate(edges[level], np.ones((width, width), np.uint8))
        _add_regions(np.asarray(cv2.bitwise_not(wide), dtype=np.uint8), width, found, faces)
    merged = _merge(np.array(found, dtype=np.float64).reshape(-1, 5))
    return Candidates(
        centres=merged[:, :2],
        sizes=merged[:, 2],
        whole=merged[:, 3] > 0.5,
        cut=merged[:, 4] > 0.5,
        faces=_largest(faces),
        edges=edges[_CHECK_LEVEL],
    )


def _brightened(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Stretch a dim picture, so that its edges reach the thresholds."""
    bright = float(np.percentile(image_bgr[::4, ::4].max(axis=2), 99))
    if bright >= _BRIGHT * 0.8:
        return image_bgr
    stretch = min(_MOST_STRETCH, _BRIGHT / max(1.0, bright))
    return np.asarray(cv2.convertScaleAbs(image_bgr, alpha=stretch), dtype=np.uint8)


def _colour_gradient(image_bgr: NDArray[np.uint8]) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
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


def _add_regions(
    flat: NDArray[np.uint8], edge_width_px: int, found: list[Found], faces: list[Face]
) -> None:
    """Add the compact regions of a mask, the parts of rows of stickers, and regions like faces.

    A region is smaller than its sticker by the width of the edges around it.
    """
    shorter = min(flat.shape)
    least_side = max(4.0, _LEAST_SIDE * shorter - edge_width_px)
    least, most = least_side**2, (_MOST_SIDE * shorter) ** 2
    contours, _ = cv2.findContours(flat, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        if len(contour) < 4:
            continue
        area = cv2.contourArea(contour)
        if not least <= area <= shorter**2:
            continue
        hull = cv2.convexHull(contour)
        hull_area = cv2.contourArea(hull)
        if area < _LEAST_SOLID * hull_area:
            continue
        rectangle = cv2.minAreaRect(hull)
        (x, y), (width, height), _ = rectangle
        boxy = hull_area / (width * height)
        ratio = max(width, height) / min(width, height)
        if area <= most and boxy >= _LEAST_BOXY and ratio * _LEAST_ASPECT <= 1.0:
            side = math.sqrt(hull_area) + edge_width_px
            found.append((x, y, side, 1.0, _is_cut(hull, flat)))
        if boxy < _DIVIDED_BOXY:
            continue
        for parts, (low, high) in _ROWS.items():
            if low <= ratio <= high and min(width, height) >= least_side:
                cut = _is_cut(hull, flat)
                found.extend(_parts(cv2.boxPoints(rectangle), parts, edge_width_px, cut))
        if ratio <= _FACE_RATIO and min(width, height) >= _LEAST_FACE * shorter:
            faces.append((hull_area, (x, y), hull))


def _largest(faces: list[Face]) -> NDArray[np.float64]:
    """Return the largest regions that may be faces, without duplicates: (f, 4, 2) corners."""
    chosen: list[Face] = []
    for face in sorted(faces, key=lambda face: -face[0]):
        area, (x, y), _ = face
        near = 0.06 * area**0.5
        if all(
            abs(x - there[0]) > near or abs(y - there[1]) > near or other > 1.2 * area
            for other, there, _ in chosen
        ):
            chosen.append(face)
            if len(chosen) == _MOST_FACES:
                break
    return np.array([_corners(hull) for _, _, hull in chosen]).reshape(-1, 4, 2)


def _corners(hull: cv2.typing.MatLike) -> NDArray[np.float64]:
    """Return a region's four corners, (4, 2): its own if it has four, else its rectangle's."""
    outline = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True)
    if len(outline) == 4:
        return np.asarray(outline.reshape(4, 2), dtype=np.float64)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), dtype=np.float64)


def _is_cut(outline: cv2.typing.MatLike, picture: NDArray[np.uint8]) -> float:
    """Return 1 if the outline touches the border of the picture, else 0."""
    x, y, width, height = cv2.boundingRect(outline)
    rows, columns = picture.shape
    return float(x <= 1 or y <= 1 or x + width >= columns - 1 or y + height >= rows - 1)


def _parts(box: cv2.typing.MatLike, parts: int, edge_width_px: int, cut: float) -> list[Found]:
    """Divide a rectangle, (4, 2) corners in order, along its longer side."""
    a, b, c = np.asarray(box, dtype=np.float64)[:3]
    along, across = (b - a, c - b) if np.hypot(*(b - a)) > np.hypot(*(c - b)) else (c - b, b - a)
    first = np.mean(np.asarray(box), axis=0) - along / 2.0
    side = float(np.sqrt((np.hypot(*along) + edge_width_px) / parts * np.hypot(*across)))
    middles = [first + along * (number + 0.5) / parts for number in range(parts)]
    return [(float(x), float(y), side + edge_width_px / 2.0, 0.0, cut) for x, y in middles]


def _merge(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Keep one of the regions that several sensitivities found in the same place.

    Whole regions come first, then larger ones.
    """
    found = found[np.lexsort((-found[:, 2], -found[:, 3]))]
    size = found[:, 2]
    apart = np.hypot(found[:, None, 0] - found[None, :, 0], found[:, None, 1] - found[None, :, 1])
    ratio = size[None, :] / size[:, None]
    same = (apart < 0.25 * size[:, None]) & (ratio < 1.35) & (ratio > 1.0 / 1.35)
    kept = np.zeros(len(found), dtype=bool)
    for number in range(len(found)):
        kept[number] = not (same[number] & kept).any()
    return found[kept]
