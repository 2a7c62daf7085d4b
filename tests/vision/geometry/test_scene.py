"""The geometry of cube and camera, against the mathematics of the cube and of projection."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import facelet_index, facelet_name
from cube.moves import Move, MoveSequence
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from cube.state import SOLVED
from vision.errors import VisionError
from vision.geometry.pinhole import Pinhole, camera_matrix
from vision.geometry.scene import (
    CELL_MM,
    FACE_AXES,
    HALF_MM,
    STICKERED,
    STICKERLESS,
    CubeStyle,
    Turn,
    blocks,
    facelet_centre,
    facelet_point,
    rotation_about,
    sticker_outline,
)

COORDINATES = st.floats(-60.0, 60.0)


def cell_of(facelet):
    """Return the small cube that a facelet sits on, each coordinate -1, 0 or 1."""
    axes = FACE_AXES[facelet_name(facelet)[0]]
    inside = facelet_centre(facelet) - CELL_MM / 2 * np.array(axes.normal)
    return tuple(np.rint(inside / CELL_MM).astype(int))


def test_the_cube_lies_in_space_as_in_the_net():
    for piece in (*CORNER_FACELETS, *EDGE_FACELETS):
        assert len({cell_of(facelet) for facelet in piece}) == 1
    assert len({cell_of(facelet) for piece in CORNER_FACELETS for facelet in piece}) == 8
    for axes in FACE_AXES.values():
        # Seen from outside, right and down make a clockwise quarter: their product points inwards.
        np.testing.assert_array_equal(np.cross(axes.right, axes.down), -np.array(axes.normal))
    (block,) = blocks()
    assert sorted(i for side in block.sides for i in side.facelets) == list(range(54))
    assert blocks(Turn("R", 0.0))[0].rotation.tolist() == np.eye(3).tolist()
    for name, side, signs in (("U1", -1.0, (-1, 1, -1)), ("B9", 1.0, (-1, -1, -1))):
        point = facelet_point(facelet_index(name), side, side)
        np.testing.assert_allclose(point, HALF_MM * np.array(signs))


def test_turning_a_layer_in_space_permutes_the_facelets_as_the_move_does():
    """The renderer's clockwise is the solver's clockwise."""
    places = {tuple(np.rint(facelet_centre(i) * 10).astype(int)): i for i in range(54)}
    for face, axes in FACE_AXES.items():
        turned = SOLVED.apply(MoveSequence((Move(face, 1),))).to_facelets()
        _, layer = blocks(Turn(face, 90.0))
        carried = {facelet for side in layer.sides for facelet in side.facelets}
        assert len(carried) == 21
        for facelet in carried:
            turn = rotation_about(np.array(axes.normal, dtype=float), -90.0)
            moved = turn @ facelet_centre(facelet)
            np.testing.assert_allclose(layer.rotation @ facelet_centre(facelet), moved, atol=1e-9)
            arrives = places[tuple(np.rint(moved * 10).astype(int))]
            assert turned.text[arrives] == facelet_name(facelet)[0]


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
def test_stickers_stay_in_their_cell_and_cover_most_of_it(style):
    for facelet in range(54):
        axes = FACE_AXES[facelet_name(facelet)[0]]
        local = sticker_outline(facelet, style) - facelet_centre(facelet)
        x, y = local @ np.array(axes.right), local @ np.array(axes.down)
        assert np.abs(local @ np.array(axes.normal)).max() < 1e-9
        assert max(np.abs(x).max(), np.abs(y).max()) <= CELL_MM / 2
        area = 0.5 * (x * np.roll(y, -1) - np.roll(x, -1) * y).sum()
        assert 0.72 * CELL_MM**2 < area < CELL_MM**2  # positive: clockwise, as y runs down


@settings(max_examples=25)
@given(COORDINATES, COORDINATES, COORDINATES, st.floats(-180, 180))
def test_a_ray_through_a_points_pixel_meets_the_point(x, y, z, roll_deg):
    pinhole = Pinhole((120.0, 90.0, 150.0), roll_deg=roll_deg)
    point = np.array([x, y, z])
    (ray,) = pinhole.rays(pinhole.project(point[None]))
    way = point - pinhole.position_mm
    np.testing.assert_allclose(ray, way / np.linalg.norm(way), atol=1e-9)


def test_the_target_is_in_the_middle_and_up_is_up():
    pinhole = Pinhole((0.0, 0.0, 300.0), focal_px=600.0)
    middle, above, right = pinhole.project([(0, 0, 0), (0, 10, 0), (10, 0, 0)])
    np.testing.assert_allclose(middle, (319.5, 239.5))
    np.testing.assert_allclose(above - middle, (0.0, -20.0), atol=1e-9)
    np.testing.assert_allclose(right - middle, (20.0, 0.0), atol=1e-9)
    for size in ((640, 480), (97, 61), (1, 1)):  # in the middle between first and last pixel
        middle = np.mean([(0, 0), (size[0] - 1, size[1] - 1)], axis=0)
        assert (camera_matrix(600.0, size) @ (0.0, 0.0, 1.0)).tolist() == [*middle, 1.0]
        camera = Pinhole((90.0, 69.0, 127.0), (2.0, 3.0, 4.0), size=size, roll_deg=9.0)
        assert np.allclose(camera.project([(2.0, 3.0, 4.0)]), middle)


def test_impossible_geometry_is_refused():
    for make in (
        lambda: Pinhole((0.0, 0.0, 0.0)),
        lambda: Pinhole((0.0, 100.0, 0.0)),
        lambda: Pinhole((0.0, 0.0, 100.0), focal_px=0.0),
        lambda: Pinhole((0.0, 0.0, 100.0)).project([(0, 0, 100.0)]),
        lambda: CubeStyle(0.5, 0.1, 0.1, (0, 0, 0)),
        lambda: Turn("X", 3.0),
    ):
        with pytest.raises(VisionError):
            make()
