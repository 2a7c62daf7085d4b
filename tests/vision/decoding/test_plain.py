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


@pytest.mark.parametrize("seed", range(5))
def test_clear_colours_become_the_cube(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    reading = decode_plainly(StickerColours.of_lab(seen(truth, rng, 1.5)))
    assert reading.state is ReadingState.SURE
    assert reading.facelets == truth
    assert min(sticker.confidence for sticker in reading.stickers) > 0.3


def test_a_sticker_that_looks_otherwise_is_refused_by_the_laws() -> None:
    rng = np.random.default_rng(1)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    other = next(i for i in range(54) if i % 9 != 4 and truth.text[i] != truth.text[0])
    labs[0] = labs[other]
    reading = decode_plainly(StickerColours.of_lab(labs))
    assert not reading.accepted
    assert not examine(reading.proposal).solvable
    assert reading.problems


def test_a_sticker_that_was_not_seen_is_an_error() -> None:
    labs = seen(random_state(np.random.default_rng(1)).to_facelets(), np.random.default_rng(2))
    labs[7] = np.nan
    with pytest.raises(VisionError, match="all 54 stickers"):
        decode_plainly(StickerColours.of_lab(labs))
