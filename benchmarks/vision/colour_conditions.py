"""Ways in which sampled colours go wrong between cube and program: for benchmarks and tests."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Degradation:
    """What happens to sRGB colours on their way.

    Attributes:
        noise: Standard deviation on each channel, of 255.
        gain: Standard deviation of the logarithm of each face's light.
        tint: The same for each channel of each face: white balance that drifts.
        gradient: Share by which light rises and falls across a face, in a random direction.
        glare: So many stickers are mixed with white.
        glare_share: By at most this share, at least half of it.
        missing: So many stickers are not seen.
    """

    noise: float = 0.0
    gain: float = 0.0
    tint: float = 0.0
    gradient: float = 0.0
    glare: int = 0
    glare_share: float = 0.6
    missing: int = 0


CLEAN = Degradation()

CONDITIONS: Mapping[str, Degradation] = MappingProxyType(
    {
        "clean": CLEAN,
        "gradient .3": Degradation(gradient=0.3),
        "noise 10": Degradation(noise=10),
        "glare 2": Degradation(glare=2, glare_share=0.9),
        "missing 4": Degradation(missing=4),
        "gain .2": Degradation(gain=0.2),
        "mild": Degradation(4, 0.08, 0.03, 0.15, 1, 0.5),
        "hard": Degradation(8, 0.15, 0.06, 0.3, 2, 0.7),
        "severe": Degradation(12, 0.25, 0.1, 0.4, 4, 0.8, 2),
    }
)


def degrade(rgb: Array, how: Degradation, rng: np.random.Generator) -> Array:
    """Apply a degradation.

    Args:
        rgb: (54, 3) sRGB, 0..255, in the order URFDLB.
        how: What happens.
        rng: The chance in it.

    Returns:
        (54, 3), NaN where a sticker is missing; centres never are.
    """
    light = (rgb.reshape(6, 9, 3) / 255.0) ** 2.2
    light *= np.exp(rng.normal(0, how.gain, (6, 1, 1)) + rng.normal(0, how.tint, (6, 1, 3)))
    y, x = np.mgrid[-1:2, -1:2]
    for face in range(6):
        angle = rng.uniform(0, 2 * np.pi)
        ramp = (np.cos(angle) * x + np.sin(angle) * y).ravel() / np.sqrt(2)
        light[face] *= (1 + how.gradient * ramp)[:, None]
    colours = (np.clip(light, 0, 1) ** (1 / 2.2) * 255).reshape(54, 3)
    for place in rng.choice(54, how.glare, replace=False):
        share = rng.uniform(0.5, 1) * how.glare_share
        colours[place] = colours[place] * (1 - share) + 255 * share
    colours = np.clip(colours + rng.normal(0, how.noise, colours.shape), 0, 255)
    stickers = [i for i in range(54) if i % 9 != 4]
    colours[rng.choice(stickers, how.missing, replace=False)] = np.nan
    return np.asarray(colours)
