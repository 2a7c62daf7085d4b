"""What makes a look at a face poor: blur, motion, fingers and reflections."""

import cv2
import numpy as np
import pytest

from cube.random_states import random_state
from vision.faces.finder import find_face
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.live.look_quality import sharpness, spoilt_stickers
from vision.live.step import LiveSettings
from vision.reading import FaceReading
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint

STATE = random_state(np.random.default_rng(1)).to_facelets()


@pytest.fixture(scope="module")
def image() -> np.ndarray:
    renderer = Renderer(hand_held_viewpoint("F"), EVEN_LIGHT, WEBCAM, seed=1)
    return renderer.render(STATE, np.random.default_rng(1))


@pytest.fixture(scope="module")
def face(image: np.ndarray) -> FaceReading:
    found = find_face(image)
    assert found is not None
    return found


def test_sharpness_tells_blur_and_motion_in_any_direction(
    image: np.ndarray, face: FaceReading
) -> None:
    least = LiveSettings().sharpness
    assert sharpness(image, face) > least
    assert sharpness(cv2.GaussianBlur(image, (0, 0), 5.0), face) < least
    assert sharpness(np.full_like(image, 90), face) == 0.0
    line = np.zeros((13, 13), np.float32)
    cv2.line(line, (0, 6), (12, 6), 1.0)
    for angle_deg in (0, 45, 90, 135):
        path = cv2.warpAffine(line, cv2.getRotationMatrix2D((6, 6), angle_deg, 1.0), (13, 13))
        assert sharpness(cv2.filter2D(image, -1, path / path.sum()), face) < least


def test_a_finger_over_a_part_of_a_sticker_is_noticed(image: np.ndarray, face: FaceReading) -> None:
    assert spoilt_stickers(image, face) == ()
    corners = np.array(face.corners)
    middle = corners[0] + (corners.mean(axis=0) - corners[0]) / 3.0
    x, y = (int(v) for v in middle)
    touched = image.copy()
    cv2.circle(touched, (x - 20, y), int(face.side_px / 11), (50, 60, 70), -1)
    assert spoilt_stickers(touched, face) == (0,)
    lamp = image.copy()
    cv2.circle(lamp, (x, y), int(face.side_px / 20), (255, 255, 255), -1)
    assert spoilt_stickers(lamp, face) == (0,)
