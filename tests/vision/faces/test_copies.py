"""The copies of a picture in which faces are looked for."""

import numpy as np
import pytest

from vision.faces.copies import COPIES


@pytest.mark.parametrize("make", COPIES)
def test_a_copy_knows_where_its_pixels_lie_in_the_picture(make) -> None:
    for size in ((480, 640), (640, 480), (1080, 1920), (90, 120), (1, 1), (3, 900)):
        copy = make(np.zeros((*size, 3), np.uint8))
        if copy is None:
            assert max(size) <= 320
            continue
        assert copy.image.dtype == np.uint8
        margin = copy.margin_px
        height, width = (n - 2 * margin for n in copy.image.shape[:2])
        corners = np.array([(-0.5, -0.5), (width - 0.5, height - 0.5)]) + margin
        there = copy.to_picture(corners)
        assert np.abs(there[0] + 0.5).max() < 1e-9
        assert np.abs(there[1] + 0.5 - size[::-1]).max() <= 0.6 / copy.scale
