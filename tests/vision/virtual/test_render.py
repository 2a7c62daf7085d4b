"""What lens and motion do to a rendered picture."""

import cv2
import numpy as np
import pytest

from cube.state import SOLVED
from vision.errors import VisionError
from vision.geometry.light import EVEN_LIGHT, Optics
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


def test_a_bent_lens_moves_the_cubes_corners_inwards() -> None:
    """A barrel lens draws what is far from the middle nearer to it; the middle stays."""
    viewpoint = hand_held_viewpoint("F", distance_mm=110.0)
    straight, bent = (
        Renderer(viewpoint, EVEN_LIGHT, Optics(distortion=k1)).render(
            SOLVED.to_facelets(), np.random.default_rng(1)
        )
        for k1 in (0.0, -0.2)
    )
    green = [cv2.inRange(image, (40, 100, 0), (110, 190, 60)) for image in (straight, bent)]
    assert cv2.countNonZero(green[1]) < 0.99 * cv2.countNonZero(green[0])
    assert np.array_equal(straight[240, 320], bent[240, 320])


def test_motion_blurs_along_the_rows_only() -> None:
    viewpoint = hand_held_viewpoint("F", distance_mm=200.0)
    still, moved = (
        Renderer(viewpoint, EVEN_LIGHT, Optics(motion_px=px))
        .render(SOLVED.to_facelets(), np.random.default_rng(1))
        .astype(float)
        for px in (0.0, 9.0)
    )
    across = [np.abs(np.diff(image, axis=1)).max() for image in (still, moved)]
    down = [np.abs(np.diff(image, axis=0)).max() for image in (still, moved)]
    assert across[1] < 0.5 * across[0]
    assert down[1] > 0.8 * down[0]


@pytest.mark.parametrize("wrong", [{"distortion": 0.9}, {"motion_px": -1.0}])
def test_impossible_lenses_are_refused(wrong) -> None:
    with pytest.raises(VisionError):
        Optics(**wrong)
