"""The appearance of the six colours in one set of pictures, and how likely each is for a sticker.

Colours are in the camera's encoding: sRGB, 0..1. In it, light multiplies all channels by nearly the
same factor (the encoding is nearly a power law, IEC 61966-2-1), a camera's noise is the same for
all colours, and glare moves a colour straight towards white. A sticker of colour c on face f is a
Gaussian around the colour's mean, multiplied by the light at its place: one factor per channel and
face (exposure and white balance that drift between pictures) and a ramp across the face (a lamp at
one side). Values above full scale are clipped. A small share of all stickers reflects a lamp, is in
shadow or follows no colour.

The prior of the Gaussian is a ball of noise, whose size is estimated from all stickers, stretched
along the colour by shading and towards white by gloss; the colour's own nine stickers then refine
it. Light and colours are estimated alternately, with shrinkage by weighted least squares:
expectation maximisation with hard labels (Celeux and Govaert 1992). Several starts are computed at
once: the first axis, n, of every array of a model.

The likelihood of a sticker's colour, given the appearance of that colour in that light.

Most stickers scatter around their expectation as a Gaussian. A few reflect a lamp or are in shadow:
both move a colour along a straight line, towards white or towards black, because the sticker's own
light and the added or missing light mix linearly in a patch of pixels. The distance is unknown, so
the density along the line is uniform, and across it Gaussian. The rest (a finger, a logo, a place
beside the cube) is uniform over all of sRGB.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.colours.illumination import fit_illumination

Array = NDArray[np.float64]

# Shares of stickers that reflect a lamp, are in shadow, and follow no colour; all of sRGB has the
# volume 1. With half and with twice the first two, `thistlebot bench vision` reads as many cubes.
_GLARE_SHARE, _SHADE_SHARE, OUTLIER_SHARE = 0.03, 0.03, 0.02
_USUAL_SHARE = 1.0 - _GLARE_SHARE - _SHADE_SHARE - OUTLIER_SHARE
# Maximum distance towards white and towards black.
_MOST_GLARE, _MOST_SHADE = 1.0, 0.9
# Range of the Gaussian's table, in standard deviations, and its density.
_FARTHEST, _POINTS_A_UNIT = 9.0, 320


def log_densities(off: Array, lit: Array, whitening: Array) -> tuple[Array, Array]:
    """Return the log density of a colour, and the Gaussian's share of it.

    Args:
        off: (..., stickers, 3) observed colour minus `lit`, encoded sRGB 0..1.
        lit: (..., stickers, 3) expected colour, clipped at 1.
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
    square = _dot(whitened, whitened)
    usual = _USUAL_SHARE * (2.0 * np.pi) ** -1.5 * np.exp(-0.5 * square)
    others = (
        OUTLIER_SHARE * np.exp(-scale)
        + _GLARE_SHARE * _on_the_way(whitened, square, to_white, _MOST_GLARE)
        + _SHADE_SHARE * _on_the_way(whitened, square, -to_black, _MOST_SHADE)
    )
    total = usual + others
    return scale + np.log(total), usual / total


def _on_the_way(whitened: Array, square: Array, towards: Array, most: float) -> Array:
    """Return the density of a unit Gaussian whose centre is between 0 and `most` · `towards`."""
    length = np.maximum(np.sqrt(_dot(towards, towards)), 1e-6)
    along = _dot(whitened, towards) / length
    mass = _normal_share(along) - _normal_share(along - most * length)
    across = square - along**2
    return np.asarray(mass / (2.0 * np.pi * most * length) * np.exp(-0.5 * across))


def _dot(one: Array, other: Array) -> Array:
    """Return scalar products along the last axis; for three numbers, faster than a sum."""
    return np.asarray(np.einsum("...i,...i->...", one, other))


def _normal_share(x: Array) -> Array:
    """Return the share of a unit Gaussian below x; importing SciPy for this would take 0.2 s.

    Linear interpolation, like `numpy.interp`, but without a search.
    """
    shares, rises = _normal_shares()
    place = np.clip((x + _FARTHEST) * _POINTS_A_UNIT, 0.0, len(rises) - 1e-9)
    point = place.astype(np.intp)
    return np.asarray(shares[point] + (place - point) * rises[point])


@cache
def _normal_shares() -> tuple[Array, Array]:
    """Return the shares at points, dense enough for interpolation to 10⁻⁶, and their slopes."""
    points = np.arange(-_FARTHEST, _FARTHEST + 0.5 / _POINTS_A_UNIT, 1 / _POINTS_A_UNIT)
    shares = np.array([0.5 * math.erfc(-x * math.sqrt(0.5)) for x in points])
    return shares, np.diff(shares)


Labels = NDArray[np.intp]

# Typical sticker colours under a neutral light, CIELAB: used only where nothing better is known
# (the names of single faces, hidden centres). Means of labelled phone photos and rig pictures,
# rounded.
NAMED_COLOURS: dict[str, tuple[float, float, float]] = {
    "white": (85.0, 0.0, 0.0),
    "yellow": (78.0, -8.0, 62.0),
    "red": (40.0, 55.0, 32.0),
    "orange": (62.0, 42.0, 54.0),
    "green": (52.0, -40.0, 24.0),
    "blue": (36.0, 8.0, -46.0),
}

# Parameters of the noise, chosen with `thistlebot bench vision`: standard deviation of an evenly
# lit matt sticker, as a share of full scale, and the weight of this guess in stickers;
_NOISE, _NOISE_WEIGHT = 0.01, 4.0
# the variation of light besides the ramp as a share of a colour, the share of the way to white that
# gloss adds, and the minimum scatter from sampling and compression.
_SHADING, _GLOSS, _FLOOR = 0.12, 0.08, 0.004
# Clipping flattens every difference: distance from full scale at which a channel scatters fully,
# and the least share of it.
_HEADROOM, _LEAST_ROOM = 0.06, 0.25
# Weight in stickers of the prior of a covariance, of an unknown mean, and of a mean from a profile.
_COVARIANCE_WEIGHT, _MEAN_WEIGHT, _PROFILE_WEIGHT = 6.0, 1e-3, 3.0
# Above this value a sticker is clipped and tells little about the light.
_CLIPPED, _CLIPPED_WEIGHT = 0.985, 0.1

# The parts of a model that are separate for each start.
_BY_START = ("means", "whitening", "light", "noise", "penalty")

UNSEEN_COST = float(-np.log(OUTLIER_SHARE))


@dataclass(frozen=True, slots=True, eq=False)
class ColourModel:
    """The six colours and the light, for n starts.

    Attributes:
        means: (n, 6, 3) encoded sRGB 0..1, index in URFDLB.
        whitening: (n, 6, 3, 3) matrices W with WᵀW the inverse covariance.
        light: (n, stickers, 3) factors; their geometric mean over the pictures is about 1.
        noise: (n,) variance of the ball of noise.
        penalty: (n,) nats, how unlikely the light is.
        anchors: (6, 3) means from a profile, or None.
    """

    means: Array
    whitening: Array
    light: Array
    noise: Array
    penalty: Array
    anchors: Array | None

    def __len__(self) -> int:
        return len(self.means)

    def take(self, starts: Labels | list[int]) -> "ColourModel":
        """Return the model of some of the starts."""
        return replace(self, **{name: getattr(self, name)[starts] for name in _BY_START})


def join_models(models: Sequence[ColourModel]) -> ColourModel:
    """Concatenate the starts of several models; the anchors are those of the first."""
    joined = {name: np.concatenate([getattr(each, name) for each in models]) for name in _BY_START}
    return replace(models[0], **joined)


def separation(model: ColourModel) -> Array:
    """Return the distance of the two most similar colours, (n,) standard deviations of either."""
    apart = model.means[:, None, :] - model.means[:, :, None]
    distance = np.linalg.norm(apart @ model.whitening.swapaxes(2, 3), axis=-1)
    distance = np.minimum(distance, distance.swapaxes(1, 2)) + 1e3 * np.eye(6)
    return np.asarray(distance.min(axis=(1, 2)))


def seen_stickers(colours: Array) -> NDArray[np.bool_]:
    """Return which rows of an array (stickers, 3) contain a colour."""
    return np.asarray(np.isfinite(colours).all(axis=1))


def seed_models(
    means: Array, cautions: Array, stickers: int, anchors: Array | None = None
) -> ColourModel:
    """Start from guessed means.

    Args:
        means: (n, 6, 3) encoded sRGB.
        cautions: (n,) factors that widen the covariances as long as they are guesses.
        stickers: 54, 24 for a 2×2×2 cube, plus nine for every further look at a face.
        anchors: See `ColourModel`.
    """
    noise = _NOISE**2 * cautions
    wide = cautions[:, None, None, None]
    covariances = wide * _prior_covariances(means, noise) + (wide - 1.0) * (2 * _NOISE) ** 2 * (
        np.eye(3)
    )
    return ColourModel(
        means,
        _whitening(covariances),
        np.ones((len(means), stickers, 3)),
        noise,
        np.zeros(len(means)),
        anchors,
    )


def sticker_costs(colours: Array, model: ColourModel) -> Array:
    """Return the negative log likelihood of every colour for every sticker.

    Args:
        colours: (stickers, 3) encoded sRGB 0..1; NaN where not seen.
        model: The colours.

    Returns:
        (n, stickers, 6) nats; the same for all colours where the sticker was not seen.
    """
    seen = seen_stickers(colours)
    values = np.where(seen[:, None], colours, 0.0)
    lit = np.minimum(model.light[:, None] * model.means[:, :, None], 1.0)
    costs = -log_densities(values - lit, lit, model.whitening[:, :, None])[0]
    return np.where(seen[:, None], costs.swapaxes(1, 2), UNSEEN_COST)


def fit_models(colours: Array, labels: Labels, model: ColourModel) -> ColourModel:
    """Improve the model, given the colour of each sticker: one step of maximisation.

    Args:
        colours: (stickers, 3) encoded sRGB 0..1; NaN where not seen.
        labels: (n, stickers) colour of each sticker, index in URFDLB.
        model: The model so far; it determines the outliers.
    """
    starts = np.arange(len(model))[:, None]
    seen = seen_stickers(colours)
    values = np.where(seen[:, None], colours, 0.0)
    expected = _expected(labels, model)
    share = _usual_shares(values, expected, labels, model)
    # A channel that the camera clipped gives only a lower bound of the light.
    values = np.where((values > _CLIPPED) & (expected > values), expected, values)
    weights = np.where(seen, np.maximum(share, 1e-3), 0.0)
    member = (labels[:, :, None] == np.arange(6)) * weights[:, :, None]
    means = _fit_means(values, member, model)
    own = means[starts, labels]
    off = values - model.light * own
    noise = _fit_noise(off, own, weights)
    prior = _prior_covariances(means, noise)
    whitening = _whitening(_fit_covariances(off, member, prior))
    weights = weights * np.where((values > _CLIPPED).all(axis=-1), _CLIPPED_WEIGHT, 1.0)
    light, penalty = fit_illumination(values, own, whitening[starts, labels], weights)
    penalty = penalty + _scatter_penalty(whitening, prior, noise)
    return ColourModel(means, whitening, light, noise, penalty, model.anchors)


def usual_shares(colours: Array, labels: Labels, model: ColourModel) -> Array:
    """Return how typical each sticker is of its colour; outliers get low values.

    Args:
        colours: (stickers, 3) encoded sRGB 0..1; NaN where not seen.
        labels: (n, stickers) colour of each sticker, index in URFDLB.
        model: The colours.

    Returns:
        (n, stickers) 0..1; without meaning where not seen.
    """
    values = np.where(seen_stickers(colours)[:, None], colours, 0.0)
    return _usual_shares(values, _expected(labels, model), labels, model)


def label_costs(costs: Array, labels: Labels, model: ColourModel) -> Array:
    """Return the cost of labels and light together, (n,) nats."""
    each = np.take_along_axis(costs, labels[:, :, None], axis=2)[:, :, 0]
    return np.asarray(each.sum(axis=1) + model.penalty)


def _expected(labels: Labels, model: ColourModel) -> Array:
    """Return the expected colours, (n, stickers, 3)."""
    return np.asarray(model.light * model.means[np.arange(len(model))[:, None], labels])


def _usual_shares(values: Array, expected: Array, labels: Labels, model: ColourModel) -> Array:
    lit = np.minimum(expected, 1.0)
    whitening = model.whitening[np.arange(len(model))[:, None], labels]
    return log_densities(values - lit, lit, whitening)[1]


def _prior_covariances(means: Array, noise: Array) -> Array:
    """Return the expected scatter of each colour's stickers, (n, 6, 3, 3)."""
    room = np.clip((1.0 - means) / _HEADROOM, _LEAST_ROOM, 1.0)
    white = means.max(axis=(1, 2), keepdims=True)
    shading, gloss = _SHADING * means * room, _GLOSS * (white - means)
    ball = (noise[:, None, None] * room**2)[..., None] * np.eye(3)
    return np.asarray(
        ball
        + shading[..., :, None] * shading[..., None, :]
        + gloss[..., :, None] * gloss[..., None, :]
    )


def _whitening(covariances: Array) -> Array:
    return np.asarray(np.linalg.inv(np.linalg.cholesky(covariances)))


def _scatter_penalty(whitening: Array, prior: Array, noise: Array) -> Array:
    """Return (n,) nats: how unlikely the colours' scatter and the noise are a priori.

    The logarithms of the inverse Wishart and inverse gamma densities with the modes towards which
    `_fit_covariances` and `_fit_noise` shrink; 0 there.
    """
    turned = whitening @ np.linalg.cholesky(prior + _FLOOR**2 * np.eye(3))
    trace = (turned**2).sum(axis=(-2, -1))
    logdet = 2.0 * np.log(np.diagonal(turned, axis1=-2, axis2=-1)).sum(axis=-1)
    spread = _NOISE**2 / noise
    return np.asarray(
        0.5 * _COVARIANCE_WEIGHT * (trace - logdet - 3.0).sum(axis=-1)
        + 0.5 * _NOISE_WEIGHT * (spread - np.log(spread) - 1.0)
    )


def _fit_means(values: Array, member: Array, model: ColourModel) -> Array:
    by_colour = member.swapaxes(1, 2)
    total = by_colour @ (model.light * values)
    weight = by_colour @ model.light**2
    if model.anchors is None:
        return np.asarray((total + _MEAN_WEIGHT * model.means) / (weight + _MEAN_WEIGHT))
    return np.asarray((total + _PROFILE_WEIGHT * model.anchors) / (weight + _PROFILE_WEIGHT))


def _fit_noise(off: Array, means: Array, weights: Array) -> Array:
    """Return the variance perpendicular to the plane of shading and gloss: only noise leaves it."""
    normal = np.cross(means, np.ones(3))
    length = np.linalg.norm(normal, axis=-1)
    across = (off * normal).sum(axis=-1) / np.maximum(length, 1e-9)
    weights = weights * np.clip(length / 0.2, 0.0, 1.0)  # a grey does not span a plane
    total = _NOISE_WEIGHT * _NOISE**2 + (weights * across**2).sum(axis=1)
    return np.asarray(total / (_NOISE_WEIGHT + weights.sum(axis=1)))


def _fit_covariances(off: Array, member: Array, prior: Array) -> Array:
    outer = (off[..., :, None] * off[..., None, :]).reshape(*off.shape[:2], 9)
    scatter = (member.swapaxes(1, 2) @ outer).reshape(-1, 6, 3, 3)
    weight = member.sum(axis=1)[..., None, None]
    return np.asarray(
        (scatter + _COVARIANCE_WEIGHT * prior) / (weight + _COVARIANCE_WEIGHT)
        + _FLOOR**2 * np.eye(3)
    )
