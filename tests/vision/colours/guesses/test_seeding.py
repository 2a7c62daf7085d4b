"""The first guesses of the colours: from the centres, by k-means, and the nearest name."""

import numpy as np
from even_light import COLOURS, seen

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.guesses.k_means import cluster_colours
from vision.colours.guesses.seeding import nearest_colour, seed_colours


def test_first_guesses_come_from_the_centres_and_have_the_nearest_name() -> None:
    rng = np.random.default_rng(7)
    labs = seen(random_state(rng).to_facelets(), rng, 4.0)
    seeds, names = seed_colours(labs, None, None)
    assert names == [WESTERN_SCHEME[face] for face in FACES]
    assert (seeds == labs[4::9]).all()
    clusters = cluster_colours(labs, seeds)
    assert np.abs(clusters - COLOURS).max() < 6.0
    assert (cluster_colours(np.full((54, 3), np.nan), seeds) == seeds).all()
    for name, lab in NAMED_COLOURS.items():
        assert nearest_colour(np.array(lab)) == (name, 1.0)
    between = (np.array(NAMED_COLOURS["red"]) + np.array(NAMED_COLOURS["orange"])) / 2
    assert nearest_colour(between)[1] < 0.1
    assert nearest_colour(np.full(3, np.nan)) == ("", 0.0)
