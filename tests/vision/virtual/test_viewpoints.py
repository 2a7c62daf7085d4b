"""The default rig's views, against the rendered pictures and the mathematics of the corner."""

from itertools import combinations

import cv2
import numpy as np
import pytest

from cube.facelets import SOLVED_FACELETS, facelet_index, facelet_name
from cube.net import WESTERN_SCHEME
from vision.colours.colour_space import bgr_to_lab, srgb_to_lab
from vision.colours.palette import STICKER_SRGB
from vision.errors import VisionError
from vision.geometry.light import EVEN_LIGHT, PERFECT_OPTICS
from vision.geometry.scene import FACE_AXES, HALF_MM, blocks
from vision.geometry.view_geometry import view_from
from vision.virtual.viewpoints import (
    CORNER_CAMERAS,
    corner_viewpoint,
    default_views,
    hand_held_viewpoint,
    straight_viewpoint,
)
from vision.virtual.virtual_camera import VirtualCamera

VIEWS = dict(zip("AB", default_views(), strict=True))
FACES = {"A": "URF", "B": "DLB"}


@pytest.mark.parametrize("name", "AB")
def test_each_camera_sees_all_but_the_centres_of_its_three_faces(name):
    visible = {
        facelet_name(facelet)
        for side in blocks()[0].sides
        if side.seen_from(CORNER_CAMERAS[name].position_mm)
        for facelet in side.facelets
        if facelet % 9 != 4
    }
    assert VIEWS[name].names() == visible
    assert {facelet[0] for facelet in visible} == set(FACES[name])
    assert VIEWS[name].centres == {face: WESTERN_SCHEME[face] for face in FACES[name]}
    assert VIEWS[name].image_size == (640, 480)


@pytest.mark.parametrize("name", "AB")
def test_every_pixel_of_every_patch_shows_the_sticker_that_it_is_said_to_show(name):
    image = (
        VirtualCamera(
            lambda: SOLVED_FACELETS,
            corner_viewpoint(name),
            light=EVEN_LIGHT,
            optics=PERFECT_OPTICS,
        )
        .read()
        .image
    )
    for entry in VIEWS[name].facelet:
        wanted = srgb_to_lab(STICKER_SRGB[WESTERN_SCHEME[entry.name[0]]])
        assert 3 <= len(entry.polygons) <= 4
        for polygon in entry.polygons:
            mask = np.zeros(image.shape[:2], dtype=np.uint8)
            cv2.fillConvexPoly(mask, np.rint(polygon).astype(np.int32), (1,))
            labs = bgr_to_lab(image[mask > 0])
            assert len(labs) >= 12
            assert np.linalg.norm(labs - wanted, axis=1).max() < 4.0, entry.name


def test_patches_of_a_facelet_lie_apart_and_each_on_its_own():
    for view in VIEWS.values():
        middles = [np.mean(polygon, axis=0) for entry in view.facelet for polygon in entry.polygons]
        assert min(np.linalg.norm(one - two) for one, two in combinations(middles, 2)) > 3.0


def test_together_the_cameras_see_the_48_facelets_that_move():
    seen = VIEWS["A"].names() | VIEWS["B"].names()
    assert len(seen) == 48
    assert all(facelet_index(name) % 9 != 4 for name in seen)


def test_other_schemes_give_other_centres():
    japanese = {**WESTERN_SCHEME, "D": "blue", "B": "yellow"}
    assert default_views(japanese)[1].centres == {"D": "blue", "L": "orange", "B": "yellow"}


@pytest.mark.parametrize("face", "URFDLB")
def test_a_face_is_held_16_cm_before_the_webcam(face):
    camera = hand_held_viewpoint(face).pinhole
    wanted = (HALF_MM + 160.0) * np.array(FACE_AXES[face].normal)
    assert np.allclose(camera.position_mm, wanted)


_ALL_FACES = [(face,) for face in "URFDLB"]
_EDGES = [each for each in combinations("URFDLB", 2) if "".join(each) not in ("UD", "RL", "FB")]
_CORNERS = [("U", "R", "F"), ("U", "L", "B"), ("D", "L", "B"), ("D", "F", "R")]


@pytest.mark.parametrize("faces", _ALL_FACES + _EDGES + _CORNERS)
def test_a_camera_straight_ahead_sees_just_its_faces(faces):
    view = view_from(straight_viewpoint(faces, "ahead").pinhole, {}, ())
    assert view.names() == {f"{face}{cell}" for face in faces for cell in range(1, 10)}


def test_a_single_face_is_upright_in_the_picture():
    for face in "URFDLB":
        view = view_from(straight_viewpoint((face,), "ahead").pinhole, {}, ())
        middle = {entry.name: np.mean(entry.polygons, axis=(0, 1)) for entry in view.facelet}
        assert middle[f"{face}1"][0] < middle[f"{face}3"][0]
        assert middle[f"{face}1"][1] < middle[f"{face}7"][1]


@pytest.mark.parametrize("faces", [(), ("U", "D"), ("U", "U"), ("R", "F", "L")])
def test_no_camera_sees_opposite_faces(faces):
    with pytest.raises(VisionError):
        straight_viewpoint(faces, "ahead")
