"""Where a camera stands: from points of the cube, from one face, and from a view file."""

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED
from vision.geometry.scene import facelet_centre
from vision.geometry.view_geometry import view_from
from vision.placement.camera_pose import CameraPose, fit_pose, view_pinhole
from vision.placement.known_cube import find_face_pose
from vision.virtual.viewpoints import (
    CORNER_CAMERAS,
    default_views,
    hand_held_viewpoint,
    straight_viewpoint,
)
from vision.virtual.virtual_camera import VirtualCamera

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
    rotation = tuple(map(float, cv2.Rodrigues(turn)[0].ravel()))
    pose = CameraPose(rotation, tuple(map(float, -turn @ away)), focal_px, distortion, (640, 480))
    fit = fit_pose(MIDDLES, pose.project(MIDDLES), (640, 480))
    assert fit.miss_px < 1.0
    assert np.abs(fit.pose.project(MIDDLES) - pose.project(MIDDLES)).max() < 2.0
    assert fit.pose.faces == pose.faces


STATE = random_state(np.random.default_rng(8))


def test_the_stickers_tell_place_and_turn() -> None:
    for number, face in enumerate("URFDLB"):
        roll_deg = (0.0, 90.0, 172.0)[number % 3]
        place = hand_held_viewpoint(face, roll_deg=roll_deg, tilt_deg=9.0, pan_deg=-6.0)
        with VirtualCamera(lambda: STATE, place, seed=3) as camera:
            image = camera.read().image
        found = find_face_pose(image, face, STATE.to_facelets(), WESTERN_SCHEME)
        assert found is not None
        assert found.margin > 0.5  # some faces look almost alike when they are turned
        cells = [facelet_centre(9 * number + cell) for cell in range(9)]
        off = np.asarray(found.pose.project(cells)) - np.asarray(place.pinhole.project(cells))
        assert np.abs(off).max() < 6.0


def test_a_face_of_one_colour_does_not_tell_how_it_is_turned_and_no_face_gives_no_place() -> None:
    with VirtualCamera(lambda: SOLVED, hand_held_viewpoint("F"), seed=3) as camera:
        image = camera.read().image
    found = find_face_pose(image, "F", SOLVED.to_facelets(), WESTERN_SCHEME)
    assert found is not None
    assert found.margin < 1.0
    grey = np.full((480, 640, 3), 90, dtype=np.uint8)
    assert find_face_pose(grey, "U", STATE.to_facelets(), WESTERN_SCHEME) is None


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
