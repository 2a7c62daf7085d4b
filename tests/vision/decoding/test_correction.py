"""What a person tells of a cube or puts right in a reading, and what remains in doubt."""

import numpy as np
import pytest
from even_light import decode_lab, seen

from cube.facelets import SOLVED_FACELETS, Facelets, facelet_index
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.scheme import JAPANESE_SCHEME
from vision.colours.sticker_colours import StickerColours
from vision.decoding.correction import Correction, correct
from vision.decoding.decode import decode
from vision.decoding.doubts import turned_pieces
from vision.errors import VisionError
from vision.reading import ReadingState

TRUTH = random_state(np.random.default_rng(5)).to_facelets()


def colours_of(facelets: Facelets, seed: int) -> StickerColours:
    return StickerColours.of_lab(seen(facelets, np.random.default_rng(seed), 2.5))


def test_stickers_are_told_until_the_cube_is_legal() -> None:
    """Three faces are hidden but for their centres."""
    reading = decode(colours_of(TRUTH, 1).without([i for i in range(27) if i % 9 != 4]))
    assert not reading.accepted
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


# As in the pictures of the rig in Thistlebot's first hall; and one that is a mirror image.
RIG = dict(zip(FACES, ("orange", "yellow", "blue", "red", "white", "green"), strict=True))
SWAPPED = {**WESTERN_SCHEME, "L": "red", "R": "orange"}
SAID = random_state(np.random.default_rng(1)).to_facelets()


def painted(scheme: dict[str, str]) -> np.ndarray:
    labs = np.array([NAMED_COLOURS[scheme[letter]] for letter in SAID.text])
    return labs + np.random.default_rng(3).normal(0, 2.0, (54, 3))


def test_a_cube_of_any_scheme_is_read_with_and_without_being_told() -> None:
    for scheme in (WESTERN_SCHEME, JAPANESE_SCHEME, RIG, SWAPPED):
        for told in (None, scheme):
            reading = decode_lab(painted(scheme), scheme=told)
            assert reading.facelets == SAID
            assert dict(reading.scheme) == scheme


def test_a_told_scheme_names_centres_that_nobody_saw() -> None:
    labs = painted(RIG)
    labs[4::9] = np.nan
    reading = decode_lab(labs, scheme=RIG)
    assert reading.facelets == SAID
    assert dict(reading.scheme) == RIG
    assert not decode_lab(labs).accepted
    four = painted(RIG)
    four[[4, 13, 31, 40]] = np.nan
    assert not decode_lab(four).accepted


def test_a_piece_that_shows_itself_turned_is_noticed() -> None:
    """But not two stickers of different pieces."""
    for names, noticed in (("U6 R2", 1), ("F4 L6", 1), ("U9 R1 F3", 1), ("U6 F4", 0)):
        place = tuple(facelet_index(name) for name in names.split())
        letters = list(SOLVED_FACELETS.text)
        for i, j in zip(place, (*place[1:], place[0]), strict=True):
            letters[i] = SOLVED_FACELETS.text[j]
        assert turned_pieces(SOLVED_FACELETS, Facelets("".join(letters))) == (place,) * noticed
