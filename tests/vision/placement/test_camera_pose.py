"""The pose of a camera from points of the cube, through any lens."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry.scene import facelet_centre
from vision.placement.camera_pose import CameraPose, fit_pose

MIDDLES = np.array([facelet_centre(facelet) for facelet in range(27)])


@settings(max_examples=8)
@given(
    st.tuples(st.floats(0.6, 1.6), st.floats(0.6, 1.6), st.floats(0.6, 1.6)),
    st.floats(500.0, 1400.0),
    st.floats(-0.2, 0.1),
)
def test_pose_focal_length_and_distortion_are_recovered(aim, focal_px, distortion):
    away = np.array(aim) / np.linalg.norm(aim) * 0.3 * focal_px
    ahead = -away / np.linalg.norm(away)
    right = np.cross(ahead, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(ahead, right), ahead])
    vector = rodrigues(turn)
    x, y, z = (float(value) for value in -turn @ away)
    pose = CameraPose(vector, (x, y, z), focal_px, distortion, (640, 480))
    fit = fit_pose(MIDDLES, pose.project(MIDDLES), (640, 480))
    assert fit.miss_px < 1.0
    assert np.abs(fit.pose.project(MIDDLES) - pose.project(MIDDLES)).max() < 2.0
    assert fit.pose.faces == pose.faces


def rodrigues(turn):
    angle = np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    x, y, z = (float(value) for value in axis / np.linalg.norm(axis) * angle)
    return x, y, z
