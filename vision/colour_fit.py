"""Colours and cube estimated together: from several first guesses to the best fits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.classify import cluster_colours, nine_per_colour, seed_colours
from vision.colour_model import (
    ColourModel,
    fit_models,
    join_models,
    label_costs,
    seed_models,
    seen_stickers,
    sticker_costs,
)
from vision.colour_space import lab_to_srgb
from vision.profile import ColourProfile

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

# Widths of the first guess's covariances: a narrow start keeps good seeds, a wide one forgets bad
# ones.
_CAUTIONS = (1.5, 6.0)
_ROUNDS, _LEGAL_ROUNDS = 6, 3
# Rounds that every start makes, and the number of labellings that are kept.
_TRIAL_ROUNDS, _MOST_FITS = 2, 6
# So many of the best different labellings are made legal.
_FINALISTS = 3
# Lightness counts so much when Lab colours are clustered, because exposure changes it most.
_LIGHTNESS_WEIGHT = np.array([0.35, 1.0, 1.0])


class Labeller(Protocol):
    """Chooses the colour of every sticker under some law of the cube."""

    def quick(self, costs: Array) -> Labels:
        """Return labels, (stickers,), of the cheapest pieces, whether turns can reach them or not.

        Args:
            costs: (stickers, 6).
        """

    def legal(self, costs: Array) -> Labels:
        """Return the labels of the cheapest solvable cube."""


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """Different labellings with the colours fitted to each, the cheapest first.

    Attributes:
        labels: (n, stickers) index in URFDLB.
        costs: (n,) nats: of the labels and of the light.
        model: of n starts.
        sticker_costs: (n, stickers, 6).
    """

    labels: Labels
    costs: Array
    model: ColourModel
    sticker_costs: Array


def first_guesses(
    labs: Array, profile: ColourProfile | None, centres: Mapping[str, str] | None
) -> tuple[Array, Array]:
    """Guess the six colours in several ways, scikit-learn's k-means among them.

    Args:
        labs: (54, 3) CIELAB, NaN where not seen.
        profile: measured colours, or None.
        centres: face letter to colour name of centres that are known and not seen.

    Returns:
        The seeds, (6, 3), and all guesses, (n, 6, 3), encoded sRGB 0..1.
    """
    lab_seeds = seed_colours(labs, profile, centres)
    seeds = lab_to_srgb(lab_seeds) / 255.0
    colours = lab_to_srgb(labs) / 255.0
    clusters = cluster_colours(colours, seeds)
    chroma, chroma_seeds = labs * _LIGHTNESS_WEIGHT, lab_seeds * _LIGHTNESS_WEIGHT
    guesses = [clusters, seeds]
    for points, middles in (
        (colours, seeds),
        (colours, clusters),
        (chroma, chroma_seeds),
        (chroma, cluster_colours(chroma, chroma_seeds)),
    ):
        distance = ((points[:, None] - middles) ** 2).sum(axis=2)
        guesses.append(_medians(colours, nine_per_colour(np.nan_to_num(distance)), seeds))
    return seeds, np.array(guesses)


def _medians(colours: Array, labels: Labels, fallback: Array) -> Array:
    result = fallback.copy()
    seen = seen_stickers(colours)
    for colour in range(6):
        mine = colours[seen & (labels == colour)]
        if len(mine):
            result[colour] = np.median(mine, axis=0)
    return result


def fit_colours(
    colours: Array,
    guesses: Array,
    labeller: Labeller,
    anchors: Array | None = None,
    offsets: Array | None = None,
) -> tuple[Fits, Fits]:
    """Estimate labels from colours and colours from labels in turn, from every guess.

    All guesses run at once, first without the invariants, which cost more than they help while
    the colours are guesses; the best different labellings are then made legal.

    Args:
        colours: (stickers, 3) encoded sRGB 0..1; NaN where not seen.
        guesses: (n, 6, 3).
        labeller: the laws.
        anchors: means that a profile knows.
        offsets: see `vision.colour_model.ColourModel`.

    Returns:
        The fits without the invariants, and the legal ones.
    """
    cautions = np.repeat(_CAUTIONS, len(guesses))
    means = np.concatenate([guesses] * len(_CAUTIONS))
    model = seed_models(means, cautions, len(colours), anchors, offsets)
    loose = _alternate(colours, model, labeller.quick, _ROUNDS)
    chosen = list(range(min(_FINALISTS, len(loose.costs))))
    return loose, _alternate(colours, loose.model.take(chosen), labeller.legal, _LEGAL_ROUNDS)


def refit(colours: Array, labels: Labels, model: ColourModel, rounds: int = 3) -> Fits:
    """Fit colours to given labels, (n, stickers), starting from a model of one start."""
    model = model.take([0] * len(labels))
    for _ in range(rounds):
        model = fit_models(colours, labels, model)
    costs = sticker_costs(colours, model)
    return Fits(labels, label_costs(costs, labels, model), model, costs)


def _alternate(
    colours: Array, model: ColourModel, choose: Callable[[Array], Labels], rounds: int
) -> Fits:
    """Choose labels and fit the colours to them in turn, until nothing changes; cheapest first.

    After `_TRIAL_ROUNDS` only different labellings go on.
    """
    visited: dict[bytes, Fits] = {}
    costs = sticker_costs(colours, model)
    labels = np.empty((0, 0), dtype=np.intp)
    for number in range(rounds):
        before, labels = labels, np.array([choose(each) for each in costs])
        if number >= _TRIAL_ROUNDS:
            if np.array_equal(before, labels):
                break
            fresh = np.sort(np.unique(labels, axis=0, return_index=True)[1])
            labels, model = labels[fresh], model.take(fresh)
        model = fit_models(colours, labels, model)
        costs = sticker_costs(colours, model)
        totals = label_costs(costs, labels, model)
        for i, row in enumerate(labels):
            old = visited.get(row.tobytes())
            if old is None or totals[i] < old.costs[0]:
                one = slice(i, i + 1)
                visited[row.tobytes()] = Fits(labels[one], totals[one], model.take([i]), costs[one])
    best = sorted(visited.values(), key=lambda fit: float(fit.costs[0]))[:_MOST_FITS]
    return Fits(
        np.concatenate([fit.labels for fit in best]),
        np.concatenate([fit.costs for fit in best]),
        join_models([fit.model for fit in best]),
        np.concatenate([fit.sticker_costs for fit in best]),
    )
