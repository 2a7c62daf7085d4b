"""Several looks at the same stickers, and their combination.

Each look is evidence with its own light, so the costs of a sticker's colours are added. This
overestimates looks that share their errors (a logo, constant glare); but a sticker that follows no
colour costs little in any look, and the benchmark finds no reading that is worse because of it
(docs/measurements/reading-colours.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.colours.colour_model import ColourModel, seen_stickers, usual_shares
from vision.colours.sticker_colours import StickerColours
from vision.errors import VisionError

Array = NDArray[np.float64]
Cells = NDArray[np.intp]

STICKERS_OF_A_FACE = 9


@dataclass(frozen=True, slots=True, eq=False)
class FaceLook:
    """One more look at a face.

    Attributes:
        face: Its letter; if faces come in any order, that of its first picture.
        colours: Colours of its nine stickers, in the order of the first look; NaN where not seen.

    Raises:
        VisionError: There is no such face, or the number of colours is not nine.
    """

    face: str
    colours: StickerColours

    def __post_init__(self) -> None:
        if len(self.face) != 1 or self.face not in FACES:
            raise VisionError(f"{self.face!r} is not a face; the faces are {' '.join(FACES)}")
        if len(self.colours) != STICKERS_OF_A_FACE:
            raise VisionError(f"a face has 9 stickers, not {len(self.colours)}")


@dataclass(frozen=True, slots=True, eq=False)
class AllLooks:
    """Every look at a cube.

    Attributes:
        colours: Colours of m >= 54 stickers: first those of a look at every face, in the order
            URFDLB, then nine for each further look.
        cells: (m,) the sticker, 0 to 53, of each colour.
    """

    colours: StickerColours
    cells: Cells

    @classmethod
    def of(cls, first: StickerColours, further: Sequence[FaceLook] = ()) -> "AllLooks":
        """Concatenate the looks."""
        faces = [FACES.index(look.face) for look in further]
        starts = STICKERS_OF_A_FACE * np.array(faces, dtype=np.intp)
        cells = (starts[:, None] + np.arange(STICKERS_OF_A_FACE)).ravel()
        return cls(
            StickerColours.joined([first, *(look.colours for look in further)]),
            np.concatenate([np.arange(len(first)), cells]),
        )

    def without(self, stickers: Sequence[int]) -> "AllLooks":
        """Return the looks without some stickers."""
        hidden = np.nonzero(np.isin(self.cells, stickers))[0]
        return AllLooks(self.colours.without(hidden.tolist()), self.cells)

    def first(self) -> StickerColours:
        """Return the first look at each sticker, (54,)."""
        return self.colours.take(np.arange(54))

    def mean(self) -> StickerColours:
        """Return the mean of the looks at each sticker, (54,)."""
        if len(self.cells) == 54:
            return self.colours
        return StickerColours.of_srgb(255.0 * mean_colours(self.colours.srgb, self.cells))

    def fused(self, labels: Cells, model: ColourModel) -> StickerColours:
        """Combine the looks at each sticker into one, in the light of the first of them, (54,).

        Args:
            labels: (54,) colour of each sticker.
            model: A single model, of all looks; it gives the light and the outliers.
        """
        if len(self.cells) == 54:
            return self.colours
        srgb = self.colours.srgb
        share = usual_shares(srgb, labels[None, self.cells], model)[0]
        weights = np.where(seen_stickers(srgb), np.maximum(share, 1e-3), 0.0)[:, None]
        even = np.where(weights > 0.0, srgb / model.light[0], 0.0)
        mean = _mean(even, weights, self.cells)
        return StickerColours.of_srgb(255.0 * mean * model.light[0][:54])


def added_costs(costs: Array, cells: Cells) -> Array:
    """Add the costs of the looks at each sticker.

    Args:
        costs: (n, m, 6) nats, of all stickers of all looks.
        cells: (m,) the cube's sticker of each entry.

    Returns:
        (n, stickers, 6).
    """
    member = _member(cells)
    if len(cells) == len(member):
        return costs
    return np.asarray(member @ costs)


def mean_colours(colours: Array, cells: Cells) -> Array:
    """Return the mean of each sticker's looks, (stickers, 3); NaN where not seen.

    Args:
        colours: (m, 3); NaN where not seen.
        cells: (m,) the sticker of each colour.
    """
    seen = seen_stickers(colours)[:, None]
    return _mean(np.where(seen, colours, 0.0), seen.astype(np.float64), cells)


def _mean(values: Array, weights: Array, cells: Cells) -> Array:
    """Return (stickers, 3) means of (m, 3) values, (m, 1) weights; NaN where all weights are 0."""
    member = _member(cells)
    weight = member @ weights
    seen = weight > 0.0
    total = member @ (weights * values)
    return np.asarray(np.where(seen, total / np.where(seen, weight, 1.0), np.nan))


def _member(cells: Cells) -> Array:
    """Return (stickers, m): 1 where a colour belongs to a sticker, else 0."""
    stickers = np.arange(int(cells.max()) + 1)[:, None]
    return np.asarray(stickers == cells, dtype=np.float64)
