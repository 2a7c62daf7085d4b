"""The virtual camera's sensor and processing, applied to colours and light."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.colour_spaces import encode, linearise
from vision.geometry.light import Optics

Image = NDArray[np.uint8]

_BAND_ROWS = 32  # of a picture at a time: the intermediate results stay in the processor's cache
_CODES = 1 << 14  # steps of linear light in the encoding table


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """Factor and addition of light for each pixel; (h, w) float32, linear."""

    factor: NDArray[np.float32]
    added: NDArray[np.float32]


class Sensor:
    """Takes pictures of painted colours under a light; for one thread at a time."""

    def __init__(self, size: tuple[int, int], optics: Optics) -> None:
        self._optics = optics
        self._linear = linearise(np.arange(256) / 255.0).astype(np.float32)
        self._encoded = (255.0 * encode(np.linspace(0.0, 1.0, _CODES))).astype(np.float32)
        width, height = size
        self._counted = np.empty((height, width, 3), dtype=np.float32)

    def expose(self, picture: Image, lighting: Lighting, rng: np.random.Generator) -> Image:
        """Convert painted colours to the output of the sensor and its processing.

        Args:
            picture: (h, w, 3) uint8, BGR, sRGB: the colours of the scene, evenly lit.
            lighting: The light on it.
            rng: Generator for noise and drift.

        Returns:
            (h, w, 3) uint8, BGR, sRGB.
        """
        optics = self._optics
        wander = 1.0 + optics.drift * np.clip(rng.standard_normal(4), -2.0, 2.0)
        red, green, blue = (np.array(optics.white_balance) * wander[:3]).tolist()
        gain = optics.exposure * float(wander[3])
        gains = gain * np.array([blue, green, red, 0.0])
        linear = self._counted  # a new array for each picture would cost more than filling it
        for rows in _bands(picture):
            linear[rows] = self._lit(
                picture[rows], lighting.factor[rows], lighting.added[rows], gains
            )
        if optics.blur_px > 0.0:
            blurred = cv2.GaussianBlur(linear, (0, 0), optics.blur_px, dst=linear)
            linear = np.asarray(blurred, dtype=np.float32)
        image = np.empty(linear.shape, dtype=np.uint8)
        for rows in _bands(picture):
            image[rows] = self._digitised(linear[rows], rng)
        if optics.jpeg_quality is None:
            return image
        _, packed = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, optics.jpeg_quality))
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)

    def _lit(
        self,
        picture: Image,
        factor: NDArray[np.float32],
        added: NDArray[np.float32],
        gains: NDArray[np.float64],
    ) -> NDArray[np.float32]:
        """Return painted colours as the linear light on the sensor."""
        linear = np.asarray(cv2.LUT(picture, self._linear), dtype=np.float32)
        linear *= cv2.merge([factor] * 3)
        linear += cv2.merge([added] * 3)
        return np.asarray(cv2.multiply(linear, gains, dst=linear), dtype=np.float32)

    def _digitised(self, linear: NDArray[np.float32], rng: np.random.Generator) -> Image:
        """Return linear light as levels, with the sensor's noise."""
        steps = np.clip(linear, 0.0, 1.0)
        steps *= _CODES - 1
        steps += np.float32(0.5)
        levels = self._encoded.take(steps.astype(np.uint16))
        if self._optics.noise_levels == 0.0:
            return np.rint(levels).astype(np.uint8)
        noise = _noise(self._optics.noise_levels, levels.shape, rng)
        return np.asarray(cv2.add(levels, noise, dtype=cv2.CV_8U), dtype=np.uint8)


def _bands(picture: Image) -> Iterator[slice]:
    for first in range(0, len(picture), _BAND_ROWS):
        yield slice(first, first + _BAND_ROWS)


def _noise(levels: float, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float32]:
    """Return normal noise of a standard deviation, from the quantiles of 16 random bits each."""
    count = math.prod(shape)
    bits = rng.bit_generator.random_raw(-(-count // 4)).view(np.uint16)[:count]
    return _quantiles(levels).take(bits).reshape(shape)


@cache
def _quantiles(levels: float) -> NDArray[np.float32]:
    """Return the middle of each of 2**16 equally likely parts of a normal distribution."""
    normal, parts = NormalDist(), 1 << 16
    middles = [normal.inv_cdf((part + 0.5) / parts) for part in range(parts)]
    return np.float32(levels) * np.array(middles, np.float32)
