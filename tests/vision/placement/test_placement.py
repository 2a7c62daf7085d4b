"""Where a camera stands: from points of the cube, and from a view file."""

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import facelet_centre
from vision.geometry.view_geometry import view_from
from vision.placement.camera_pose import fit_pose, view_pinhole
from vision.virtual.viewpoints import CORNER_CAMERAS, default_views, straight_viewpoint

MIDDLES = np.array([facelet_centre(facelet) for facelet in range(27)])


@settings(max_examples=8)
@given(
    st.tuples(st.floats(0.6, 1.6), st.floats(0.6, 1.6), st.floats(0.6, 1.6)),
    st.floats(500.0, 1400.0),
    st.floats(-0.2, 0.1),
)
def test_pose_focal_length_and_distortion_are_recovered(aim, focal_px, distortion):
    away = np.array(aim) / np.linalg.norm(aim) * 0.3 * focal_px
    camera = replace(Pinhole.at(away, focal_px=focal_px), distortion=distortion)
    found = fit_pose(MIDDLES, camera.project(MIDDLES), (640, 480))
    assert np.abs(found.project(MIDDLES) - camera.project(MIDDLES)).max() < 2.0
    assert found.faces == camera.faces


def test_cameras_are_found_from_their_views() -> None:
    for number in (0, 1):
        known = tuple(CORNER_CAMERAS.values())[number]
        found = view_pinhole(default_views()[number])
        places = [facelet_centre(facelet) for facelet in range(54)]
        ahead = [place for place in places if np.dot(place, known.position_mm) > 28.5 * 60]
        off = np.asarray(found.project(ahead)) - np.asarray(known.project(ahead))
        assert np.abs(off).max() < 6.0  # patches lie beside the couplers, not in the cells' middles
        assert np.linalg.norm(np.subtract(found.position_mm, known.position_mm)) < 40.0
    for faces in (("U",), ("R", "F"), ("D", "L", "B")):
        known = straight_viewpoint(faces, "ahead").pinhole
        found = view_pinhole(view_from(known, {}, ()))
        places = [
            facelet_centre(9 * "URFDLB".index(face) + cell) for face in faces for cell in range(9)
        ]
        off = np.asarray(found.project(places)) - np.asarray(known.project(places))
        assert np.abs(off).max() < 1.0
