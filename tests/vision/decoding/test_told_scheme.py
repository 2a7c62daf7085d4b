"""What a person says of the colours of a cube: names, hidden centres, what is no mirror image."""

import numpy as np
from even_light import decode_lab

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.scheme import JAPANESE_SCHEME

# As in the pictures of the rig in Thistlebot's first hall; and one that is a mirror image.
RIG = dict(zip(FACES, ("orange", "yellow", "blue", "red", "white", "green"), strict=True))
SWAPPED = {**WESTERN_SCHEME, "L": "red", "R": "orange"}
TRUTH = random_state(np.random.default_rng(1)).to_facelets()


def seen(scheme: dict[str, str]) -> np.ndarray:
    labs = np.array([NAMED_COLOURS[scheme[letter]] for letter in TRUTH.text])
    return labs + np.random.default_rng(3).normal(0, 2.0, (54, 3))


def test_a_cube_of_any_scheme_is_read_with_and_without_being_told() -> None:
    for scheme in (WESTERN_SCHEME, JAPANESE_SCHEME, RIG, SWAPPED):
        for told in (None, scheme):
            reading = decode_lab(seen(scheme), scheme=told)
            assert reading.facelets == TRUTH
            assert dict(reading.scheme) == scheme


def test_a_told_scheme_names_centres_that_nobody_saw() -> None:
    labs = seen(RIG)
    labs[4::9] = np.nan
    reading = decode_lab(labs, scheme=RIG)
    assert reading.facelets == TRUTH
    assert dict(reading.scheme) == RIG
    assert not decode_lab(labs).accepted
    four = seen(RIG)
    four[[4, 13, 31, 40]] = np.nan
    assert not decode_lab(four).accepted
