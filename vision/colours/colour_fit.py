"""Joint estimation of colours and cube: from several first guesses to the best fits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.colours.assignment import median_colours
from vision.colours.colour_model import (
    ColourModel,
    fit_models,
    join_models,
    label_costs,
    seed_models,
    sticker_costs,
)
from vision.colours.looks import added_costs, mean_colours

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

# Widths of the first guess's covariances: a narrow start keeps good seeds, a wide one forgets bad
# ones.
_CAUTIONS = (1.5, 6.0)
_ROUNDS, _LEGAL_ROUNDS, _SETTLING_ROUNDS = 6, 3, 4
# Share of the starts that must agree on a cube, and its lead (nats), so that no others are tried.
_MAJORITY, _CLEAR_LEAD = 0.5, 12.0
# Rounds for every start, and the number of labellings kept.
_TRIAL_ROUNDS, _MOST_FITS = 2, 6
# Number of different labellings that are made legal, if they are within this many nats of the best.
_FINALISTS, _FINAL_WINDOW = 3, 40.0


class Constraint(Protocol):
    """Chooses the colour of every sticker under a law of the cube."""

    def cheapest_pieces(self, costs: Array) -> Labels:
        """Return labels, (stickers,), of the cheapest pieces, whether the cube is solvable or not.

        Args:
            costs: (stickers, 6).
        """

    def cheapest_cube(self, costs: Array) -> Labels:
        """Return the labels of the cheapest solvable cube."""


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """Different labellings with the colours fitted to each, the cheapest first.

    Attributes:
        labels: (n, stickers) index in URFDLB.
        costs: (n,) nats: of the labels and of the light.
        model: Model of n starts.
        sticker_costs: (n, stickers, 6), sum over all looks.
    """

    labels: Labels
    costs: Array
    model: ColourModel
    sticker_costs: Array

    def take(self, rows: Labels) -> "Fits":
        """Return some of the fits."""
        return Fits(
            self.labels[rows], self.costs[rows], self.model.take(rows), self.sticker_costs[rows]
        )


def fit_colours(
    colours: Array,
    guesses: Array,
    constraint: Constraint,
    anchors: Array | None = None,
    *,
    cells: Labels | None = None,
) -> tuple[Fits, Fits]:
    """Estimate labels from colours and colours from labels alternately, from every guess.

    All guesses run at once, first without the invariants, which cost more than they help while the
    colours are guesses; the best different labellings are then made legal.

    Args:
        colours: (m, 3) encoded sRGB 0..1 of all looks at the stickers; NaN where not seen.
        guesses: (n, 6, 3).
        constraint: The laws of the cube.
        anchors: Mean colours from a profile.
        cells: (m,) the sticker of each colour; by default one sticker per colour.

    Returns:
        The fits without the invariants, and the legal ones.
    """
    seen = _Seen(colours, np.arange(len(colours)) if cells is None else cells)
    found: list[Fits] = []
    for caution in _CAUTIONS:
        cautions = np.full(len(guesses), caution)
        model = seed_models(guesses, cautions, len(colours), anchors)
        fits, agreed = _alternate(seen, model, constraint.cheapest_pieces, _ROUNDS)
        found.append(fits)
        if agreed:  # other widths would give the same cube
            break
    loose = _joined(found)
    near = int((loose.costs <= loose.costs[0] + _FINAL_WINDOW).sum())
    chosen = list(range(min(_FINALISTS, near)))
    legal, _ = _alternate(seen, loose.model.take(chosen), constraint.cheapest_cube, _LEGAL_ROUNDS)
    if near > 1 or not np.array_equal(loose.labels[0], legal.labels[0]):
        return _settled(seen, loose, legal)
    return loose, legal


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """All looks: colours (m, 3) encoded sRGB, and (m,) the sticker of each."""

    colours: Array
    cells: Labels

    def costs(self, model: ColourModel) -> Array:
        """Return (n, stickers, 6) nats, the sum over all looks."""
        return added_costs(sticker_costs(self.colours, model), self.cells)

    def refit(self, labels: Labels, model: ColourModel) -> ColourModel:
        """Improve the model, given the (n, stickers) labels."""
        return fit_models(self.colours, labels[:, self.cells], model)


def _settled(seen: _Seen, loose: Fits, legal: Fits) -> tuple[Fits, Fits]:
    """Fit the colours to the best labellings again, from several widths, and keep cheaper results.

    Labellings can be compared only by their best fits: a sticker that was once taken for an outlier
    never counts again, and such a fit may cost dozens of nats more.
    """
    lawful = legal.labels[:_FINALISTS]
    others = [row for row in loose.labels[:_FINALISTS] if not (lawful == row).all(axis=1).any()]
    rows = np.array([*lawful, *others])
    middle = mean_colours(seen.colours, seen.cells)
    means = np.array([median_colours(middle, row, loose.model.means[0]) for row in rows])
    model = seed_models(
        np.tile(means, (len(_CAUTIONS), 1, 1)),
        np.repeat(_CAUTIONS, len(rows)),
        len(seen.cells),
        loose.model.anchors,
    )
    labels = np.tile(rows, (len(_CAUTIONS), 1))
    for _ in range(_SETTLING_ROUNDS):
        model = seen.refit(labels, model)
    costs = seen.costs(model)
    fresh = Fits(labels, label_costs(costs, labels, model), model, costs)
    of_law = np.nonzero(np.arange(len(labels)) % len(rows) < len(lawful))[0]
    return _joined([loose, fresh]), _joined([legal, fresh.take(of_law)])


def _alternate(
    seen: _Seen, model: ColourModel, choose: Callable[[Array], Labels], rounds: int
) -> tuple[Fits, bool]:
    """Alternate between labels and colours until nothing changes; cheapest first.

    After `_TRIAL_ROUNDS`, only different labellings continue.

    Returns:
        The fits, and whether most starts ended at the best one and no other is near.
    """
    visited: dict[bytes, Fits] = {}
    costs = seen.costs(model)
    labels = votes = np.empty((0, 0), dtype=np.intp)
    for number in range(rounds):
        before, labels = labels, np.array([choose(each) for each in costs])
        if number >= _TRIAL_ROUNDS:
            if np.array_equal(before, labels):
                break
            if number == _TRIAL_ROUNDS:
                votes = labels
            fresh = np.sort(np.unique(labels, axis=0, return_index=True)[1])
            labels, model = labels[fresh], model.take(fresh)
        model = seen.refit(labels, model)
        costs = seen.costs(model)
        totals = label_costs(costs, labels, model)
        for i, row in enumerate(labels):
            old = visited.get(row.tobytes())
            if old is None or totals[i] < old.costs[0]:
                one = slice(i, i + 1)
                visited[row.tobytes()] = Fits(labels[one], totals[one], model.take([i]), costs[one])
    fits = _joined(list(visited.values()))
    share = float((votes == fits.labels[0]).all(axis=1).mean()) if len(votes) else 1.0
    alone = len(fits.costs) == 1 or float(fits.costs[1] - fits.costs[0]) >= _CLEAR_LEAD
    return fits, share >= _MAJORITY and alone


def _joined(fits: Sequence[Fits]) -> Fits:
    """Combine fits: the cheapest of each labelling, in order of cost."""
    rows = [
        (float(cost), number, i)
        for number, fit in enumerate(fits)
        for i, cost in enumerate(fit.costs)
    ]
    best: dict[bytes, tuple[int, int]] = {}
    for _, number, i in sorted(rows):
        best.setdefault(fits[number].labels[i].tobytes(), (number, i))
    kept = list(best.values())[:_MOST_FITS]
    return Fits(
        np.array([fits[number].labels[i] for number, i in kept]),
        np.array([fits[number].costs[i] for number, i in kept]),
        join_models([fits[number].model.take([i]) for number, i in kept]),
        np.array([fits[number].sticker_costs[i] for number, i in kept]),
    )
