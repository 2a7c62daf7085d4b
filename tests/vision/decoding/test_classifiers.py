"""Every classifier of the table reads a cube; and what they begin from proposes its colours."""

import numpy as np
import pytest
from even_light import COLOURS, seen

from cube.random_states import random_state
from vision.colours.assignment import nearest_medians
from vision.colours.first_guesses import Proposer, cluster_colours
from vision.colours.sticker_colours import StickerColours
from vision.decoding.classifiers import CLASSIFIERS


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_reads_a_cube(name: str) -> None:
    rng = np.random.default_rng(11)
    truth = random_state(rng).to_facelets()
    colours = StickerColours.of_lab(seen(truth, rng, 4.0))
    assert CLASSIFIERS[name](colours).facelets == truth


@pytest.mark.parametrize("propose", [cluster_colours, nearest_medians])
def test_the_colours_are_proposed_though_a_sticker_is_not_seen(propose: Proposer) -> None:
    rng = np.random.default_rng(11)
    labs = seen(random_state(rng).to_facelets(), rng, 4.0)
    labs[3] = np.nan
    colours, seeds = StickerColours.of_lab(labs), StickerColours.of_lab(labs[4::9])
    proposed = propose(colours.srgb, seeds.srgb)
    assert np.abs(proposed - StickerColours.of_lab(COLOURS).srgb).max() < 0.1
