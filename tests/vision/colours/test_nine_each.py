"""Every colour has nine stickers, whatever single stickers look like."""

import numpy as np
from even_light import COLOURS, seen

from cube.moves import FACES
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS, seed_models, sticker_costs
from vision.colours.colour_space import lab_to_srgb
from vision.colours.nine_each import median_colours, nine_per_colour


def test_every_colour_has_nine_stickers_and_medians_leave_out_what_was_not_seen() -> None:
    rng = np.random.default_rng(8)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    i = next(i for i, letter in enumerate(truth.text) if letter == "R" and i % 9 != 4)
    red, orange = (np.array(NAMED_COLOURS[name]) for name in ("red", "orange"))
    labs[i] = 0.4 * red + 0.6 * orange  # a red sticker in warm light
    model = seed_models(lab_to_srgb(COLOURS)[None] / 255, np.array([1.5]), 54)
    labels = nine_per_colour(sticker_costs(lab_to_srgb(labs) / 255, model)[0])
    assert np.bincount(labels).tolist() == [9] * 6
    assert labels[4::9].tolist() == list(range(6))
    assert "".join(FACES[label] for label in labels) == truth.text
    labels = np.repeat(np.arange(6), 9)
    colours = np.repeat(np.arange(6.0), 9)[:, None] * np.ones(3)
    colours[0] = 99.0  # one reflection
    colours[1:4] = np.nan
    colours[45:] = np.nan
    found = median_colours(colours, labels, np.full((6, 3), -1.0))
    assert found[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, -1.0]
