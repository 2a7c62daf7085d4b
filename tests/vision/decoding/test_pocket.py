"""The 24 stickers of a 2×2×2 cube become a cube."""

import numpy as np
import pytest
from even_light import COLOURS

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.sticker_colours import StickerColours
from vision.decoding.pocket import PocketReading, decode_pocket
from vision.errors import VisionError


def shown(seed: int, *, unseen: int | None = None) -> tuple[str, PocketReading]:
    """The 24 stickers, URFDLB, of the corners of a random cube, and what is read of them."""
    facelets = random_state(np.random.default_rng(seed)).to_facelets()
    text = "".join(facelets.face(face)[cell] for face in FACES for cell in (0, 2, 6, 8))
    labs = COLOURS[[FACES.index(letter) for letter in text]]
    labs = labs + np.random.default_rng(seed).normal(0, 2.5, (24, 3))
    if unseen is not None:
        labs[unseen] = np.nan
    return text, decode_pocket(StickerColours.of_lab(labs))


def test_a_pocket_cube_is_read_and_its_colours_named() -> None:
    letters = {face: WESTERN_SCHEME[face][0] for face in FACES}
    for seed in range(4):
        text, reading = shown(seed)
        assert reading.accepted
        assert reading.facelets == text
        faces = {face: text[4 * i : 4 * i + 4] for i, face in enumerate(FACES)}
        assert reading.best == "".join(letters[x] for face in "ULFRBD" for x in faces[face])


def test_a_sticker_that_was_not_seen_is_put_right_or_doubted_and_nonsense_is_not_accepted() -> None:
    text, reading = shown(7, unseen=5)
    assert reading.facelets == text or not reading.accepted
    assert np.isnan(reading.labs[5]).all()
    for labs in (np.zeros((54, 3)), np.full((24, 3), np.nan)):
        with pytest.raises(VisionError):
            decode_pocket(StickerColours.of_lab(labs))
    reading = decode_pocket(StickerColours.of_lab(np.full((24, 3), 50.0)))
    assert not reading.accepted
    assert reading.reread
