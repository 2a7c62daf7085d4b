"""A 3×3×3 cube is told from a 2×2×2 one by its photos."""

import numpy as np
import pytest

from cube.random_states import random_state
from vision.bench.face_benchmark import middles
from vision.bench.face_conditions import Labelled
from vision.bench.pocket_pictures import as_pocket
from vision.faces.cube_size import look_2x2x2, look_3x3x3
from vision.faces.finder import find_face
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.geometry.scene import STICKERED, STICKERLESS
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


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


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
def test_each_size_is_told_and_most_photos_decide(style) -> None:
    large, small = photos(style, 1)
    for shown, three, two in (
        (large, True, False),
        (small, False, True),
        ([*large[:4], *small[:2]], True, False),
        ([*large[:3], *small[:3]], False, False),
        ([], False, False),
    ):
        assert (look_3x3x3(shown), look_2x2x2(shown)) == (three, two)
