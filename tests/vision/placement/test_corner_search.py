"""The grid of poses where the search before a corner begins."""

import numpy as np

from vision.placement.corner_search import _grid

THIRD = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""A third of a turn about the corner: the same three faces in other order."""


def test_the_grid_of_poses_repeats_nothing_and_lies_inside_the_picture() -> None:
    turns = np.unique(_grid((640, 480)).turns.round(9), axis=0)
    for thirds in (THIRD, THIRD @ THIRD):
        apart = np.abs(turns[:, None] - turns @ thirds).max(axis=(2, 3))
        assert apart.min() > 1e-3
    poses = _grid((640, 480))
    middles = (poses.focals / poses.shifts[:, 2])[:, None] * poses.shifts[:, :2]
    assert (np.abs(middles) < 0.2 * np.array([640, 480])).all()
    for way in middles.T.round(6):
        assert np.array_equal(np.unique(way), np.unique(-way))
