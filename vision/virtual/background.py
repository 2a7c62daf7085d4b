"""The background of the virtual cube: the clutter of a rig, or a plain wall."""

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.couplers import draw_polygon

Image = NDArray[np.uint8]


Painter = Callable[[tuple[int, int], np.random.Generator], Image]
"""Paints a background of a width and height, (h, w, 3) uint8 BGR; the same generator state gives
the same picture.
"""


def plain_wall(size: tuple[int, int], _rng: np.random.Generator) -> Image:
    """Paint a grey wall."""
    return np.full((size[1], size[0], 3), 96, dtype=np.uint8)


def rig_clutter(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """Paint dark beams with holes, gears, pegs, and bright windows, out of focus."""
    width, height = size
    image = np.full((height, width, 3), 34, dtype=np.uint8)
    scale = height / 480.0
    for _ in range(4):
        corner = rng.uniform((0.0, 0.0), (width, height))
        middle = corner + (corner - (width / 2.0, height / 2.0)) * 0.4
        box(
            image, middle, rng.uniform(80, 190, 2) * scale, rng.uniform(0, math.pi), (246, 244, 240)
        )
    image = blurred(image, 2.0 * scale)
    for _ in range(26):
        _beam(image, rng, scale)
    for _ in range(7):
        _gear(image, rng, scale)
    for _ in range(26):
        place = rng.uniform((0.0, 0.0), (width, height))
        colour = ((168, 84, 24), (30, 190, 220), (36, 30, 170), (150, 150, 152))[rng.integers(4)]
        disc(image, place, rng.uniform(4.0, 9.0) * scale, colour)
        disc(image, place, 2.5 * scale, (24, 24, 24))
    return blurred(image, 1.6 * scale)


def _beam(image: Image, rng: np.random.Generator, scale: float) -> None:
    height, width = image.shape[:2]
    middle = rng.uniform((0.0, 0.0), (width, height))
    angle = rng.choice((0.35, 0.35, 1.92, 1.15)) + rng.normal(0.0, 0.06)
    half = np.array((rng.uniform(90.0, 260.0), rng.uniform(7.0, 13.0))) * scale
    level = int(rng.choice((20, 26, 38, 52, 138), p=(0.3, 0.25, 0.2, 0.15, 0.1)))
    box(image, middle, half, angle, (level + 4, level + 1, level))
    along = np.array((math.cos(angle), math.sin(angle)))
    box(image, middle - (0.0, half[1] * 0.7), half * (1.0, 0.12), angle, (level + 34,) * 3)
    step = 2.1 * half[1]
    for number in range(int(-half[0] / step) + 1, int(half[0] / step)):
        disc(image, middle + along * step * number, half[1] * 0.52, (level // 3,) * 3)


def _gear(image: Image, rng: np.random.Generator, scale: float) -> None:
    height, width = image.shape[:2]
    middle = rng.uniform((0.0, 0.0), (width, height))
    radius = rng.uniform(24.0, 52.0) * scale
    teeth = int(radius / scale / 2.2)
    angles = np.linspace(0.0, 2.0 * math.pi, 4 * teeth, endpoint=False)
    reach = radius * (1.0 + 0.07 * np.where(np.arange(4 * teeth) % 4 < 2, 1.0, -1.0))
    outline = middle + np.column_stack([reach * np.cos(angles), reach * np.sin(angles)])
    level = int(rng.choice((58, 132, 158)))
    draw_polygon(image, outline, (level + 4, level + 2, level))
    disc(image, middle, radius * 0.78, (level - 26,) * 3)
    disc(image, middle, radius * 0.30, (level + 10,) * 3)
    for hole in range(4):
        angle = hole * math.pi / 2.0 + 0.4
        offset = radius * 0.52 * np.array((math.cos(angle), math.sin(angle)))
        disc(image, middle + offset, radius * 0.16, (22, 22, 22))


def box(
    image: Image,
    middle: NDArray[np.float64],
    half: NDArray[np.float64],
    angle: float,
    colour: tuple[int, ...],
) -> None:
    """Paint a rotated rectangle; `half` is half of its width and height."""
    along = np.array((math.cos(angle), math.sin(angle)))
    across = np.array((-along[1], along[0]))
    corners = [middle + x * half[0] * along + y * half[1] * across for x, y in _CORNERS]
    draw_polygon(image, np.array(corners), colour)


_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def disc(image: Image, middle: NDArray[np.float64], radius: float, colour: tuple[int, ...]) -> None:
    """Paint a disc."""
    place = (round(float(middle[0]) * 16), round(float(middle[1]) * 16))
    cv2.circle(image, place, max(1, round(radius * 16)), colour, cv2.FILLED, cv2.LINE_AA, 4)


def blurred(image: Image, sigma: float) -> Image:
    """Blur a picture; σ in pixels."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), dtype=np.uint8)
