"""Every classifier of the table reads a cube; and what they begin from proposes its colours."""

import numpy as np
import pytest
from even_light import COLOURS, seen
from sklearn.cluster import KMeans

from cube.random_states import random_state
from vision.colours.assignment import nearest_medians
from vision.colours.first_guesses import Proposer, cluster_colours
from vision.colours.sticker_colours import StickerColours


@pytest.mark.parametrize("propose", [cluster_colours, nearest_medians])
def test_the_colours_are_proposed_though_a_sticker_is_not_seen(propose: Proposer) -> None:
    rng = np.random.default_rng(11)
    labs = seen(random_state(rng).to_facelets(), rng, 4.0)
    labs[3] = np.nan
    colours, seeds = StickerColours.of_lab(labs), StickerColours.of_lab(labs[4::9])
    proposed = propose(colours.srgb, seeds.srgb)
    assert np.abs(proposed - StickerColours.of_lab(COLOURS).srgb).max() < 0.1


@pytest.mark.parametrize("seed", range(5))
def test_the_proposed_clusters_are_those_of_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labs = seen(random_state(rng).to_facelets(), rng, 12.0)
    colours, seeds = StickerColours.of_lab(labs), StickerColours.of_lab(labs[4::9])
    found = KMeans(6, init=seeds.srgb, n_init=1).fit(colours.srgb).cluster_centers_
    assert np.allclose(cluster_colours(colours.srgb, seeds.srgb), found, atol=1e-5)
