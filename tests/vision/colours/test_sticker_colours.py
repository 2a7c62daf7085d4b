"""Colours of stickers in both forms, and what was not seen."""

import numpy as np
import pytest

from vision.colours.sticker_colours import StickerColours
from vision.errors import VisionError


def test_stickers_are_hidden_and_moved_in_both_forms_and_other_shapes_refused() -> None:
    colours = StickerColours.of_lab(np.full((4, 3), (50.0, 10.0, -10.0)))
    hidden = colours.without([2])
    assert np.isnan(hidden.srgb[2]).all()
    assert np.isnan(hidden.lab[2]).all()
    assert np.isfinite(hidden.srgb[[0, 1, 3]]).all()
    assert np.isfinite(colours.lab).all()
    moved = colours.moved(np.array([[20.0, 0.0, 0.0]]))
    assert moved.lab[0].tolist() == [70.0, 10.0, -10.0]
    assert (moved.srgb > colours.srgb).all()
    for make in (StickerColours.of_srgb, StickerColours.of_lab):
        for shape in ((3,), (54,), (54, 4), (2, 3, 3)):
            with pytest.raises(VisionError):
                make(np.zeros(shape))
