"""The plain pipeline: clusters, then the laws."""

import numpy as np
import pytest
from even_light import seen

from cube.laws import examine
from cube.random_states import random_state
from vision.colours.sticker_colours import StickerColours
from vision.decoding.plain import decode_plainly
from vision.errors import VisionError
from vision.reading import ReadingState


def test_clear_colours_become_the_cube_and_what_the_laws_refuse_does_not() -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        truth = random_state(rng).to_facelets()
        labs = seen(truth, rng, 1.5)
        reading = decode_plainly(StickerColours.of_lab(labs))
        assert reading.state is ReadingState.SURE
        assert reading.facelets == truth
        assert min(sticker.confidence for sticker in reading.stickers) > 0.3
    labs[0] = labs[next(i for i in range(54) if i % 9 != 4 and truth.text[i] != truth.text[0])]
    reading = decode_plainly(StickerColours.of_lab(labs))
    assert not reading.accepted
    assert not examine(reading.proposal).solvable
    assert reading.problems
    labs[7] = np.nan
    with pytest.raises(VisionError, match="54"):
        decode_plainly(StickerColours.of_lab(labs))
