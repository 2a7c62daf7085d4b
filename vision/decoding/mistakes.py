"""Possible mistakes of the user: a face rotated, exchanged, shown twice, mirrored, or foreign.

Pictures that contradict the likeliest cube are often repaired into another one. Each mistake is
therefore tried as an explanation: colours and cube are fitted to it again, and its cost, including
its rarity, competes with the cube as it was shown. All costs are nats.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.colours.colour_fit import Fits, fit_colours
from vision.colours.colour_model import UNSEEN_COST, ColourModel, seen_stickers, sticker_costs
from vision.decoding.attempt import Attempt
from vision.decoding.face_turns import FaceLaw, upright_cells
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


def explain(shown: Attempt) -> tuple[float, Mistake]:
    """Find the mistake that explains the pictures best.

    Args:
        shown: The likeliest cube, with one look at each face.

    Returns:
        The cost of the best explanation minus that of the reading, negative if it is better, and
        the mistake.
    """
    placement, turned = shown.placement, shown.start.turned
    law = FaceLaw((placement.order,), None if turned else placement.turns)
    found = [
        *(() if turned else _turned(shown)),
        _exchanged(shown, law),
        _mirrored(shown, law),
        *_doubled(shown, law),
        _foreign(shown, law),
    ]
    cost, mistake = min(found, key=lambda one: one[0])
    return cost - float(shown.fit.costs[0]), mistake


def _fitted(shown: Attempt, law: FaceLaw, srgb: Array | None = None) -> Fits:
    """Fit colours and cube to other pictures, or under another law."""
    guesses = np.concatenate([shown.fit.model.means[:1], shown.guesses[:2]])
    pictures = _srgb(shown) if srgb is None else srgb
    return fit_colours(pictures, guesses, law, shown.start.anchors)[1]


def _srgb(shown: Attempt) -> Array:
    """Return (54, 3) encoded sRGB 0..1 in the order of the pictures; NaN where not seen."""
    return shown.start.looks.colours.srgb


def _face(law: FaceLaw, picture: int) -> str:
    """Return the face that a picture is labelled with."""
    return FACES[law.orders[0].index(picture)]


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


def _turned(shown: Attempt) -> Iterator[_Explanation]:
    law = FaceLaw(turns=None)
    fits = _fitted(shown, law)
    least, *_ = placed = law.placements(fits.sticker_costs[0], _WINDOW)
    for cost, placement, _ in placed:
        moved = [face for face in range(6) if placement.turns[face]]
        if moved:
            dearer = cost - least[0] + _TURNED + _ONE_MORE * (len(moved) - 1)
            faces, turns = zip(*((FACES[i], placement.turns[i]) for i in moved), strict=True)
            yield float(fits.costs[0]) + dearer, Mistake(MistakeKind.TURNED, faces, turns)


def _exchanged(shown: Attempt, law: FaceLaw) -> _Explanation:
    costs = shown.fit.sticker_costs[0]
    found = []
    for one, other in combinations(range(6), 2):
        order = list(law.orders[0])
        order[one], order[other] = order[other], order[one]
        swapped = replace(law, orders=(tuple(order),))
        found.append((swapped.least_bound(costs), swapped, (FACES[one], FACES[other])))
    _, swapped, faces = min(found, key=lambda one: one[0])
    cost = float(_fitted(shown, swapped).costs[0])
    return cost + _EXCHANGED, Mistake(MistakeKind.EXCHANGED, faces)


def _mirrored(shown: Attempt, law: FaceLaw) -> _Explanation:
    costs = shown.fit.sticker_costs[0]
    found = []
    for picture in range(6):
        cells = np.arange(54)
        cells[9 * picture : 9 * picture + 9] = 9 * picture + upright_cells(0, mirrored=True)
        found.append((law.least_bound(costs[cells]), picture, cells))
    _, picture, cells = min(found, key=lambda one: one[0])
    cost = float(_fitted(shown, law, _srgb(shown)[cells]).costs[0])
    return cost + _MIRRORED, Mistake(MistakeKind.MIRRORED, (_face(law, picture),))


def _doubled(shown: Attempt, law: FaceLaw) -> Iterator[_Explanation]:
    """Treat the two pictures with the most similar centres as one face, shown twice."""
    centres = _srgb(shown)[4::9]
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    apart[np.isnan(apart) | np.eye(6, dtype=np.bool_)] = np.inf
    first, second = (int(i) for i in np.unravel_index(apart.argmin(), apart.shape))
    if not np.isfinite(apart[first, second]):
        return
    for kept, copy in ((first, second), (second, first)):
        stickers = np.arange(9 * copy, 9 * copy + 9)
        rest, model = _rest_without(shown, law, stickers)
        labels = rest.labels[0][9 * kept : 9 * kept + 9]
        costs = sticker_costs(_srgb(shown), model)[0][stickers]
        same = min(
            float(costs[np.arange(9), labels[upright_cells(turn, mirrored=False)]].sum())
            for turn in range(4)
        )
        total = float(rest.costs[0]) - _unseen(shown, stickers) + same + _DOUBLED
        yield total, Mistake(MistakeKind.DOUBLED, (_face(law, kept), _face(law, copy)))


def _foreign(shown: Attempt, law: FaceLaw) -> _Explanation:
    costs = shown.fit.sticker_costs[0]
    found = []
    for picture in range(6):
        stickers = np.delete(np.arange(9 * picture, 9 * picture + 9), 4)
        blank = costs.copy()
        blank[stickers] = 0.0
        found.append((law.least_bound(blank) + float(costs[stickers].min(axis=1).sum()), picture))
    _, picture = min(found)
    stickers = np.delete(np.arange(9 * picture, 9 * picture + 9), 4)
    rest, model = _rest_without(shown, law, stickers)
    free = float(sticker_costs(_srgb(shown), model)[0][stickers].min(axis=1).sum())
    total = float(rest.costs[0]) - _unseen(shown, stickers) + free + _ANY_COLOURS + _FOREIGN
    return total, Mistake(MistakeKind.FOREIGN, (_face(law, picture),))


def _rest_without(
    shown: Attempt, law: FaceLaw, stickers: NDArray[np.intp]
) -> tuple[Fits, ColourModel]:
    """Fit the cube without some stickers; also return the best fit's model."""
    srgb = _srgb(shown).copy()
    srgb[stickers] = np.nan
    rest = _fitted(shown, law, srgb)
    return rest, rest.model.take([0])


def _unseen(shown: Attempt, stickers: NDArray[np.intp]) -> float:
    """Return the cost of visible stickers that a fit did not use."""
    return UNSEEN_COST * int(seen_stickers(_srgb(shown)[stickers]).sum())
