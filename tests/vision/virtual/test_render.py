"""What lens and motion do to a rendered picture, and what stands behind the cube."""

import cv2
import numpy as np

from cube.state import SOLVED
from vision.geometry.light import EVEN_LIGHT, Optics
from vision.virtual.background import Background, paint_background
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


def rendered(distance_mm: float, **optics: float) -> np.ndarray:
    renderer = Renderer(
        hand_held_viewpoint("F", distance_mm=distance_mm), EVEN_LIGHT, Optics(**optics)
    )
    return renderer.render(SOLVED.to_facelets(), np.random.default_rng(1))


def test_a_bent_lens_moves_the_cubes_corners_inwards() -> None:
    """A barrel lens draws what is far from the middle nearer to it; the middle stays."""
    straight, bent = (rendered(110.0, distortion=k1) for k1 in (0.0, -0.2))
    green = [cv2.inRange(image, (40, 100, 0), (110, 190, 60)) for image in (straight, bent)]
    assert cv2.countNonZero(green[1]) < 0.99 * cv2.countNonZero(green[0])
    assert np.array_equal(straight[240, 320], bent[240, 320])


def test_motion_blurs_along_the_rows_only() -> None:
    still, moved = (rendered(200.0, motion_px=px).astype(float) for px in (0.0, 9.0))
    across, down = (
        [np.abs(np.diff(image, axis=axis)).max() for image in (still, moved)] for axis in (1, 0)
    )
    assert across[1] < 0.5 * across[0]
    assert down[1] > 0.8 * down[0]


def test_backgrounds_have_the_size_and_the_sameness_that_are_asked_for() -> None:
    for kind in Background:
        for size in ((97, 61), (4, 4)):
            first, again = (paint_background(kind, size, np.random.default_rng(5)) for _ in "12")
            assert first.shape == (*size[::-1], 3)
            np.testing.assert_array_equal(first, again)
