"""The four stickers of a 2×2×2 cube's face are found."""

import cv2
import numpy as np

from cube.net import WESTERN_SCHEME
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_space import lab_to_srgb
from vision.faces.pocket_face import find_pocket_face
from vision.geometry.sampling import sample_polygon


def drawn_face(text: str, angle_deg: float) -> np.ndarray:
    picture = np.full((240, 320, 3), 90, np.uint8)
    cv2.rectangle(picture, (100, 60), (220, 180), (20, 20, 20), -1)
    for i, letter in enumerate(text):
        rgb = lab_to_srgb(np.array(NAMED_COLOURS[WESTERN_SCHEME[letter]]))
        x, y = 104 + 58 * (i % 2), 64 + 58 * (i // 2)
        cv2.rectangle(picture, (x, y), (x + 53, y + 53), [int(v) for v in rgb[::-1]], -1)
    turn = cv2.getRotationMatrix2D((160, 120), angle_deg, 1.0)
    return cv2.warpAffine(picture, turn, (320, 240), borderMode=cv2.BORDER_REPLICATE)


def test_the_four_stickers_of_a_face_are_found_and_none_in_an_empty_picture() -> None:
    for angle_deg in (0, 12, -20):
        picture = drawn_face("RFUB", angle_deg)
        outlines = find_pocket_face(picture)
        assert outlines is not None
        labs = [sample_polygon(picture, outline).lab for outline in outlines]
        for lab, letter in zip(labs, "RFUB", strict=True):
            assert np.linalg.norm(lab - NAMED_COLOURS[WESTERN_SCHEME[letter]]) < 5.0
    assert find_pocket_face(np.full((240, 320, 3), 128, np.uint8)) is None
    assert find_pocket_face(np.zeros((1, 1, 3), np.uint8)) is None


def test_a_face_that_the_border_cuts_is_found_in_another_copy() -> None:
    picture = drawn_face("RFUB", 0)[:, 125:]
    assert find_pocket_face(picture, limit_s=-1.0) is None
    outlines = find_pocket_face(picture)
    assert outlines is not None
    middles = np.array([np.mean(outline, axis=0) for outline in outlines])
    expected = np.array([(131, 90), (189, 90), (131, 148), (189, 148)]) - np.array([125, 0])
    assert np.abs(middles - expected).max() < 15.0
