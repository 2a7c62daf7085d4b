import numpy as np
import pytest

from vision.faces.lattice import _turned

SQUARE = np.array([[10.0, 20.0], [50.0, 22.0], [48.0, 61.0], [9.0, 60.0]])
"""Clockwise from the top left; y grows downwards."""


@pytest.mark.parametrize("begin", range(4))
@pytest.mark.parametrize("way", [1, -1])
def test_corners_go_clockwise_from_the_top_left(begin: int, way: int) -> None:
    assert np.array_equal(_turned(np.roll(SQUARE, begin, axis=0)[::way]), SQUARE)
