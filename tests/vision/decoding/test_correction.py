import numpy as np
import pytest

from cube.facelets import Facelets, facelet_index
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.sticker_colours import StickerColours
from vision.decoding.correction import Correction, correct, doubtful_stickers
from vision.decoding.decode import decode
from vision.errors import VisionError
from vision.reading import CubeReading, ReadingState

COLOURS = np.array([NAMED_COLOURS[WESTERN_SCHEME[face]] for face in FACES])


def colours_of(facelets: Facelets, seed: int) -> StickerColours:
    labels = [FACES.index(letter) for letter in facelets.text]
    noise = np.random.default_rng(seed).normal(0, 2.5, (54, 3))
    return StickerColours.of_lab(COLOURS[labels] + noise)


def doubtful(truth: Facelets) -> CubeReading:
    """Three faces hidden but for their centres."""
    hidden = [i for i in range(27) if i % 9 != 4]
    reading = decode(colours_of(truth, 1).without(hidden))
    assert not reading.accepted
    return reading


def test_doubtful_stickers_are_told_until_the_cube_is_legal() -> None:
    truth = random_state(np.random.default_rng(5)).to_facelets()
    reading = doubtful(truth)
    asked = doubtful_stickers(reading, 24)
    assert {name[0] for name in asked} & set("URF")
    assert not any(name.endswith("5") for name in asked)
    told: dict[str, str] = {}
    for face in "UR":
        for cell in "12346789":
            told[face + cell] = truth.text[facelet_index(face + cell)]
    corrected = correct(reading, Correction().telling(told))
    assert corrected.facelets == truth
    assert corrected.state in {ReadingState.SURE, ReadingState.REPAIRED}
    assert corrected.stickers[0].colour == truth.text[0]


def test_a_correction_that_makes_no_cube_is_not_trusted() -> None:
    truth = random_state(np.random.default_rng(6)).to_facelets()
    reading = decode(colours_of(truth, 2))
    wrong = "URFDLB"[(FACES.index(truth.text[0]) + 1) % 6]
    corrected = correct(reading, Correction().telling({"U1": wrong}))
    assert not corrected.accepted
    assert corrected.reread
    assert correct(reading, Correction()).facelets == truth


def test_impossible_corrections_are_refused() -> None:
    for faces in ("X", "UR", ""):
        with pytest.raises(VisionError, match="faces are"):
            Correction().turning(faces, 1)
    with pytest.raises(VisionError, match="two faces"):
        Correction().exchanging("U", "U")
    with pytest.raises(VisionError, match="letters"):
        Correction().telling({"U1": "X"})
    with pytest.raises(VisionError, match="centre"):
        Correction().telling({"U5": "R"})


def test_an_offered_cube_knows_its_stickers_after_faces_were_moved() -> None:
    """A mistake that is still there is named, and what undoes it points to the first pictures."""
    truth = random_state(np.random.default_rng(5)).to_facelets()
    shown = np.arange(54).reshape(6, 9)
    shown[2] = np.rot90(shown[2].reshape(3, 3), 2).ravel()
    shown[[0, 1]] = shown[[1, 0]]
    reading = decode(colours_of(truth, 1).take(shown.ravel()))
    again = correct(reading, Correction().exchanging("U", "R"))
    assert again.mistake is not None
    assert again.mistake.faces == ("F",)
    assert again.instead is not None
    assert again.instead.facelets == truth
    assert again.instead.cells == tuple(shown.ravel())
    assert dict(again.instead.scheme) == WESTERN_SCHEME


def test_a_hidden_centre_goes_with_its_face() -> None:
    truth = random_state(np.random.default_rng(5)).to_facelets()
    shown = np.arange(54).reshape(6, 9)
    shown[[0, 1]] = shown[[1, 0]]
    wrong = {"U": "red", "R": "white"}
    reading = decode(colours_of(truth, 1).without([4, 13]).take(shown.ravel()), None, wrong)
    edited = correct(reading, Correction().exchanging("U", "R"))
    assert edited.facelets == truth
    assert dict(edited.scheme) == WESTERN_SCHEME
