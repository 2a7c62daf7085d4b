"""What a person puts right in a reading, and what follows from it."""

import numpy as np
import pytest
from even_light import COLOURS

from cube.facelets import Facelets, facelet_index
from cube.moves import FACES
from cube.random_states import random_state
from vision.colours.labels import labels_of
from vision.colours.sticker_colours import StickerColours
from vision.decoding.correction import Correction, correct, doubtful_stickers
from vision.decoding.decode import decode
from vision.errors import VisionError
from vision.reading import ReadingState

TRUTH = random_state(np.random.default_rng(5)).to_facelets()


def colours_of(facelets: Facelets, seed: int) -> StickerColours:
    noise = np.random.default_rng(seed).normal(0, 2.5, (54, 3))
    return StickerColours.of_lab(COLOURS[labels_of(facelets)] + noise)


def test_doubtful_stickers_are_told_until_the_cube_is_legal() -> None:
    """Three faces are hidden but for their centres."""
    reading = decode(colours_of(TRUTH, 1).without([i for i in range(27) if i % 9 != 4]))
    assert not reading.accepted
    asked = doubtful_stickers(reading, 24)
    assert {name[0] for name in asked} & set("URF")
    assert not any(name.endswith("5") for name in asked)
    names = [face + cell for face in "UR" for cell in "12346789"]
    told = {name: TRUTH.text[facelet_index(name)] for name in names}
    corrected = correct(reading, Correction().telling(told))
    assert corrected.facelets == TRUTH
    assert corrected.state in {ReadingState.SURE, ReadingState.REPAIRED}
    assert corrected.stickers[0].colour == TRUTH.text[0]


def test_a_correction_that_makes_no_cube_is_not_trusted() -> None:
    reading = decode(colours_of(TRUTH, 2))
    wrong = FACES[(FACES.index(TRUTH.text[0]) + 1) % 6]
    corrected = correct(reading, Correction().telling({"U1": wrong}))
    assert not corrected.accepted
    assert corrected.reread
    assert correct(reading, Correction()).facelets == TRUTH


@pytest.mark.parametrize(
    "make",
    [
        *(lambda faces=faces: Correction().turning(faces, 1) for faces in ("X", "UR", "")),
        lambda: Correction().exchanging("U", "U"),
        lambda: Correction().telling({"U1": "X"}),
        lambda: Correction().telling({"U5": "R"}),
    ],
)
def test_impossible_corrections_are_refused(make) -> None:
    with pytest.raises(VisionError):
        make()
