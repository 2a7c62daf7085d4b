"""The faces of a 2×2×2 cube are found, and told from those of a 3×3×3 one."""

import cv2
import numpy as np
import pytest
from pocket_pictures import as_pocket

from benchmarks.vision.face_benchmark import middles
from benchmarks.vision.face_conditions import Labelled
from benchmarks.vision.hand_held import hand_held_viewpoint
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_spaces import lab_to_srgb
from vision.faces.finder import find_face
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.geometry.sampling import sample_polygons
from vision.geometry.scene import STICKERED, STICKERLESS, CubeStyle
from vision.pocket.cube_size import look_2x2x2, look_3x3x3
from vision.pocket.faces import find_pocket_face
from vision.virtual.render import Renderer


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
        labs = sample_polygons(picture, outlines)
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


def photos(style, seed: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Six rendered photos of a 3×3×3 cube, and the same of a 2×2×2 one."""
    rng = np.random.default_rng(seed)
    facelets = random_state(rng).to_facelets()
    large, small = [], []
    for face in "URFDLB":
        viewpoint = hand_held_viewpoint(
            face, roll_deg=rng.uniform(-15, 15), tilt_deg=rng.uniform(-15, 15)
        )
        image = Renderer(viewpoint, EVEN_LIGHT, WEBCAM, style=style, seed=seed).render(
            facelets, rng
        )
        found = find_face(image)
        assert found is not None
        large.append(image)
        small.append(as_pocket(Labelled(face, image, middles(found))).image)
    return large, small


@pytest.mark.parametrize(
    "style", [STICKERED, pytest.param(STICKERLESS, marks=pytest.mark.exhaustive)]
)
def test_each_size_is_told_and_most_photos_decide(style: CubeStyle) -> None:
    large, small = photos(style, 1)
    assert (look_3x3x3(large), look_2x2x2(large)) == (True, False)
    assert (look_3x3x3(small), look_2x2x2(small)) == (False, True)
    assert look_3x3x3([*large[:4], *small[:2]])
    for shown in ([*large[:3], *small[:3]], []):
        assert (look_3x3x3(shown), look_2x2x2(shown)) == (False, False)
