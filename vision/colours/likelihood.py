"""How likely a sticker's colour is, given what its colour looks like in that light.

Most stickers scatter around their expectation as a Gaussian. A few mirror a lamp or lie in shadow:
both move a colour along a straight line, towards white or towards black, since what the sticker
itself sends and what is added or taken away mix linearly in a patch of pixels. How far is anybody's
guess, so the density along the way is even, and across it the Gaussian's. The few that are left (a
finger, a logo, a place beside the cube) are spread evenly over all of sRGB.
"""

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Shares of stickers that mirror a lamp, lie in shadow, and follow no colour; all of sRGB has the
# volume 1. With half and with twice of the first two `thistlebot bench vision` reads as much.
_GLARE_SHARE, _SHADE_SHARE, OUTLIER_SHARE = 0.03, 0.03, 0.02
_USUAL_SHARE = 1.0 - _GLARE_SHARE - _SHADE_SHARE - OUTLIER_SHARE
# How far towards white and towards black.
_MOST_GLARE, _MOST_SHADE = 1.0, 0.9


def log_densities(off: Array, lit: Array, whitening: Array) -> tuple[Array, Array]:
    """Return the log density of a colour, and the share of it that is not the Gaussian's.

    Args:
        off: (..., stickers, 3) what was seen minus `lit`, encoded sRGB 0..1.
        lit: (..., stickers, 3) what is expected, clipped at 1.
        whitening: (..., stickers or 1, 3, 3) lower triangular W with WᵀW the inverse covariance.

    Returns:
        Two of (..., stickers): the logarithm, and the weight, 0..1, of the Gaussian in it.
    """
    turned = whitening.swapaxes(-1, -2)
    if whitening.shape[-3] == 1:  # one colour for all stickers: one product instead of many
        turned = turned[..., 0, :, :]
        whitened, to_black, white = off @ turned, lit @ turned, np.ones(3) @ turned
        to_white = white[..., None, :] - to_black
    else:
        whitened, to_black = ((each[..., None, :] @ turned)[..., 0, :] for each in (off, lit))
        to_white = turned.sum(axis=-2) - to_black
    # Everything is divided by the determinant of the whitening, so that nothing overflows.
    scale = np.log(np.diagonal(whitening, axis1=-2, axis2=-1)).sum(axis=-1)
    square = (whitened**2).sum(axis=-1)
    usual = _USUAL_SHARE * (2.0 * np.pi) ** -1.5 * np.exp(-0.5 * square)
    others = (
        OUTLIER_SHARE * np.exp(-scale)
        + _GLARE_SHARE * _on_the_way(whitened, square, to_white, _MOST_GLARE)
        + _SHADE_SHARE * _on_the_way(whitened, square, -to_black, _MOST_SHADE)
    )
    total = usual + others
    return scale + np.log(total), usual / total


def _on_the_way(whitened: Array, square: Array, towards: Array, most: float) -> Array:
    """Density of a unit Gaussian whose middle lies anywhere from 0 to `most` · `towards`."""
    length = np.maximum(np.sqrt((towards**2).sum(axis=-1)), 1e-6)
    along = (whitened * towards).sum(axis=-1) / length
    mass = _normal_share(along) - _normal_share(along - most * length)
    across = square - along**2
    return np.asarray(mass / (2.0 * np.pi * most * length) * np.exp(-0.5 * across))


def _normal_share(x: Array) -> Array:
    """Share of a unit Gaussian below x; SciPy has it too, but takes 0.2 s to import."""
    return np.interp(x, *_normal_shares())


@cache
def _normal_shares() -> tuple[Array, Array]:
    """Points and their shares, so many that straight lines between them are right to 10⁻⁶."""
    points = np.linspace(-9.0, 9.0, 6001)
    return points, np.array([0.5 * math.erfc(-x * math.sqrt(0.5)) for x in points])
