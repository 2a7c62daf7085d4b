"""Possible mistakes of the user: a face rotated, exchanged, shown twice, mirrored, or foreign.

Pictures that contradict the likeliest cube are often repaired into another one. Each mistake is
therefore tried as an explanation: colours and cube are fitted to it again, and its cost, including
its rarity, competes with the cube as it was shown. All costs are nats.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.colours.colour_fit import Constraint, Fits, fit_colours
from vision.colours.colour_model import UNSEEN_COST, ColourModel, seen_stickers, sticker_costs
from vision.decoding.face_turns import (
    FixedFaces,
    Placement,
    TurnedFaces,
    make_placement,
    upright_cells,
)
from vision.reading import Mistake, MistakeKind

Array = NDArray[np.float64]

# Rarity of each mistake before any colour is seen, nats: one of the pictures rotated in one of
# three ways, each further one, two of six exchanged, one mirrored, one shown in place of another,
# foreign.
_TURNED, _ONE_MORE, _EXCHANGED, _MIRRORED, _DOUBLED, _FOREIGN = 7.0, 3.0, 8.0, 9.0, 8.0, 7.0
# Other rotations of the faces are explanations if they are within this distance of the best.
_WINDOW = 12.0
# Any colours may be around the centre of a foreign face.
_ANY_COLOURS = 8 * float(np.log(6))

_Explanation = tuple[float, Mistake]
"""The cost of a mistake, nats."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The pictures and the reading that a mistake must explain.

    Attributes:
        srgb: (54, 3) encoded sRGB 0..1 in the order of the pictures; NaN where not seen.
        guesses: (n, 6, 3) first guesses of the colours.
        fit: The best legal fit to the cube as it was shown.
        anchors: See `vision.colours.colour_fit.fit_colours`.
    """

    srgb: Array
    guesses: Array
    fit: Fits
    anchors: Array | None = None

    def fitted(self, constraint: Constraint, srgb: Array | None = None) -> Fits:
        """Fit colours and cube to other pictures, or under another law."""
        guesses = np.concatenate([self.fit.model.means[:1], self.guesses[:2]])
        shown = self.srgb if srgb is None else srgb
        return fit_colours(shown, guesses, constraint, self.anchors)[1]


def explain(shown: Shown, placement: Placement, *, turned: bool) -> tuple[float, Mistake | None]:
    """Find the mistake that explains the pictures best.

    Args:
        shown: The pictures as read.
        placement: The places of the faces in that reading.
        turned: Whether the faces may be rotated, so that a rotation is not a mistake.

    Returns:
        The cost of the best explanation minus that of the reading, negative if it is better, and
        the mistake.
    """
    law = _Law(placement.order, None if turned else placement)
    found = [
        *(() if turned else _turned(shown)),
        _exchanged(shown, law),
        _mirrored(shown, law),
        *_doubled(shown, law),
        _foreign(shown, law),
    ]
    cost, mistake = min(found, key=lambda one: one[0])
    lead = float(shown.fit.costs[0]) - cost
    return -lead, replace(mistake, lead=lead)


def undone(mistake: Mistake) -> NDArray[np.intp] | None:
    """Return (54,) the sticker that each place should have shown; None if that is unknown.

    Args:
        mistake: The mistake, in pictures in the order URFDLB.
    """
    cells = np.arange(54).reshape(6, 9)
    at = [FACES.index(face) for face in mistake.faces]
    match mistake.kind:
        case MistakeKind.TURNED:
            for face, turn in zip(at, mistake.turns, strict=True):
                cells[face] = cells[face][upright_cells(turn, mirrored=False)]
        case MistakeKind.EXCHANGED:
            cells[at] = cells[at[::-1]]
        case MistakeKind.MIRRORED:
            cells[at] = cells[at][:, upright_cells(0, mirrored=True)]
        case _:
            return None
    return cells.ravel()


@dataclass(frozen=True, slots=True)
class _Law:
    """The user's statement: the order of the pictures, and how they are rotated.

    Attributes:
        order: The picture of each face.
        upright: The places of the faces; None if they may be rotated.
    """

    order: tuple[int, ...]
    upright: Placement | None

    def constraint(self, order: tuple[int, ...] | None = None) -> FixedFaces | TurnedFaces:
        """Return the constraint for fits, optionally with another order of the pictures."""
        if self.upright is None:
            return TurnedFaces((order or self.order,))
        if order is None:
            return FixedFaces(self.upright)
        return FixedFaces(make_placement(order, self.upright.turns))

    def bound(self, costs: Array, order: tuple[int, ...] | None = None) -> float:
        """Return a lower bound of the cost of any cube."""
        return self.constraint(order).least_bound(costs)

    def face(self, picture: int) -> str:
        """Return the face that a picture is labelled with."""
        return FACES[self.order.index(picture)]


def _turned(shown: Shown) -> Iterator[_Explanation]:
    constraint = TurnedFaces()
    fits = shown.fitted(constraint)
    least, *_ = placed = constraint.placements(fits.sticker_costs[0], _WINDOW)
    for cost, placement, _ in placed:
        moved = [face for face in range(6) if placement.turns[face]]
        if moved:
            dearer = cost - least[0] + _TURNED + _ONE_MORE * (len(moved) - 1)
            faces, turns = zip(*((FACES[i], placement.turns[i]) for i in moved), strict=True)
            yield float(fits.costs[0]) + dearer, Mistake(MistakeKind.TURNED, faces, turns)


def _exchanged(shown: Shown, law: _Law) -> _Explanation:
    costs = shown.fit.sticker_costs[0]
    found = []
    for one, other in combinations(range(6), 2):
        swapped = {one: law.order[other], other: law.order[one]}
        order = tuple(swapped.get(face, picture) for face, picture in enumerate(law.order))
        found.append((law.bound(costs, order), order, (FACES[one], FACES[other])))
    _, order, faces = min(found)
    cost = float(shown.fitted(law.constraint(order)).costs[0])
    return cost + _EXCHANGED, Mistake(MistakeKind.EXCHANGED, faces)


def _mirrored(shown: Shown, law: _Law) -> _Explanation:
    costs = shown.fit.sticker_costs[0]
    found = []
    for picture in range(6):
        cells = np.arange(54)
        cells[9 * picture : 9 * picture + 9] = 9 * picture + upright_cells(0, mirrored=True)
        found.append((law.bound(costs[cells]), picture, cells))
    _, picture, cells = min(found, key=lambda one: one[0])
    cost = float(shown.fitted(law.constraint(), shown.srgb[cells]).costs[0])
    return cost + _MIRRORED, Mistake(MistakeKind.MIRRORED, (law.face(picture),))


def _doubled(shown: Shown, law: _Law) -> Iterator[_Explanation]:
    """Treat the two pictures with the most similar centres as one face, shown twice."""
    centres = shown.srgb[4::9]
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    apart[np.isnan(apart) | np.eye(6, dtype=np.bool_)] = np.inf
    first, second = (int(i) for i in np.unravel_index(apart.argmin(), apart.shape))
    if not np.isfinite(apart[first, second]):
        return
    for kept, copy in ((first, second), (second, first)):
        stickers = np.arange(9 * copy, 9 * copy + 9)
        rest, model = _rest_without(shown, law, stickers)
        labels = rest.labels[0][9 * kept : 9 * kept + 9]
        costs = sticker_costs(shown.srgb, model)[0][stickers]
        same = min(
            float(costs[np.arange(9), labels[upright_cells(turn, mirrored=False)]].sum())
            for turn in range(4)
        )
        total = float(rest.costs[0]) - _unseen(shown, stickers) + same + _DOUBLED
        yield total, Mistake(MistakeKind.DOUBLED, (law.face(kept), law.face(copy)))


def _foreign(shown: Shown, law: _Law) -> _Explanation:
    costs = shown.fit.sticker_costs[0]
    found = []
    for picture in range(6):
        stickers = np.delete(np.arange(9 * picture, 9 * picture + 9), 4)
        blank = costs.copy()
        blank[stickers] = 0.0
        found.append((law.bound(blank) + float(costs[stickers].min(axis=1).sum()), picture))
    _, picture = min(found)
    stickers = np.delete(np.arange(9 * picture, 9 * picture + 9), 4)
    rest, model = _rest_without(shown, law, stickers)
    free = float(sticker_costs(shown.srgb, model)[0][stickers].min(axis=1).sum())
    total = float(rest.costs[0]) - _unseen(shown, stickers) + free + _ANY_COLOURS + _FOREIGN
    return total, Mistake(MistakeKind.FOREIGN, (law.face(picture),))


def _rest_without(shown: Shown, law: _Law, stickers: NDArray[np.intp]) -> tuple[Fits, ColourModel]:
    """Fit the cube without some stickers; also return the best fit's model."""
    srgb = shown.srgb.copy()
    srgb[stickers] = np.nan
    rest = shown.fitted(law.constraint(), srgb)
    return rest, rest.model.take([0])


def _unseen(shown: Shown, stickers: NDArray[np.intp]) -> float:
    """Return the cost of visible stickers that a fit did not use."""
    return UNSEEN_COST * int(seen_stickers(shown.srgb[stickers]).sum())
