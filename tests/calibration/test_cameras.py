"""Calibration of fixed cameras, on rendered rigs."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from benchmarks.vision.hand_held import hand_held_viewpoint
from calibration import cameras
from calibration.cameras import (
    calibrate_camera,
    corner_name,
    corner_place,
    corners_in_picture,
    corners_in_sight,
)
from calibration.errors import CalibrationError
from cube.net import WESTERN_SCHEME
from cube.pieces import CORNERS
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from vision.frame import Frame
from vision.geometry.pinhole import camera_matrix
from vision.geometry.scene import COUPLER, facelet_centre
from vision.virtual.render import Viewpoint
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

STATE = random_state(np.random.default_rng(1))
MIDDLES = np.array([facelet_centre(facelet) for facelet in range(54)])


def picture(viewpoint: Viewpoint, state: CubeState = STATE, seed: int = 1) -> Frame:
    with VirtualCamera(lambda: state, viewpoint, seed=seed) as source:
        return source.read()


def seen_through(distortion: float, image: np.ndarray) -> np.ndarray:
    """Bend a picture like a lens: k1 of OpenCV's model."""
    matrix = camera_matrix(CORNER_CAMERAS["A"].focal_px, (640, 480))
    pixels = np.stack(np.meshgrid(np.arange(640.0), np.arange(480.0)), axis=-1).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(pixels, matrix, np.array([distortion, 0, 0, 0]), P=matrix)
    x, y = straight.reshape(480, 640, 2).astype(np.float32).transpose(2, 0, 1)
    return cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def test_the_bend_of_a_wide_lens_goes_into_the_view() -> None:
    """The picture is bent by 20 pixels at its corners; patches still lie on their stickers."""
    bent, viewpoint = -0.15, corner_viewpoint("A", coupled=False)
    image = seen_through(bent, picture(viewpoint).image)
    found = calibrate_camera(image, STATE.to_facelets(), WESTERN_SCHEME, couplers=())
    assert set(found.faces) == set("URF")
    assert not found.doubt
    straight = viewpoint.pinhole.project(MIDDLES[:27]) - (319.5, 239.5)
    radius = np.linalg.norm(straight, axis=1, keepdims=True) / viewpoint.pinhole.focal_px
    expected = straight * (1.0 + bent * radius**2) + (319.5, 239.5)
    assert np.abs(found.pose.project(MIDDLES[:27]) - expected).max() < 5.0
    assert {entry.name for entry in found.view.facelet} >= {"U5", "R5", "F5"}
    assert found.view.centres == {}


@pytest.mark.parametrize("camera", ["A", "B"])
def test_four_corners_are_enough(camera: str) -> None:
    points = corners_in_sight(CORNER_CAMERAS[camera])
    assert len(points) == 7
    pose = cameras.pose_from_corners(points, (640, 480))
    assert np.allclose(pose.position_mm, CORNER_CAMERAS[camera].position_mm, atol=1.0)
    for name, place in corners_in_sight(pose).items():
        assert np.allclose(place, points[name], atol=0.5)
    four = dict(list(points.items())[:4])
    again = corners_in_sight(cameras.pose_from_corners(four, (640, 480)))
    assert all(np.allclose(again[name], four[name], atol=1.5) for name in four)


def test_points_beside_the_picture_are_refused() -> None:
    points = {
        name: (x + 640.0, y) for name, (x, y) in corners_in_sight(CORNER_CAMERAS["A"]).items()
    }
    image = np.zeros((480, 640, 3), dtype=np.uint8)
    with pytest.raises(CalibrationError, match="sticker"):
        calibrate_camera(image, STATE.to_facelets(), WESTERN_SCHEME, points=points)


def test_a_corner_has_one_name_and_three_corners_are_too_few() -> None:
    assert corner_name("fur") == "URF"
    assert corner_place("DBL").tolist() == [-28.5, -28.5, -28.5]
    with pytest.raises(CalibrationError, match="'UDF'"):
        corner_name("UDF")
    with pytest.raises(CalibrationError, match=r"^3 "):
        cameras.pose_from_corners({"URF": (1, 1), "UFL": (9, 1), "DFR": (1, 9)}, (640, 480))


@pytest.mark.parametrize(
    ("camera", "coupled", "seed"),
    [
        ("A", True, 6),
        ("A", False, 2),
        ("B", True, 0),
    ],
)
def test_no_pose_that_only_seems_right_is_taken(camera: str, coupled: bool, seed: int) -> None:
    """A search from a few starts ends at a wrong pose of these, or stalls many pixels off."""
    state = random_state(np.random.default_rng(seed))
    frame = picture(corner_viewpoint(camera, coupled=coupled), state, seed=3)
    rings = COUPLER if coupled else ()
    found = calibrate_camera(frame.image, state.to_facelets(), WESTERN_SCHEME, couplers=rings)
    assert not found.doubt
    middles = MIDDLES[:27] if camera == "A" else MIDDLES[27:]
    off = found.pose.project(middles) - CORNER_CAMERAS[camera].project(middles)
    assert np.abs(off).max() < 3.0


def test_agreement_counts_only_where_it_tells_something() -> None:
    points = corners_in_sight(CORNER_CAMERAS["A"])
    solved, scrambled = (
        calibrate_camera(
            picture(corner_viewpoint("A"), state).image,
            state.to_facelets(),
            WESTERN_SCHEME,
            points=points,
        )
        for state in (SOLVED, STATE)
    )
    assert solved.agreement == 1.0
    assert solved.doubt  # its stickers are alike
    assert not scrambled.doubt
    assert " 60 %" in replace(scrambled, agreement=0.6).doubt
    before_the_front = replace(
        scrambled.pose, rotation=(np.pi, 0.0, 0.0), shift_mm=(0.0, 0.0, 300.0)
    )
    assert replace(scrambled, pose=before_the_front).doubt.endswith(" F")


def test_no_cube_and_one_face_alone_are_no_corner_of_a_cube() -> None:
    grey = np.full((120, 160, 3), 90, np.uint8)
    for image in (grey, picture(hand_held_viewpoint("F")).image):
        with pytest.raises(CalibrationError, match=r"--point URF=X,Y .*--point UFL=X,Y"):
            calibrate_camera(image, STATE.to_facelets(), WESTERN_SCHEME)


def test_a_camera_of_one_face_is_placed_by_its_corners_and_gets_a_view_of_this_face_only() -> None:
    viewpoint, known = hand_held_viewpoint("F"), STATE.to_facelets()
    image = picture(viewpoint).image
    with pytest.raises(CalibrationError, match="--point UFL=X,Y"):
        calibrate_camera(image, known, WESTERN_SCHEME, corner="F", couplers=())
    corners = [name for name in CORNERS if "F" in name]
    points = corners_in_picture(viewpoint.pinhole, corners)
    found = calibrate_camera(image, known, WESTERN_SCHEME, corner="F", points=points, couplers=())
    assert [entry.name for entry in found.view.facelet] == [f"F{cell}" for cell in range(1, 10)]


def test_couplers_are_as_wide_as_told_and_without_width_there_are_none() -> None:
    assert cameras.couplers(0.0) == ()
    assert cameras.couplers(COUPLER[0].radius_mm) == COUPLER
    assert len(cameras.couplers(1.0)) == len(cameras.couplers()) == len(COUPLER)
