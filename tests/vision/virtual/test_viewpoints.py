"""The default rig's views, against the rendered pictures and the mathematics of the corner."""

from itertools import combinations

import numpy as np
import pytest

from cube.facelets import facelet_name
from cube.net import WESTERN_SCHEME
from vision.errors import VisionError
from vision.geometry.scene import FACE_AXES, HALF_MM, blocks
from vision.geometry.view_geometry import view_from
from vision.virtual.viewpoints import (
    CORNER_CAMERAS,
    default_views,
    hand_held_viewpoint,
    straight_viewpoint,
)

VIEWS = dict(zip("AB", default_views(), strict=True))
FACES = {"A": "URF", "B": "DLB"}


def test_each_camera_sees_all_but_the_centres_of_its_three_faces():
    for name in "AB":
        visible = {
            facelet_name(facelet)
            for side in blocks()[0].sides
            if side.seen_from(CORNER_CAMERAS[name].position_mm)
            for facelet in side.facelets
            if facelet % 9 != 4
        }
        assert VIEWS[name].names() == visible
        assert len(visible) == 24
        assert {facelet[0] for facelet in visible} == set(FACES[name])
        assert VIEWS[name].centres == {face: WESTERN_SCHEME[face] for face in FACES[name]}
        assert VIEWS[name].image_size == (640, 480)
    japanese = {**WESTERN_SCHEME, "D": "blue", "B": "yellow"}
    assert default_views(japanese)[1].centres == {"D": "blue", "L": "orange", "B": "yellow"}


def test_a_camera_straight_ahead_sees_just_its_faces_and_a_single_one_upright():
    edges = [each for each in combinations("URFDLB", 2) if "".join(each) not in "UD RL FB"]
    corners = [("U", "R", "F"), ("U", "L", "B"), ("D", "L", "B"), ("D", "F", "R")]
    for faces in [*"URFDLB", *edges, *corners]:
        view = view_from(straight_viewpoint(tuple(faces), "ahead").pinhole, {}, ())
        assert view.names() == {f"{face}{cell}" for face in faces for cell in range(1, 10)}
        if len(faces) == 1:
            middle = {entry.name: np.mean(entry.polygons, axis=(0, 1)) for entry in view.facelet}
            assert middle[f"{faces}1"][0] < middle[f"{faces}3"][0]
            assert middle[f"{faces}1"][1] < middle[f"{faces}7"][1]
            position_mm = hand_held_viewpoint(faces).pinhole.position_mm  # 16 cm before the webcam
            assert np.allclose(position_mm, (HALF_MM + 160.0) * np.array(FACE_AXES[faces].normal))
    for faces in ((), ("U", "D"), ("U", "U"), ("R", "F", "L")):  # no camera sees opposite faces
        with pytest.raises(VisionError):
            straight_viewpoint(faces, "ahead")
