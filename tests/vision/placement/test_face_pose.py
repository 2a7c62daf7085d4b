"""A camera that looks at one face finds its place from the stickers."""

import numpy as np

from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED
from vision.geometry.scene import facelet_centre
from vision.placement.face_pose import find_face_pose
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

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
