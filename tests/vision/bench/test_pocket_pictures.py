"""A 2×2×2 cube's face is what is left of a 3×3×3 one's without its middle."""

import cv2
import numpy as np

from cube.random_states import random_state
from vision.bench.face_benchmark import middles
from vision.bench.face_conditions import Labelled
from vision.bench.pocket_pictures import as_pocket
from vision.faces.finder import find_face
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


def test_the_corners_keep_their_colours_and_close_ranks() -> None:
    viewpoint = hand_held_viewpoint("F", roll_deg=8.0, tilt_deg=12.0)
    facelets = random_state(np.random.default_rng(2)).to_facelets()
    image = Renderer(viewpoint, EVEN_LIGHT, WEBCAM, seed=2).render(
        facelets, np.random.default_rng(2)
    )
    face = find_face(image)
    assert face is not None
    whole = Labelled("F", image, middles(face))
    pocket = as_pocket(whole)
    assert pocket.middles.shape == (4, 2)
    assert pocket.image.shape[0] < image.shape[0]
    assert pocket.image.shape[1] < image.shape[1]
    steps = np.diff(pocket.middles[[0, 1, 3]], axis=0)
    assert np.abs(steps - whole.step * np.eye(2)).max() < 0.1 * whole.step
    for place, corner in zip(pocket.middles, whole.middles[[0, 2, 6, 8]], strict=True):
        assert np.abs(patch(pocket.image, place) - patch(image, corner)).max() < 12.0


def patch(image: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Mean colour of 7 × 7 pixels."""
    x, y = float(place[0]), float(place[1])
    return np.asarray(cv2.getRectSubPix(image, (7, 7), (x, y))).mean(axis=(0, 1))
