"""Conversions between gamma-encoded sRGB, linear light and CIELAB, exact and for whole arrays."""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

# IEC 61966-2-1: linear sRGB to CIE XYZ, reference white D65, 2° observer.
_RGB_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
# The white that R = G = B = 1 gives, so that greys have exactly a = b = 0.
_WHITE = _RGB_TO_XYZ.sum(axis=1)
# CIE 15:2004, 8.2.1.1: below this value a straight line replaces the cube root.
_EPSILON = (6 / 29) ** 3
_SLOPE = (29 / 6) ** 2 / 3
LESS_LIGHTNESS = np.array([0.35, 1.0, 1.0])
"""Weights of CIELAB for colours in different light: exposure mainly changes lightness."""
HALF_LIGHTNESS = np.array([0.5, 1.0, 1.0])
"""The same for colours in the light of one moment, where only shadows differ."""


def linearise(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Undo the gamma of sRGB.

    Args:
        rgb: Any shape, 0..1, gamma-encoded.

    Returns:
        The same shape, 0..1, proportional to light (IEC 61966-2-1).
    """
    # The floor keeps the power defined in the branch that np.where discards.
    power = ((np.maximum(rgb, 0.04045) + 0.055) / 1.055) ** 2.4
    return np.asarray(np.where(rgb <= 0.04045, rgb / 12.92, power))


def encode(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Apply the gamma of sRGB, the inverse of `linearise`; any shape, 0..1."""
    power = 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055
    return np.asarray(np.where(light <= 0.0031308, 12.92 * light, power))


def srgb_to_lab(rgb: ArrayLike) -> NDArray[np.float64]:
    """Convert sRGB colours to CIELAB.

    Args:
        rgb: (..., 3) red, green, blue, 0..255, integer or float; NaN marks a colour not seen.
            Values outside 0..255 are clipped.

    Returns:
        (..., 3) float64: L 0..100, a, b, reference white D65. NaN stays NaN.

    Raises:
        ValueError: The last axis is not 3 long.
    """
    values = np.asarray(rgb, dtype=np.float64)
    if values.ndim == 0 or values.shape[-1] != 3:
        raise ValueError(f"colours need a last axis of 3, this array has shape {values.shape}")
    return light_to_lab(linearise(np.clip(values, 0.0, 255.0) / 255.0))


def light_to_lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert linear light, (..., 3) red, green, blue, 0..1, to CIELAB."""
    xyz: NDArray[np.float64] = light @ _RGB_TO_XYZ.T / _WHITE
    f = np.where(xyz > _EPSILON, np.cbrt(xyz), _SLOPE * xyz + 4 / 29)
    lab = np.empty_like(f)
    lab[..., 0] = 116.0 * f[..., 1] - 16.0
    lab[..., 1] = 500.0 * (f[..., 0] - f[..., 1])
    lab[..., 2] = 200.0 * (f[..., 1] - f[..., 2])
    return lab


def lab_to_srgb(lab: ArrayLike) -> NDArray[np.float64]:
    """Convert CIELAB to sRGB colours, the inverse of `srgb_to_lab`.

    Args:
        lab: (..., 3) L 0..100, a, b, reference white D65; NaN marks a colour not seen.

    Returns:
        (..., 3) float64 red, green, blue, 0..255; colours that sRGB lacks are clipped, NaN stays
        NaN.

    Raises:
        ValueError: The last axis is not 3 long.
    """
    values = np.asarray(lab, dtype=np.float64)
    if values.ndim == 0 or values.shape[-1] != 3:
        raise ValueError(f"colours need a last axis of 3, this array has shape {values.shape}")
    middle = (values[..., 0] + 16.0) / 116.0
    f = np.stack([middle + values[..., 1] / 500.0, middle, middle - values[..., 2] / 200.0], -1)
    xyz = np.where(f > 6 / 29, f**3, (f - 4 / 29) / _SLOPE) * _WHITE
    light = np.clip(xyz @ np.linalg.inv(_RGB_TO_XYZ).T, 0.0, 1.0)
    return encode(light) * 255.0


def delta_e(one: ArrayLike, other: ArrayLike, weights: ArrayLike = 1.0) -> NDArray[np.float64]:
    """Return ΔE 1976 between CIELAB colours (..., 3), each channel weighted."""
    return np.asarray(np.linalg.norm(np.subtract(one, other) * weights, axis=-1))


def bgr_to_lab(bgr: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Convert pixels in OpenCV's channel order to CIELAB; shapes and units as in `srgb_to_lab`."""
    return light_to_lab(_light_of_bytes()[bgr[..., ::-1]])


@cache
def _light_of_bytes() -> NDArray[np.float64]:
    """Return the light, (256,), of each possible value of a picture's channel."""
    return linearise(np.arange(256) / 255.0)
