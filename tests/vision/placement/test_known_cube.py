"""How well poses explain a picture that was painted for one of them."""

import cv2
import numpy as np

from cube.facelets import SOLVED_FACELETS
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.palette import STICKER_SRGB
from vision.geometry.scene import facelet_point
from vision.placement.camera_pose import CameraPose
from vision.placement.known_cube import KnownCube

POSE = CameraPose((2.6, 0.0, -0.8), (0.0, 0.0, 170.0), 700.0, 0.0, (640, 480))


def painted() -> np.ndarray:
    """What the camera sees of a solved cube in even light, without gaps between the stickers."""
    image = np.zeros((480, 640, 3), dtype=np.uint8)
    for face in POSE.faces:
        bgr = STICKER_SRGB[WESTERN_SCHEME[face]][::-1]
        for facelet in range(9 * FACES.index(face), 9 * FACES.index(face) + 9):
            corners = POSE.project(facelet_point(facelet, [-1, 1, 1, -1], [-1, -1, 1, 1]))
            cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), bgr)
    return image


def test_the_true_pose_leaves_nothing_unexplained_and_every_colour_counts() -> None:
    cube = KnownCube(painted(), SOLVED_FACELETS, WESTERN_SCHEME)
    assert len(POSE.faces) == 3
    assert cube.misfit(POSE) < 0.1
    assert cube.agreement(POSE) == 1.0
    aside = CameraPose(POSE.rotation, (14.0, 0.0, 170.0), 700.0, 0.0, POSE.size)
    assert cube.misfit(aside) > 5.0
    # One face after the other is taken for another colour: each time the picture fits less.
    for face in POSE.faces:
        other = next(letter for letter in FACES if letter not in POSE.faces)
        swapped = WESTERN_SCHEME | {face: WESTERN_SCHEME[other], other: WESTERN_SCHEME[face]}
        assert KnownCube(painted(), SOLVED_FACELETS, swapped).misfit(POSE) > 1.0
