"""Labelled pictures of faces, and the framings and degradations of a benchmark.

This module also contains 42 ways in which a room, a camera or a hand degrades the picture of a
face, by kind and severity.

Unlike the simple conditions they come in steps up to extreme ones: a face cut by a quarter, three
fingers, a tenth of the light with a sensor's noise. Every change is made at 640 pixels width and
uses the given random generator.
"""

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


Float = NDArray[np.float32]

# Skin in three lights, BGR.
_SKIN = np.array([(120, 150, 205), (90, 120, 180), (60, 85, 130)], dtype=np.float64)
# Size of a finger relative to a sticker's side: its width and length.
_FINGER_WIDE, _FINGER_LONG = 0.75, 2.2
# Size of a reflected lamp relative to a sticker's side: the axes of its ellipse, smallest and
# largest.
_LAMP = (0.35, 0.9)


def _dim(gain: float, noise_levels: float) -> Change:
    """Reduce the light, and add the sensor's noise; levels are integers, as a camera's are."""
    return pixels(lambda image, rng: image * gain + rng.normal(0, noise_levels, image.shape))


def _noisy(levels: float) -> Change:
    return pixels(lambda image, rng: image + rng.normal(0, levels, image.shape))


def _smeared(length_px: float) -> Change:
    """Move the camera along a straight line in any direction during the exposure."""

    def alter(image: Float, rng: np.random.Generator) -> Float:
        angle = rng.uniform(0, np.pi)
        side = 2 * int(np.ceil(length_px / 2)) + 1
        middle = (side - 1) / 2
        arm = np.array([np.cos(angle), np.sin(angle)]) * (length_px - 1) / 2
        (x0, y0), (x1, y1) = np.rint((middle + arm, middle - arm)).astype(int).tolist()
        kernel = np.zeros((side, side), np.float32)
        cv2.line(kernel, (x0, y0), (x1, y1), (1.0,), 1)
        return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), dtype=np.float32)

    return pixels(alter)


def _cut(share: float) -> Change:
    """Crop the picture so that its border cuts this share of the face, on any of four sides."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        small = shrunk(picture)
        turns = int(rng.integers(4))
        low = small.middles.min(axis=0) - small.step / 2
        high = small.middles.max(axis=0) + small.step / 2
        height, width = small.image.shape[:2]
        x, y = 0, 0
        if turns == 0:
            x = round(low[0] + share * (high - low)[0])
        elif turns == 1:
            y = round(low[1] + share * (high - low)[1])
        elif turns == 2:
            width = round(high[0] - share * (high - low)[0])
        else:
            height = round(high[1] - share * (high - low)[1])
        return Labelled(small.name, small.image[y:height, x:width], small.middles - (x, y))

    return change


def _fingers(number: int) -> Change:
    """Put fingers over the face from outside; each covers a sticker or parts of two."""

    def draw(small: Labelled, rng: np.random.Generator) -> NDArray[Any]:
        image = small.image.copy()
        middle = small.middles.mean(axis=0)
        outer = np.flatnonzero(np.linalg.norm(small.middles - middle, axis=1) > 0.5 * small.step)
        for place in rng.choice(outer, number, replace=False):
            tip = small.middles[place] + rng.normal(0, 0.1 * small.step, 2)
            way = tip - middle
            angle = np.arctan2(way[1], way[0]) + rng.normal(0, 0.2)
            far = tip + 0.5 * _FINGER_LONG * small.step * np.array([np.cos(angle), np.sin(angle)])
            skin = (_SKIN[rng.integers(len(_SKIN))] + rng.normal(0, 8, 3)).tolist()
            size = (_FINGER_LONG * small.step * 1.2, _FINGER_WIDE * small.step)
            box = ((float(far[0]), float(far[1])), size, float(np.rad2deg(angle)))
            cv2.ellipse(image, box, skin, -1, cv2.LINE_AA)
        return image

    return redrawn(draw)


def _shaded(left: float) -> Change:
    """Add a shadow with a soft edge across the face, with this share of the light left."""

    def draw(small: Labelled, rng: np.random.Generator) -> NDArray[Any]:
        height, width = small.image.shape[:2]
        angle = rng.uniform(0, 2 * np.pi)
        x, y = small.middles.mean(axis=0) + rng.uniform(-0.8, 0.8, 2) * small.step
        columns, rows = np.meshgrid(np.arange(width), np.arange(height))
        depth = (columns - x) * np.cos(angle) + (rows - y) * np.sin(angle)
        share = 1 / (1 + np.exp(-np.clip(depth / rng.uniform(1.0, 4.0), -50, 50)))
        return np.asarray(small.image * (left + (1 - left) * share)[:, :, None])

    return redrawn(draw)


def _glared(lamps: int) -> Change:
    """Reflect lamps in some stickers."""

    def draw(small: Labelled, rng: np.random.Generator) -> NDArray[Any]:
        light = np.zeros(small.image.shape[:2], np.float32)
        for place in rng.choice(len(small.middles), lamps, replace=False):
            x, y = small.middles[place] + rng.normal(0, 0.25 * small.step, 2)
            axes = rng.uniform(*_LAMP, 2) * small.step
            box = ((float(x), float(y)), (float(axes[0]), float(axes[1])), rng.uniform(0, 180))
            cv2.ellipse(light, box, (1.0,), -1, cv2.LINE_AA)
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.08 * small.step), dtype=np.float32)
        return np.asarray(small.image + (255.0 - small.image) * 0.95 * light[:, :, None])

    return redrawn(draw)


def _faded(contrast: float) -> Change:
    """Pull all levels together around the picture's mean, like haze on a lens."""
    return pixels(lambda image, _: (image - image.mean()) * contrast + image.mean())


def _far(share: float) -> Change:
    """Shrink the picture until the face has this share of the height, and blur its surroundings."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        small = shrunk(picture)
        height, width = small.image.shape[:2]
        tall = float(np.ptp(small.middles[:, 1])) + small.step
        scale = min(1.0, share * height / tall)
        inset = cv2.resize(small.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        rows, columns = inset.shape[:2]
        y, x = rng.integers(0, height - rows + 1), rng.integers(0, width - columns + 1)
        image = np.asarray(cv2.GaussianBlur(small.image, (0, 0), 12.0), dtype=np.uint8)
        image[y : y + rows, x : x + columns] = inset
        return Labelled(small.name, image, (small.middles + 0.5) * scale - 0.5 + (x, y))

    return change


def _packed(quality: int) -> Change:
    """Pass the picture through JPEG."""

    def alter(image: Float, rng: np.random.Generator) -> NDArray[np.floating]:
        del rng
        _, packed = cv2.imencode(".jpg", _levels(image), [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.float32)

    return pixels(alter)


def _tinted(blue: float, green: float, red: float) -> Change:
    """Apply a wrong white balance: one gain for each channel."""
    return pixels(lambda image, _: image * np.array([blue, green, red], dtype=np.float32))


def _crowded(things: int) -> Change:
    """Scatter squares of a cube's colours around the face, like boxes, books and other cubes."""

    def draw(small: Labelled, rng: np.random.Generator) -> NDArray[Any]:
        image = small.image.copy()
        height, width = image.shape[:2]
        away = 2.4 * small.step
        middle = small.middles.mean(axis=0)
        for _ in range(things):
            x, y = rng.uniform((0, 0), (width, height))
            size = small.step * rng.uniform(0.4, 1.3, 2)
            colour = rng.uniform(0, 255, 3).tolist()
            if np.hypot(x - middle[0], y - middle[1]) - np.hypot(*size) / 2 < away:
                continue
            box = ((x, y), (float(size[0]), float(size[1])), rng.uniform(0, 90))
            cv2.fillPoly(image, [np.rint(cv2.boxPoints(box)).astype(np.int32)], colour)
        return image

    return redrawn(draw)


def _levels(image: NDArray[np.floating]) -> Image:
    return np.asarray(np.clip(np.rint(image), 0, 255), dtype=np.uint8)


STRESSES: Mapping[str, Change] = MappingProxyType(
    {
        **{f"blur {sigma}": blurred(sigma) for sigma in (2, 3, 4)},
        **{f"motion {length}": _smeared(length) for length in (6, 10, 14)},
        **{f"noise {levels}": _noisy(levels) for levels in (8, 15, 25)},
        **{f"light {gain} noise {n}": _dim(gain, n) for gain, n in ((0.3, 4), (0.1, 1), (0.1, 3))},
        "tilt 25": tilted(25, 0),
        "tilt 40 x": tilted(40, 0),
        "tilt 40 y": tilted(40, 1),
        **{f"roll {angle}": rolled(angle) for angle in (20, 45)},
        **{f"cut {share}": _cut(share) for share in (0.05, 0.1, 0.25)},
        **{f"fingers {number}": _fingers(number) for number in (1, 2, 3)},
        **{f"shadow {left}": _shaded(left) for left in (0.5, 0.3, 0.15)},
        **{f"glare {lamps}": _glared(lamps) for lamps in (1, 2, 4)},
        **{f"contrast {share}": _faded(share) for share in (0.5, 0.3)},
        **{f"face {share}": _far(share) for share in (0.2, 0.14)},
        "face 0.9": framed(0.9),
        **{f"JPEG {quality}": _packed(quality) for quality in (30, 15, 8)},
        "warm": _tinted(0.45, 0.85, 1.2),
        "cold": _tinted(1.25, 0.9, 0.5),
        "over-exposed": pixels(lambda image, _: image * 1.8),
        **{f"crowd {things}": _crowded(things) for things in (40, 150)},
    }
)
"""Name to function: blur as σ and motion as length in pixels, noise in levels, light as a factor on
encoded levels, angles in degrees, cuts and heights as shares of the face and of the picture,
contrast and shadow as the rest of it.
"""
