"""Every classifier of the table proposes colours, and the decoder reads a cube with each."""

import numpy as np
import pytest
from even_light import COLOURS, seen

from cube.random_states import random_state
from vision.colours.guesses.classifiers import CLASSIFIERS, DEFAULT_CLASSIFIER
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_proposes_the_colours_and_a_cube_is_read(name: str) -> None:
    assert CLASSIFIERS["k-means"] is DEFAULT_CLASSIFIER
    rng = np.random.default_rng(11)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng, 4.0)
    labs[3] = np.nan
    colours = StickerColours.of_lab(labs)
    seeds = StickerColours.of_lab(labs[4::9])
    proposed = CLASSIFIERS[name](colours.srgb, seeds.srgb)
    assert np.abs(proposed - StickerColours.of_lab(COLOURS).srgb).max() < 0.1
    assert decode(colours, classifier=CLASSIFIERS[name]).facelets == truth
