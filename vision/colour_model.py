"""What the six colours look like in one set of pictures, and how likely each explains a sticker.

A sticker of colour c on face f is modelled as a Gaussian in CIELAB around the colour's mean, after
the face's own gain of light was divided out; a small share of all stickers follows no colour
(glare, a finger, a logo) and is spread evenly over all of CIELAB. In CIELAB a gain of light
multiplies (L + 16, a, b) by one number, the cube root of the gain (CIE 15:2004). Shading therefore
stretches the Gaussian of a colour along (L + 16, a, b), and gloss stretches it towards white; both
stretches are the prior, which nine stickers then refine.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Typical sticker colours under a neutral light, CIELAB: only where nothing better is known (the
# names of single faces, hidden centres). Means of labelled phone photos and rig pictures, rounded.
NAMED_COLOURS: dict[str, tuple[float, float, float]] = {
    "white": (85.0, 0.0, 0.0),
    "yellow": (78.0, -8.0, 62.0),
    "red": (40.0, 55.0, 32.0),
    "orange": (62.0, 42.0, 54.0),
    "green": (52.0, -40.0, 24.0),
    "blue": (36.0, 8.0, -46.0),
}

# Parameters of the noise, chosen with benchmarks/colour_reading.py: ΔE of an evenly lit matt
# sticker …
_BASE_SIGMA = 3.5
# … share of (L + 16, a, b) by which light varies within a face, …
_SHADING = 0.15
# … share of the way to white that gloss adds, …
_GLOSS = 0.10
# … and what sampling and compression add to any colour, however tight its nine stickers lie.
_FLOOR_SIGMA = 1.0
# Lightness below 100 from which a colour scatters fully, and the least share of it.
_HEADROOM, _LEAST_ROOM = 12.0, 0.25
# Share of stickers that follow no colour, and the volume of CIELAB that they are spread over.
_OUTLIER_SHARE = 0.05
_LAB_VOLUME = 8e5
# How many stickers' worth of weight the prior of a covariance, and of a mean that a profile knows,
# has.
_COVARIANCE_WEIGHT = 6.0
_PROFILE_WEIGHT = 3.0
# Standard deviation of a face's gain (as a factor on L + 16), and the lightness from which a camera
# clips.
_GAIN_SIGMA = 0.15
_CLIPPED_L = 97.0

_BLACK = np.array([16.0, 0.0, 0.0])
_WHITE = np.array([100.0, 0.0, 0.0])
UNSEEN_COST = float(np.log(_LAB_VOLUME / _OUTLIER_SHARE))


@dataclass(frozen=True, slots=True, eq=False)
class ColourModel:
    """The six colours and six gains.

    Attributes:
        means: (6, 3) CIELAB, index in URFDLB.
        covariances: (6, 3, 3).
        gains: (6,) per face, the factor on (L + 16, a, b); their geometric mean is 1.
        anchors: (6, 3) means that a profile knows, or None.
    """

    means: Array
    covariances: Array
    gains: Array
    anchors: Array | None = None


def seen_stickers(labs: Array) -> NDArray[np.bool_]:
    """Which rows of (n, 3) colours hold a colour."""
    return np.asarray(np.isfinite(labs).all(axis=1))


def prior_covariances(means: Array) -> Array:
    """Return how far stickers of each colour are expected to scatter, (6, 3, 3)."""
    shading, gloss = means + _BLACK, _WHITE - means
    # A camera that clips flattens every difference, so colours near white scatter less.
    room = np.clip((100.0 - means[:, 0]) / _HEADROOM, _LEAST_ROOM, 1.0)[:, None, None]
    return np.asarray(
        room**2
        * (
            _BASE_SIGMA**2 * np.eye(3)
            + _SHADING**2 * shading[:, :, None] * shading[:, None, :]
            + _GLOSS**2 * gloss[:, :, None] * gloss[:, None, :]
        )
    )


def seed_model(means: Array, caution: float = 1.5, anchors: Array | None = None) -> ColourModel:
    """Start from guessed means; `caution` widens the covariances while they are guesses."""
    return ColourModel(means, prior_covariances(means) * caution, np.ones(6), anchors)


def sticker_costs(labs: Array, model: ColourModel) -> Array:
    """Return the negative log likelihood of every colour for every sticker.

    Args:
        labs: (54, 3) CIELAB; NaN where not seen.
        model: the colours.

    Returns:
        (54, 6) nats; the same for all colours where the sticker was not seen.
    """
    seen = seen_stickers(labs)
    values = _even_light(np.where(seen[:, None], labs, 0.0), model.gains)
    fit = _log_density(values[:, None, :] - model.means, model.covariances)
    costs = -np.logaddexp(np.log1p(-_OUTLIER_SHARE) + fit, -UNSEEN_COST)
    return np.asarray(np.where(seen[:, None], costs, UNSEEN_COST))


def fit_model(labs: Array, labels: NDArray[np.intp], model: ColourModel) -> ColourModel:
    """Improve the model, given which colour each sticker has: one step of expectation-maximisation.

    Args:
        labs: (54, 3) CIELAB; NaN where not seen.
        labels: (54,) colour of each sticker, index in URFDLB.
        model: the model so far; it tells which stickers are outliers.
    """
    seen = seen_stickers(labs)
    values = _even_light(np.where(seen[:, None], labs, 0.0), model.gains)
    fit = _log_density(values - model.means[labels], model.covariances[labels])
    share = 1.0 / (1.0 + np.exp(np.clip(-UNSEEN_COST - fit, -50.0, 50.0)))
    weights: Array = np.where(seen, np.maximum(share, 1e-3), 0.0)
    means, covariances = _fit_colours(values, labels, weights, model)
    lit: Array = np.where(np.nan_to_num(labs[:, 0]) < _CLIPPED_L, weights, 0.0)
    raw = np.where(seen[:, None], labs, 0.0) + _BLACK
    gains = _fit_gains(
        raw, means[labels] + _BLACK, np.asarray(np.linalg.inv(covariances)[labels]), lit
    )
    return ColourModel(means, covariances, gains, model.anchors)


def _fit_colours(
    values: Array, labels: NDArray[np.intp], weights: Array, model: ColourModel
) -> tuple[Array, Array]:
    member = (labels[:, None] == np.arange(6)) * weights[:, None]
    weight = member.sum(axis=0)
    total = member.T @ values
    anchors, strength = (
        (model.means, 1e-3) if model.anchors is None else (model.anchors, _PROFILE_WEIGHT)
    )
    means = (total + strength * anchors) / (weight + strength)[:, None]
    off = values - means[labels]
    scatter = np.einsum("ic,ij,ik->cjk", member, off, off)
    prior = prior_covariances(means)
    covariances = (scatter + _COVARIANCE_WEIGHT * prior) / (weight + _COVARIANCE_WEIGHT)[
        :, None, None
    ]
    return means, covariances + _FLOOR_SIGMA**2 * np.eye(3)


def _fit_gains(raw: Array, expected: Array, precision: Array, weights: Array) -> Array:
    """Least squares for the factor between a face's stickers and the means, shrunk to 1."""
    projected = np.einsum("ij,ijk->ik", expected, precision) * weights[:, None]
    own = (projected * expected).sum(axis=1).reshape(6, 9).sum(axis=1)
    seen = (projected * raw).sum(axis=1).reshape(6, 9).sum(axis=1)
    gains = (seen + _GAIN_SIGMA**-2) / (own + _GAIN_SIGMA**-2)
    gains = np.clip(gains, 0.2, 5.0)
    return np.asarray(gains / np.exp(np.log(gains).mean()), dtype=np.float64)


def _even_light(labs: Array, gains: Array) -> Array:
    return np.asarray((labs + _BLACK) / np.repeat(gains, 9)[:, None] - _BLACK)


def _log_density(offsets: Array, covariances: Array) -> Array:
    """Gaussian log density; offsets (..., 3), covariances broadcasting to (..., 3, 3)."""
    inverse = np.linalg.inv(covariances)
    distance = np.einsum("...j,...jk,...k->...", offsets, inverse, offsets)
    _, log_det = np.linalg.slogdet(covariances)
    return np.asarray(-0.5 * (distance + log_det + 3.0 * np.log(2.0 * np.pi)))
