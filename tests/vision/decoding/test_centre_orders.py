"""Centres that something covers: the pieces tell whose colour is whose, or nobody can."""

import numpy as np
import pytest
from even_light import seen

from cube.facelets import Facelets
from cube.random_states import random_state
from vision.colours.colour_space import srgb_to_lab
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.reading import CubeReading

DISCS = {"black": (25, 25, 25), "grey": (128, 128, 128), "orange": (220, 110, 40)}


def read_covered(seed: int, faces: list[int], disc: str) -> tuple[Facelets, CubeReading]:
    """A random cube with discs of one colour over some centres."""
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    discs = np.clip(np.array(DISCS[disc]) + rng.normal(0, 4, (len(faces), 3)), 0, 255)
    labs[[9 * face + 4 for face in faces]] = srgb_to_lab(discs)
    return truth, decode(StickerColours.of_lab(labs))


@pytest.mark.parametrize("disc", DISCS)
@pytest.mark.parametrize("faces", [[2], [0, 3], [1, 2]])
def test_one_or_two_discs_are_seen_through(faces: list[int], disc: str) -> None:
    right = 0
    for seed in range(3):
        truth, reading = read_covered(seed, faces, disc)
        assert not reading.accepted or reading.facelets == truth
        right += reading.facelets == truth
    assert right >= 2


@pytest.mark.parametrize("disc", DISCS)
@pytest.mark.parametrize("faces", [[0, 1, 2], [0, 2, 3], [0, 1, 3, 4], [0, 1, 2, 3, 4, 5]])
def test_with_more_discs_no_wrong_cube_is_taken(faces: list[int], disc: str) -> None:
    for seed in range(2):
        truth, reading = read_covered(seed, faces, disc)
        assert not reading.accepted or reading.facelets == truth
        assert reading.accepted or reading.reread


@pytest.mark.parametrize("faces", [[0, 1, 3, 4], [0, 1, 2, 3, 4, 5]])
def test_with_four_centres_unseen_nothing_is_taken(faces: list[int]) -> None:
    rng = np.random.default_rng(1)
    colours = StickerColours.of_lab(seen(random_state(rng).to_facelets(), rng))
    assert not decode(colours.without([9 * face + 4 for face in faces])).accepted
