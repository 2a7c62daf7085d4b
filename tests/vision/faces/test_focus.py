"""Sharp and blurred pictures are told apart."""

import cv2
import numpy as np
import pytest

from cube.random_states import random_state
from vision.faces.focus import is_blurred
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.virtual.background import Background, paint_background
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


@pytest.mark.parametrize("light", [1.0, 0.3])
@pytest.mark.parametrize("face", ["F", "U", "R"])
def test_a_picture_is_blurred_once_its_edges_are_wide(face: str, light: float) -> None:
    renderer = Renderer(hand_held_viewpoint(face), EVEN_LIGHT, WEBCAM, seed=1)
    cube = random_state(np.random.default_rng(1)).to_facelets()
    image = renderer.render(cube, np.random.default_rng(1)).astype(np.float32) * light
    small = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(small, (0, 0), 2.0)
    assert not is_blurred(small.astype(np.uint8))
    assert is_blurred(blurred.astype(np.uint8))
    noisy = blurred + np.random.default_rng(2).normal(0, 30, blurred.shape)
    assert not is_blurred(np.clip(noisy, 0, 255).astype(np.uint8))


def test_a_picture_without_edges_is_not_blurred() -> None:
    assert not is_blurred(paint_background(Background.PLAIN, (320, 240), np.random.default_rng(1)))
    assert not is_blurred(np.zeros((1, 1, 3), np.uint8))
