"""The rotation of further looks at faces that may be rotated, relative to the first look."""

import numpy as np
from numpy.typing import NDArray

from vision.colours.colour_model import seed_models, sticker_costs
from vision.colours.looks import STICKERS_OF_A_FACE, AllLooks
from vision.decoding.face_turns import upright_cells

Array = NDArray[np.float64]

# A look counts if every other rotation with other colours costs this much more, nats. The light is
# not known yet, so rotations are less certain than the numbers suggest.
_CLEAR_TURN = 8.0


def turned_like_the_first(looks: AllLooks, guess: Array) -> AllLooks:
    """Rotate every further look like the first look at its face, and drop unclear ones.

    Args:
        looks: Looks at faces that may be rotated, each look differently.
        guess: (6, 3) encoded sRGB 0..1, of the colours.

    Returns:
        The looks with a clear rotation; stickers of equal colour may be exchanged.
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
    """Return the quarter turns clockwise that align a look with the first one; None if unclear.

    Both are (9, 6) nats.
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
