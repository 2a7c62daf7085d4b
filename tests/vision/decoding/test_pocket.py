import numpy as np
import pytest

from cube.laws import examine
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.sticker_colours import StickerColours
from vision.decoding.pocket import decode_pocket
from vision.errors import VisionError

CELLS = (0, 2, 6, 8)


def corners_of(seed: int) -> str:
    """The 24 stickers, URFDLB, of the corners of a random cube."""
    state = random_state(np.random.default_rng(seed))
    facelets = state.to_facelets()
    assert examine(facelets).solvable
    return "".join(facelets.face(face)[cell] for face in FACES for cell in CELLS)


def colours_of(text: str) -> np.ndarray:
    return np.array([NAMED_COLOURS[WESTERN_SCHEME[letter]] for letter in text])


@pytest.mark.parametrize("seed", range(4))
def test_a_pocket_cube_is_read_and_its_colours_named(seed: int) -> None:
    text = corners_of(seed)
    noise = np.random.default_rng(seed).normal(0, 2.5, (24, 3))
    reading = decode_pocket(StickerColours.of_lab(colours_of(text) + noise))
    assert reading.accepted
    assert reading.facelets == text
    letters = {face: WESTERN_SCHEME[face][0] for face in FACES}
    faces = {face: text[4 * i : 4 * i + 4] for i, face in enumerate(FACES)}
    assert reading.best == "".join(letters[x] for face in "ULFRBD" for x in faces[face])


def test_a_misread_sticker_is_put_right_or_doubted() -> None:
    text = corners_of(7)
    labs = colours_of(text) + np.random.default_rng(7).normal(0, 2.0, (24, 3))
    labs[5] = np.nan
    reading = decode_pocket(StickerColours.of_lab(labs))
    assert reading.facelets == text or not reading.accepted
    assert np.isnan(reading.labs[5]).all()


def test_nonsense_is_refused_or_not_accepted() -> None:
    with pytest.raises(VisionError, match="24"):
        decode_pocket(StickerColours.of_lab(np.zeros((54, 3))))
    with pytest.raises(VisionError, match="half"):
        decode_pocket(StickerColours.of_lab(np.full((24, 3), np.nan)))
    reading = decode_pocket(StickerColours.of_lab(np.full((24, 3), 50.0)))
    assert not reading.accepted
    assert reading.reread
