"""The copies of a picture in which a face is searched for, one after the other.

Each shows something that the picture hides: a smaller one is sharper and has less noise, others
have brighter shadows, more contrast or even light, and one with a margin completes a face that the
border cuts. They are ordered by the number of additional faces per millisecond, measured under the
42 stresses of docs/measurements/finding-faces.md, half of them on photos that were not used for
fitting.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

# Longer side of the copies, in pixels. Most faces are visible in the small one, small faces in the
# large one; the tiny one has no strong noise and blur.
_TINY, _SMALL, _LARGE = 160, 320, 640
# Exponent that brightens shadows.
_SHADOWS = 0.5
# Width of the margin as a share of the shorter side: a face as high as a third of the picture may
# be cut by a third.
_MARGIN = 0.12
# Percentiles of levels that are stretched to black and white, and the maximum factor.
_DARKEST, _BRIGHTEST, _MOST_STRETCH = 1, 99, 12.0
# Bilateral filter: diameter in pixels, difference of levels that are not mixed, σ in pixels.
_CALM = (7, 40.0, 5.0)
# Contrast limit and tiles of the adaptive equalisation.
_CONTRAST, _TILES = 3.0, (8, 8)
# Even light: distance to the brightest pixel for comparison, in pixels of the small copy; the
# resulting level; and the level below which nothing is brightened further.
_NEAR, _EVEN, _DARK = 15, 220.0, 8.0


@dataclass(frozen=True, slots=True, eq=False)
class PictureCopy:
    """A copy of a picture.

    Attributes:
        image: (h, w, 3) uint8 BGR.
        scale: Its size relative to the picture.
        margin_px: Width of the empty margin around it, in its own pixels.
        plain: Whether it differs from the picture only by its size.
    """

    image: Image
    scale: float
    margin_px: int = 0
    plain: bool = False

    def to_picture(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert pixels of the copy to pixels of the picture; integers are pixel centres."""
        return (points - self.margin_px + 0.5) / self.scale - 0.5


def small(image: Image) -> PictureCopy | None:
    """Shrink a picture."""
    return _shrunk(image, _SMALL, plain=True)


def large(image: Image) -> PictureCopy | None:
    """Shrink a picture less; None if that is the small copy."""
    return _shrunk(image, _LARGE, plain=True) if max(image.shape[:2]) > _SMALL else None


def brightened(image: Image) -> PictureCopy | None:
    """Brighten the shadows."""
    levels = np.rint(255.0 * (np.arange(256) / 255.0) ** _SHADOWS).astype(np.uint8)
    copy = _shrunk(image, _SMALL)
    return PictureCopy(np.asarray(cv2.LUT(copy.image, levels), dtype=np.uint8), copy.scale)


def framed_small(image: Image) -> PictureCopy | None:
    """Add a margin to the small copy."""
    return _framed(_shrunk(image, _SMALL))


def framed_large(image: Image) -> PictureCopy | None:
    """Add a margin to the large copy; None if that is the small one."""
    return _framed(_shrunk(image, _LARGE)) if max(image.shape[:2]) > _SMALL else None


def calm(image: Image) -> PictureCopy | None:
    """Shrink a picture to thumbnail size, stretch its contrast, and smooth everything but edges."""
    copy = _shrunk(image, _TINY)
    low, high = np.percentile(copy.image[::2, ::2], (_DARKEST, _BRIGHTEST))
    stretch = min(_MOST_STRETCH, 255.0 / max(1.0, high - low))
    levels = np.clip((np.arange(256) - low) * stretch, 0, 255).astype(np.uint8)
    stretched = cv2.LUT(copy.image, levels)
    return PictureCopy(
        np.asarray(cv2.bilateralFilter(stretched, *_CALM), dtype=np.uint8), copy.scale
    )


def contrasted(image: Image) -> PictureCopy | None:
    """Raise the contrast separately in each part of the picture."""
    copy = _shrunk(image, _SMALL)
    lightness, a, b = cv2.split(cv2.cvtColor(copy.image, cv2.COLOR_BGR2Lab))
    lightness = cv2.createCLAHE(_CONTRAST, _TILES).apply(lightness)
    lab = cv2.merge([lightness, a, b])
    return PictureCopy(np.asarray(cv2.cvtColor(lab, cv2.COLOR_Lab2BGR), dtype=np.uint8), copy.scale)


def evenly_lit(image: Image) -> PictureCopy | None:
    """Remove shadows: divide by the brightest level near each pixel, and smooth."""
    copy = _shrunk(image, _SMALL)
    near = cv2.dilate(copy.image.max(axis=2), np.ones((_NEAR, _NEAR), np.uint8))
    light = cv2.GaussianBlur(near.astype(np.float32), (0, 0), _NEAR / 2)
    gain = (_EVEN / np.maximum(light, _DARK))[:, :, None]
    even = np.clip(copy.image * gain, 0, 255).astype(np.uint8)
    return PictureCopy(np.asarray(cv2.bilateralFilter(even, *_CALM), dtype=np.uint8), copy.scale)


COPIES: tuple[Callable[[Image], PictureCopy | None], ...] = (
    small,
    brightened,
    framed_large,
    calm,
    large,
    contrasted,
    evenly_lit,
    framed_small,
)
"""The functions that make the copies, in the order of the search."""

_INSIDE: dict[Callable[[Image], PictureCopy | None], Callable[[Image], PictureCopy | None]] = {
    framed_small: small,
    framed_large: large,
}
PIXELS_OF = tuple(COPIES.index(_INSIDE.get(make, make)) for make in COPIES)
"""For each of the `COPIES`, the first copy with the same pixels; a margin adds none."""


def _shrunk(image: Image, longer_px: int, *, plain: bool = False) -> PictureCopy:
    scale = min(1.0, longer_px / max(image.shape[:2]))
    if scale == 1.0:
        return PictureCopy(image, scale, plain=plain)
    width, height = (max(1, round(n * scale)) for n in (image.shape[1], image.shape[0]))
    shrunk = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return PictureCopy(np.asarray(shrunk, dtype=np.uint8), scale, plain=plain)


def _framed(copy: PictureCopy) -> PictureCopy:
    """Repeat the pixels of the border beyond it: a sticker that is cut becomes a whole one."""
    margin = round(_MARGIN * min(copy.image.shape[:2]))
    framed = cv2.copyMakeBorder(
        copy.image, margin, margin, margin, margin, borderType=cv2.BORDER_REPLICATE
    )
    return PictureCopy(np.asarray(framed, dtype=np.uint8), copy.scale, margin_px=margin)
