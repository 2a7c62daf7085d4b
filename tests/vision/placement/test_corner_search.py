"""The grid of poses where the search before a corner begins."""

import numpy as np

from vision.placement.corner_search import _grid

THIRD = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""A third of a turn about the corner: the same three faces in other order."""


def test_no_view_of_the_corner_is_tried_twice() -> None:
    turns = np.unique(_grid((640, 480)).turns.round(9), axis=0)
    for thirds in (THIRD, THIRD @ THIRD):
        apart = np.abs(turns[:, None] - turns @ thirds).max(axis=(2, 3))
        assert apart.min() > 1e-3
