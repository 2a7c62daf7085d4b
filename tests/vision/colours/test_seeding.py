"""The first guesses by themselves: k-means, nine stickers a colour, and the nearest name."""

import numpy as np

from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS, seed_models, sticker_costs
from vision.colours.colour_space import lab_to_srgb
from vision.colours.k_means import cluster_colours
from vision.colours.nine_each import nine_per_colour
from vision.colours.seeding import nearest_colour, seed_colours

COLOURS = np.array([NAMED_COLOURS[WESTERN_SCHEME[face]] for face in FACES])


def seen(facelets: Facelets, rng: np.random.Generator, noise: float) -> np.ndarray:
    """Colours of a cube in even light with some noise, (54, 3) CIELAB."""
    return COLOURS[[FACES.index(letter) for letter in facelets.text]] + rng.normal(
        0, noise, (54, 3)
    )


def test_k_means_finds_the_middles_from_the_centres() -> None:
    rng = np.random.default_rng(7)
    labs = seen(random_state(rng).to_facelets(), rng, 4.0)
    seeds, names = seed_colours(labs, None, None)
    assert names == [WESTERN_SCHEME[face] for face in FACES]
    assert (seeds == labs[4::9]).all()
    clusters = cluster_colours(labs, seeds)
    assert np.abs(clusters - COLOURS).max() < 6.0
    assert (cluster_colours(np.full((54, 3), np.nan), seeds) == seeds).all()


def test_nine_a_colour_even_when_a_sticker_looks_like_another() -> None:
    rng = np.random.default_rng(8)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng, 3.0)
    i = next(i for i, letter in enumerate(truth.text) if letter == "R" and i % 9 != 4)
    red, orange = (np.array(NAMED_COLOURS[name]) for name in ("red", "orange"))
    labs[i] = 0.4 * red + 0.6 * orange  # a red sticker in warm light
    model = seed_models(lab_to_srgb(COLOURS)[None] / 255, np.array([1.5]), 54)
    labels = nine_per_colour(sticker_costs(lab_to_srgb(labs) / 255, model)[0])
    assert np.bincount(labels).tolist() == [9] * 6
    assert labels[4::9].tolist() == list(range(6))
    assert "".join(FACES[label] for label in labels) == truth.text


def test_the_nearest_name_and_its_certainty() -> None:
    for name, lab in NAMED_COLOURS.items():
        assert nearest_colour(np.array(lab)) == (name, 1.0)
    between = (np.array(NAMED_COLOURS["red"]) + np.array(NAMED_COLOURS["orange"])) / 2
    assert nearest_colour(between)[1] < 0.1
    assert nearest_colour(np.full(3, np.nan)) == ("", 0.0)
