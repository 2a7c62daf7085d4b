"""What stands behind the rendered cube."""

import numpy as np
import pytest

from vision.virtual.background import Background, paint_background


@pytest.mark.parametrize("kind", Background)
@pytest.mark.parametrize("size", [(97, 61), (4, 4)])
def test_backgrounds_have_the_size_and_the_sameness_that_are_asked_for(kind, size):
    first, again = (paint_background(kind, size, np.random.default_rng(5)) for _ in range(2))
    assert first.shape == (*size[::-1], 3)
    np.testing.assert_array_equal(first, again)
