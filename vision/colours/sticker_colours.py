"""The colours of a cube's stickers as seen, in two forms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.colours.colour_spaces import lab_to_srgb, srgb_to_lab
from vision.errors import VisionError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class StickerColours:
    """Colours of stickers; each form is computed once.

    Attributes:
        srgb: (n, 3) encoded sRGB 0..1; a row of NaN for a sticker not seen.
        lab: (n, 3) CIELAB (D65, L 0..100); NaN in the same rows.
    """

    srgb: Array
    lab: Array

    @classmethod
    def of_srgb(cls, rgb: ArrayLike) -> Self:
        """Take colours (n, 3) of encoded sRGB 0..255; NaN in a row means not seen.

        Raises:
            VisionError: The array has another shape.
        """
        values = np.clip(_rows(rgb), 0.0, 255.0)
        return cls(values / 255.0, srgb_to_lab(values))

    @classmethod
    def of_lab(cls, lab: ArrayLike) -> Self:
        """Take colours (n, 3) of CIELAB (D65, L 0..100); NaN in a row means not seen.

        Raises:
            VisionError: The array has another shape.
        """
        values = np.clip(_rows(lab), (0.0, -200.0, -200.0), (100.0, 200.0, 200.0))
        return cls(lab_to_srgb(values) / 255.0, values)

    @classmethod
    def joined(cls, parts: Sequence["StickerColours"]) -> Self:
        """Concatenate the stickers of several."""
        return cls(
            np.concatenate([part.srgb for part in parts]),
            np.concatenate([part.lab for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.lab)

    def take(self, stickers: NDArray[np.intp]) -> "StickerColours":
        """Return the colours of some stickers, in that order."""
        return StickerColours(self.srgb[stickers], self.lab[stickers])

    def without(self, stickers: Sequence[int]) -> "StickerColours":
        """Return the colours with some stickers marked as not seen."""
        left = np.ones((len(self), 1))
        left[list(stickers)] = np.nan
        return StickerColours(self.srgb * left, self.lab * left)


def _rows(values: ArrayLike) -> Array:
    rows = np.array(values, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise VisionError(
            f"stickers have three numbers each, but these colours have shape {rows.shape}"
        )
    rows[~np.isfinite(rows).all(axis=1)] = np.nan
    return rows
