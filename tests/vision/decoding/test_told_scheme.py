"""What a person says of the colours of a cube: names, hidden centres, what is no mirror image."""

import numpy as np
import pytest

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.laws.photo_order import make_placement

# As in the pictures of the rig in Thistlebot's first hall; and one that is a mirror image.
RIG = dict(zip(FACES, ("orange", "yellow", "blue", "red", "white", "green"), strict=True))
SWAPPED = {**WESTERN_SCHEME, "L": "red", "R": "orange"}


def seen(text: str, scheme: dict[str, str], noise: float = 2.0) -> np.ndarray:
    labs = np.array([NAMED_COLOURS[scheme[letter]] for letter in text])
    return labs + np.random.default_rng(3).normal(0, noise, (54, 3))


@pytest.mark.parametrize("scheme", [RIG, SWAPPED])
def test_a_cube_of_any_scheme_is_read_with_and_without_being_told(scheme: dict[str, str]) -> None:
    truth = random_state(np.random.default_rng(1)).to_facelets()
    colours = StickerColours.of_lab(seen(truth.text, scheme))
    for told in (None, scheme):
        reading = decode(colours, scheme=told)
        assert reading.facelets == truth
        assert dict(reading.scheme) == scheme


def test_a_told_scheme_says_how_photos_in_any_order_are_held() -> None:
    truth = random_state(np.random.default_rng(1)).to_facelets()
    order = make_placement((3, 5, 0, 1, 4, 2), (1, 0, 2, 3, 0, 1))
    pictures = np.empty((54, 3))
    pictures[order.cells] = seen(truth.text, RIG)
    colours = StickerColours.of_lab(pictures)
    reading = decode(colours, any_order=True, scheme=RIG)
    assert reading.facelets == truth
    assert dict(reading.scheme) == RIG
    assert dict(decode(colours, any_order=True).scheme)["U"] == "white"


def test_a_scheme_that_was_told_is_no_mirror_image() -> None:
    truth = random_state(np.random.default_rng(1)).to_facelets()
    colours = StickerColours.of_lab(seen(truth.text, SWAPPED))
    assert decode(colours, any_order=True).mirrored
    told = decode(colours, any_order=True, scheme=SWAPPED)
    assert told.facelets == truth
    assert decode(colours, any_order=True, scheme=WESTERN_SCHEME).mirrored


def test_pictures_that_are_mirrored_are_noticed_in_any_scheme() -> None:
    truth = random_state(np.random.default_rng(1)).to_facelets()
    flipped = seen(truth.text, SWAPPED)[make_placement(mirrored=True).cells]
    assert decode(StickerColours.of_lab(flipped), scheme=SWAPPED).mirrored


def test_a_told_scheme_names_centres_that_nobody_saw() -> None:
    truth = random_state(np.random.default_rng(1)).to_facelets()
    colours = StickerColours.of_lab(seen(truth.text, RIG)).without([4, 13, 22, 31, 40, 49])
    reading = decode(colours, scheme=RIG)
    assert reading.facelets == truth
    assert dict(reading.scheme) == RIG
    assert not decode(colours).accepted


def test_what_the_centres_show_stands_above_what_was_told() -> None:
    """Pictures that were exchanged are named by what they show."""
    truth = random_state(np.random.default_rng(1)).to_facelets()
    labs = seen(truth.text, WESTERN_SCHEME).reshape(6, 9, 3)
    labs[[1, 4]] = labs[[4, 1]]  # red and orange
    reading = decode(StickerColours.of_lab(labs.reshape(54, 3)), scheme=WESTERN_SCHEME)
    assert dict(reading.scheme)["R"] == "orange"
    assert reading.mistake is not None
    assert reading.mistake.faces == ("R", "L")
