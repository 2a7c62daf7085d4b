"""Labelled pictures of faces, and the framings and degradations of a benchmark."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

WIDTH = 640
"""Longer side of the pictures, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A picture with the place of its face.

    Attributes:
        name: Name of the picture, or of its source.
        image: (h, w, 3) uint8 BGR.
        middles: (9, 2) pixels, the centres of the stickers row by row; (4, 2) of a 2×2×2 cube, (0,
            2) without a cube.
    """

    name: str
    image: Image
    middles: Array

    @property
    def step(self) -> float:
        """Distance of neighbouring stickers in pixels."""
        return float(np.linalg.norm(self.middles[1] - self.middles[0]))


NO_FACE: Array = np.zeros((0, 2))
"""The centres in a picture without a cube."""


Change = Callable[[Labelled, np.random.Generator], Labelled]


def warp(picture: Labelled, mapping: Array) -> Labelled:
    """Apply a homography to the picture and to the centres."""
    height, width = picture.image.shape[:2]
    image = np.asarray(
        cv2.warpPerspective(picture.image, mapping, (width, height), borderMode=cv2.BORDER_REFLECT),
        dtype=np.uint8,
    )
    points = np.column_stack([picture.middles, np.ones(len(picture.middles))]) @ mapping.T
    return Labelled(picture.name, image, points[:, :2] / points[:, 2:])


def framed(share: float) -> Change:
    """Crop to 4:3 so that the face has this share of the height, somewhere in the picture."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        height, width = picture.image.shape[:2]
        low = picture.middles.min(axis=0) - picture.step / 2
        high = picture.middles.max(axis=0) + picture.step / 2
        tall = min(height, (high - low)[1] / share)
        wide = max(min(width, tall * 4 / 3), (high - low)[0] * 1.02)
        x = int(np.clip(rng.uniform(high[0] - wide, low[0]), 0, width - wide))
        y = int(np.clip(rng.uniform(high[1] - tall, low[1]), 0, height - tall))
        crop = picture.image[y : y + int(tall), x : x + int(wide)]
        return Labelled(picture.name, crop, picture.middles - (x, y))

    return change


def filling(margin: float) -> Change:
    """Crop to the face, with a margin of this share of its side on all sides; negative cuts it."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        del rng
        low = picture.middles.min(axis=0) - picture.step / 2
        high = picture.middles.max(axis=0) + picture.step / 2
        beyond = margin * (high - low).max()
        size = picture.image.shape[1::-1]
        left, top = np.maximum(0, np.floor(low - beyond)).astype(int)
        right, bottom = np.minimum(size, np.ceil(high + beyond)).astype(int)
        crop = picture.image[top:bottom, left:right]
        return Labelled(picture.name, crop, picture.middles - (left, top))

    return change


def rolled(angle_deg: float) -> Change:
    """Rotate the picture about the face."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        del rng
        x, y = picture.middles.mean(axis=0).tolist()
        turn = cv2.getRotationMatrix2D((x, y), angle_deg, 1.0)
        return warp(picture, np.vstack([turn, [0, 0, 1]]))

    return change


def tilted(angle_deg: float, axis: int) -> Change:
    """Tilt the picture about a horizontal (0) or vertical (1) axis through the face."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        del rng
        x, y = picture.middles.mean(axis=0)
        focal = float(max(picture.image.shape[:2]))
        camera = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1.0]])
        axis_angle = np.eye(3)[axis] * np.deg2rad(angle_deg)
        mapping = camera @ cv2.Rodrigues(axis_angle)[0] @ np.linalg.inv(camera)
        centre = mapping @ (x, y, 1.0)
        back = np.eye(3)
        back[:2, 2] = (x, y) - centre[:2] / centre[2]
        return warp(picture, back @ mapping)

    return change


Alteration = Callable[[NDArray[np.float32], np.random.Generator], NDArray[np.floating]]


def redrawn(draw: Callable[[Labelled, np.random.Generator], NDArray[Any]]) -> Change:
    """Change only the pixels of the shrunk picture, which is given with its face."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        small = shrunk(picture)
        return Labelled(small.name, _levels(draw(small, rng)), small.middles)

    return change


def pixels(alter: Alteration) -> Change:
    """Change only the pixels of the shrunk picture."""
    return redrawn(lambda small, rng: alter(small.image.astype(np.float32), rng))


def blurred(sigma_px: float) -> Change:
    """Blur the shrunk picture by a Gaussian."""
    return pixels(lambda image, _: np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px)))


def covered(picture: Labelled, rng: np.random.Generator) -> Labelled:
    """Put a finger over two stickers."""
    image = picture.image.copy()
    for place in rng.choice(9, 2, replace=False):
        x, y = picture.middles[place] + rng.normal(0, 0.08 * picture.step, 2)
        box = ((float(x), float(y)), (1.0 * picture.step, 1.1 * picture.step), rng.uniform(0, 180))
        cv2.ellipse(image, box, (120, 150, 205), -1)
    return Labelled(picture.name, image, picture.middles)


CONDITIONS: Mapping[str, Change] = MappingProxyType(
    {
        "whole photo": lambda picture, _: picture,
        **{f"face {share}": framed(share) for share in (0.14, 0.25, 0.35, 0.5, 0.7, 0.9)},
        **{f"margin {m}": filling(m) for m in (-0.05, 0.0, 0.03, 0.06, 0.09, 0.12, 0.15)},
        **{f"roll {angle}": rolled(angle) for angle in (15, 30, 45)},
        **{
            f"tilt {angle} {'xy'[axis]}": tilted(angle, axis)
            for angle in (25, 40)
            for axis in (0, 1)
        },
        "blur 2": blurred(2.0),
        "blur 4": blurred(4.0),
        "light 0.3": pixels(lambda image, _: image * 0.3),
        "light 0.1": pixels(lambda image, _: image * 0.1),
        "noise 10": pixels(lambda image, rng: image + rng.normal(0, 10, image.shape)),
        "2 covered": covered,
    }
)
"""Name to function: framings as shares of the height, margins as shares of the face, angles in
degrees, blur in pixels at `WIDTH`, light as a factor on encoded levels, noise in levels.
"""


def shrunk(picture: Labelled) -> Labelled:
    """Reduce the longer side to the width of a webcam."""
    scale = WIDTH / max(picture.image.shape[:2])
    image = cv2.resize(picture.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    middles = (picture.middles + 0.5) * scale - 0.5
    return Labelled(picture.name, np.asarray(image, dtype=np.uint8), middles)


def _levels(image: NDArray[np.floating]) -> Image:
    return np.asarray(np.clip(np.rint(image), 0, 255), dtype=np.uint8)
