"""The background of the virtual cube: the clutter of a rig, a desk, or nothing."""

import math
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


class Background(Enum):
    """What the camera sees around the cube."""

    PLAIN = "plain"
    RIG = "rig"
    DESK = "desk"


def paint_background(kind: Background, size: tuple[int, int], rng: np.random.Generator) -> Image:
    """Paint a background of the given width and height, (h, w, 3) uint8 BGR.

    The same generator state gives the same picture.
    """
    if kind is Background.PLAIN:
        return np.full((size[1], size[0], 3), 96, dtype=np.uint8)
    if kind is Background.RIG:
        return _rig(size, rng)
    return _desk(size, rng)


def _rig(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """Dark beams with holes, gears, pegs, and bright windows between them, out of focus."""
    width, height = size
    image = np.full((height, width, 3), 34, dtype=np.uint8)
    scale = height / 480.0
    for _ in range(4):
        corner = rng.uniform((0.0, 0.0), (width, height))
        middle = corner + (corner - (width / 2.0, height / 2.0)) * 0.4
        _box(
            image, middle, rng.uniform(80, 190, 2) * scale, rng.uniform(0, math.pi), (246, 244, 240)
        )
    image = _blurred(image, 2.0 * scale)
    for _ in range(26):
        _beam(image, rng, scale)
    for _ in range(7):
        _gear(image, rng, scale)
    for _ in range(26):
        place = rng.uniform((0.0, 0.0), (width, height))
        colour = ((168, 84, 24), (30, 190, 220), (36, 30, 170), (150, 150, 152))[rng.integers(4)]
        _disc(image, place, rng.uniform(4.0, 9.0) * scale, colour)
        _disc(image, place, 2.5 * scale, (24, 24, 24))
    return _blurred(image, 1.6 * scale)


def _desk(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """A wooden table before a wall with books and a lamp, out of focus."""
    width, height = size
    scale = height / 480.0
    grain = rng.normal(0.0, 1.0, (height // 3 + 1, 6)).astype(np.float32)
    streaks = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
    fall = np.linspace(0.72, 1.08, height, dtype=np.float32)[:, None]
    wood = np.array((62, 98, 146), dtype=np.float32)
    table = wood * (fall + 0.05 * streaks)[:, :, None]
    image = np.clip(table, 0, 255).astype(np.uint8)
    horizon = int(height * rng.uniform(0.30, 0.45))
    wall = np.array((176, 190, 196), dtype=np.float32) * rng.uniform(0.55, 0.9)
    image[:horizon] = np.clip(wall * np.linspace(1.0, 0.8, horizon)[:, None, None], 0, 255).astype(
        np.uint8
    )
    left = rng.uniform(-30.0, 20.0)
    while left < width:
        book = rng.uniform((16.0, 60.0), (42.0, 150.0)) * scale
        colour = tuple(int(v) for v in rng.uniform(30, 150, 3))
        if rng.random() < 0.75:
            middle = np.array((left + book[0] / 2.0, horizon - book[1] / 2.0))
            _box(image, middle, book / 2.0, rng.normal(0.0, 0.03), colour)
        left += book[0] + 2.0
    _disc(image, rng.uniform((0.0, 0.0), (width, horizon)), 16.0 * scale, (225, 240, 250))
    return _blurred(image, 2.4 * scale)


def _beam(image: Image, rng: np.random.Generator, scale: float) -> None:
    height, width = image.shape[:2]
    middle = rng.uniform((0.0, 0.0), (width, height))
    angle = rng.choice((0.35, 0.35, 1.92, 1.15)) + rng.normal(0.0, 0.06)
    half = np.array((rng.uniform(90.0, 260.0), rng.uniform(7.0, 13.0))) * scale
    level = int(rng.choice((20, 26, 38, 52, 138), p=(0.3, 0.25, 0.2, 0.15, 0.1)))
    _box(image, middle, half, angle, (level + 4, level + 1, level))
    along = np.array((math.cos(angle), math.sin(angle)))
    _box(image, middle - (0.0, half[1] * 0.7), half * (1.0, 0.12), angle, (level + 34,) * 3)
    step = 2.1 * half[1]
    for number in range(int(-half[0] / step) + 1, int(half[0] / step)):
        _disc(image, middle + along * step * number, half[1] * 0.52, (level // 3,) * 3)


def _gear(image: Image, rng: np.random.Generator, scale: float) -> None:
    height, width = image.shape[:2]
    middle = rng.uniform((0.0, 0.0), (width, height))
    radius = rng.uniform(24.0, 52.0) * scale
    teeth = int(radius / scale / 2.2)
    angles = np.linspace(0.0, 2.0 * math.pi, 4 * teeth, endpoint=False)
    reach = radius * (1.0 + 0.07 * np.where(np.arange(4 * teeth) % 4 < 2, 1.0, -1.0))
    outline = middle + np.column_stack([reach * np.cos(angles), reach * np.sin(angles)])
    level = int(rng.choice((58, 132, 158)))
    _fill(image, outline, (level + 4, level + 2, level))
    _disc(image, middle, radius * 0.78, (level - 26,) * 3)
    _disc(image, middle, radius * 0.30, (level + 10,) * 3)
    for hole in range(4):
        angle = hole * math.pi / 2.0 + 0.4
        offset = radius * 0.52 * np.array((math.cos(angle), math.sin(angle)))
        _disc(image, middle + offset, radius * 0.16, (22, 22, 22))


def _box(
    image: Image,
    middle: NDArray[np.float64],
    half: NDArray[np.float64],
    angle: float,
    colour: tuple[int, ...],
) -> None:
    along = np.array((math.cos(angle), math.sin(angle)))
    across = np.array((-along[1], along[0]))
    corners = [middle + x * half[0] * along + y * half[1] * across for x, y in _CORNERS]
    _fill(image, np.array(corners), colour)


_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _disc(
    image: Image, middle: NDArray[np.float64], radius: float, colour: tuple[int, ...]
) -> None:
    place = (round(float(middle[0]) * 16), round(float(middle[1]) * 16))
    cv2.circle(image, place, max(1, round(radius * 16)), colour, cv2.FILLED, cv2.LINE_AA, 4)


def _fill(image: Image, outline: NDArray[np.float64], colour: tuple[int, ...]) -> None:
    points = np.rint(outline * 16).astype(np.int32)
    cv2.fillPoly(image, [points], colour, cv2.LINE_AA, 4)


def _blurred(image: Image, sigma: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), dtype=np.uint8)
