import numpy as np
import pytest

from vision.geometry.pinhole import Pinhole, camera_matrix


@pytest.mark.parametrize("size", [(640, 480), (97, 61), (1, 1)])
def test_the_axis_meets_the_middle_between_the_first_and_the_last_pixel(
    size: tuple[int, int],
) -> None:
    middle = np.mean([(0, 0), (size[0] - 1, size[1] - 1)], axis=0)
    x, y, depth = camera_matrix(600.0, size) @ (0.0, 0.0, 1.0)
    assert (x, y, depth) == (*middle, 1.0)
    camera = Pinhole((90.0, 69.0, 127.0), (2.0, 3.0, 4.0), size=size, roll_deg=9.0)
    assert np.allclose(camera.project([(2.0, 3.0, 4.0)]), middle)
