"""How further looks at faces that may be turned lie, held against the first look at each."""

import numpy as np
from numpy.typing import NDArray

from vision.colours.colour_model import seed_models, sticker_costs
from vision.colours.looks import STICKERS_OF_A_FACE, AllLooks
from vision.decoding.laws.photo_order import upright_cells

Array = NDArray[np.float64]

# A look counts when every other turn that would show other colours is dearer by this much, nats:
# the light is not yet known, so turns are told less surely than the numbers say.
_CLEAR_TURN = 8.0


def turned_like_the_first(looks: AllLooks, guess: Array) -> AllLooks:
    """Turn every further look as the first look at its face, and leave out what is unclear.

    Args:
        looks: Of faces that may be turned, each look in its own way.
        guess: (6, 3) encoded sRGB 0..1, of the colours.

    Returns:
        The looks whose turn is clear; cells that are equal in colour may be exchanged.
    """
    model = seed_models(guess[None], np.array([1.5]), len(looks.cells))
    costs = sticker_costs(looks.colours.srgb, model)[0]
    kept, cells = list(range(54)), looks.cells.copy()
    for start in range(54, len(cells), STICKERS_OF_A_FACE):
        stickers = np.arange(start, start + STICKERS_OF_A_FACE)
        face = cells[stickers]
        turn = _clear_turn(costs[face], costs[stickers])
        if turn is not None:
            cells[start + upright_cells(turn, mirrored=False)] = face
            kept += stickers.tolist()
    return AllLooks(looks.colours.take(np.array(kept)), cells[kept])


def _clear_turn(first: Array, again: Array) -> int | None:
    """Quarter turns clockwise that bring a look to lie as the first; None where it is unclear.

    Both (9, 6) nats.
    """
    ways = [again[upright_cells(turn, mirrored=False)] for turn in range(4)]
    totals = np.array([(first + way).min(axis=1).sum() for way in ways])
    best = int(totals.argmin())
    shown = ways[best].argmin(axis=1)
    rivals = [
        total
        for way, total in zip(ways, totals, strict=True)
        if not np.array_equal(way.argmin(axis=1), shown)
    ]
    return best if min(rivals, default=np.inf) >= totals[best] + _CLEAR_TURN else None
