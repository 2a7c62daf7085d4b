import cv2
import numpy as np
import pytest

from cube.laws import examine
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_space import lab_to_srgb
from vision.colours.sticker_colours import StickerColours
from vision.decoding.pocket import decode_pocket
from vision.errors import VisionError
from vision.faces.pocket_face import find_pocket_face
from vision.geometry.sampling import sample_polygon

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


def drawn_face(text: str, angle_deg: float) -> np.ndarray:
    picture = np.full((240, 320, 3), 90, np.uint8)
    cv2.rectangle(picture, (100, 60), (220, 180), (20, 20, 20), -1)
    for i, letter in enumerate(text):
        rgb = lab_to_srgb(np.array(NAMED_COLOURS[WESTERN_SCHEME[letter]]))
        x, y = 104 + 58 * (i % 2), 64 + 58 * (i // 2)
        cv2.rectangle(picture, (x, y), (x + 53, y + 53), [int(v) for v in rgb[::-1]], -1)
    turn = cv2.getRotationMatrix2D((160, 120), angle_deg, 1.0)
    return cv2.warpAffine(picture, turn, (320, 240), borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize("angle_deg", [0, 12, -20])
def test_the_four_stickers_of_a_face_are_found(angle_deg: float) -> None:
    picture = drawn_face("RFUB", angle_deg)
    outlines = find_pocket_face(picture)
    assert outlines is not None
    labs = [sample_polygon(picture, outline).lab for outline in outlines]
    for lab, letter in zip(labs, "RFUB", strict=True):
        assert np.linalg.norm(lab - NAMED_COLOURS[WESTERN_SCHEME[letter]]) < 5.0


def test_an_empty_picture_shows_no_face() -> None:
    assert find_pocket_face(np.full((240, 320, 3), 128, np.uint8)) is None
    assert find_pocket_face(np.zeros((1, 1, 3), np.uint8)) is None
