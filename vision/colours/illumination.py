"""The light on each face, modelled as a factor for each channel and a ramp across the face.

The factors stand for exposure and white balance that drift between pictures, the ramp for a lamp at
one side. Both are estimated with shrinkage by weighted least squares, given the stickers' colours
in even light. The first axis, n, of every array numbers the starts of the estimation.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Parameters of the light, chosen with `thistlebot bench vision`: standard deviations of a face's
# exposure, of each channel's deviation from it, and of the ramp.
_EXPOSURE, _TINT, _RAMP = 0.15, 0.05, 0.12
_LEAST_LIGHT, _MOST_LIGHT = 0.2, 3.0


@lru_cache(maxsize=16)
def _face_positions(stickers: int) -> Array:
    """Return (pictures, per picture, 2): x and y in the face, the corners one unit from the middle.

    Every picture shows nine stickers, or four of a 2×2×2 cube, which has 24 in total.
    """
    side = 2 if stickers == 24 else 3
    steps = np.linspace(-1.0, 1.0, side) / np.sqrt(2.0)
    x, y = np.meshgrid(steps, steps)
    return np.tile(np.stack([x.ravel(), y.ravel()], axis=1), (stickers // side**2, 1, 1))


def fit_illumination(
    values: Array, means: Array, whitening: Array, weights: Array
) -> tuple[Array, Array]:
    """Fit the light of each picture of a face by least squares, shrunk towards even light.

    The unknowns of a picture are a factor for each channel, near 1, and the ramp in x and y,
    near 0.

    Args:
        values: (n, stickers, 3) encoded sRGB 0..1, as seen.
        means: (n, stickers, 3) the colour of each sticker in even light.
        whitening: (n, stickers, 3, 3) of each sticker's colour, as in `ColourModel`.
        weights: (n, stickers) weight of each sticker, 0..1.

    Returns:
        (n, stickers, 3) factors, and (n,) nats of their deviation from even light.
    """
    starts, stickers = weights.shape
    positions = _face_positions(stickers)
    pictures, each_picture, _ = positions.shape
    x, y = positions.reshape(stickers, 2).T[:, None, :, None]
    channels = whitening * means[:, :, None, :]
    along = channels.sum(axis=3)
    design = np.concatenate([channels, (x * along)[..., None], (y * along)[..., None]], axis=3)
    root = np.sqrt(weights)[..., None]
    design = (design * root[..., None]).reshape(starts, pictures, -1, 5)
    target = ((whitening @ np.broadcast_to(values, means.shape)[..., None])[..., 0] * root).reshape(
        starts, pictures, -1, 1
    )
    even = np.array([1.0, 1.0, 1.0, 0.0, 0.0])
    prior = np.zeros((5, 5))
    prior[:3, :3] = _EXPOSURE**2 + _TINT**2 * np.eye(3)
    prior[3, 3] = prior[4, 4] = _RAMP**2
    stiffness = np.linalg.inv(prior)
    turned = design.swapaxes(2, 3)
    found = np.linalg.solve(
        turned @ design + stiffness, turned @ target + (stiffness @ even)[:, None]
    )[..., 0]
    factors = np.clip(found[..., :3], _LEAST_LIGHT, _MOST_LIGHT)
    found[..., :3] = factors / np.exp(np.log(factors).mean(axis=1, keepdims=True))
    off = found - even
    penalty = 0.5 * ((off @ stiffness) * off).sum(axis=(1, 2))
    each = np.repeat(found, each_picture, axis=1)
    light = each[..., :3] + each[..., 3:4] * x[0] + each[..., 4:5] * y[0]
    return np.clip(light, _LEAST_LIGHT, _MOST_LIGHT), penalty
