"""The geometry of cube, camera and view, against the mathematics of the cube."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import facelet_index, facelet_name
from cube.moves import Move, MoveSequence
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from cube.state import SOLVED
from vision.errors import ViewError, VisionError
from vision.geometry import scene
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import FACE_AXES, TurningFace, blocks, facelet_centre
from vision.geometry.view import FaceletPatches, View

COORDINATES = st.floats(-60.0, 60.0)


def cell_of(facelet):
    """Return the small cube that a facelet sits on, each coordinate -1, 0 or 1."""
    axes = FACE_AXES[facelet_name(facelet)[0]]
    inside = facelet_centre(facelet) - scene.CELL_MM / 2 * np.array(axes.normal)
    return tuple(np.rint(inside / scene.CELL_MM).astype(int))


def test_the_cube_lies_in_space_as_in_the_net():
    for piece in (*CORNER_FACELETS, *EDGE_FACELETS):
        assert len({cell_of(facelet) for facelet in piece}) == 1
    assert len({cell_of(facelet) for piece in CORNER_FACELETS for facelet in piece}) == 8
    for axes in FACE_AXES.values():
        # Seen from outside, right and down make a clockwise quarter: their product points inwards.
        np.testing.assert_array_equal(np.cross(axes.right, axes.down), -np.array(axes.normal))
    (block,) = blocks()
    assert sorted(i for side in block.sides for i in side.facelets) == list(range(54))
    assert blocks(TurningFace("R", 0.0))[0].rotation.tolist() == np.eye(3).tolist()
    for name, side, signs in (("U1", -1.0, (-1, 1, -1)), ("B9", 1.0, (-1, -1, -1))):
        point = scene.facelet_point(facelet_index(name), side, side)
        np.testing.assert_allclose(point, scene.HALF_MM * np.array(signs))


def test_turning_a_layer_in_space_permutes_the_facelets_as_the_move_does():
    """The renderer's clockwise is the solver's clockwise."""
    places = {tuple(np.rint(facelet_centre(i) * 10).astype(int)): i for i in range(54)}
    for face, axes in FACE_AXES.items():
        turned = SOLVED.apply(MoveSequence((Move(face, 1),))).to_facelets()
        _, layer = blocks(TurningFace(face, 90.0))
        carried = {facelet for side in layer.sides for facelet in side.facelets}
        assert len(carried) == 21
        for facelet in carried:
            turn = scene.rotation_about(np.array(axes.normal, dtype=float), -90.0)
            moved = turn @ facelet_centre(facelet)
            np.testing.assert_allclose(layer.rotation @ facelet_centre(facelet), moved, atol=1e-9)
            arrives = places[tuple(np.rint(moved * 10).astype(int))]
            assert turned.text[arrives] == facelet_name(facelet)[0]


@settings(max_examples=25)
@given(COORDINATES, COORDINATES, COORDINATES, st.floats(-180, 180))
def test_a_ray_through_a_points_pixel_meets_the_point(x, y, z, roll_deg):
    pinhole = Pinhole.at((120.0, 90.0, 150.0), roll_deg=roll_deg)
    point = np.array([x, y, z])
    (ray,) = pinhole.rays(pinhole.project(point[None]))
    way = point - pinhole.position_mm
    np.testing.assert_allclose(ray, way / np.linalg.norm(way), atol=1e-9)


def test_impossible_geometry_is_refused():
    for make in (
        lambda: Pinhole.at((0.0, 0.0, 0.0)),
        lambda: Pinhole.at((0.0, 100.0, 0.0)),
    ):
        with pytest.raises(VisionError):
            make()


SQUARE = ((1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0))
SIZE = (64, 48)


def view(*names, centres=None, size=SIZE):
    return View(size, tuple(FaceletPatches(name, (SQUARE,)) for name in names), centres or {})


def test_patches_and_views_that_contradict_themselves_are_refused():
    assert issubclass(ViewError, VisionError)
    for named, *corners in (
        ("U1 ", (1.0, 1.0), (9.0, 1.0), (9.0, 1.0), (1.0, 1.0)),
        ("U1 ", (1.0, 1.0), (9.0, float("nan")), (9.0, 9.0), (1.0, 9.0)),
        ("U1 ", (1.0, 1.0), (9.0, 9.0), (9.0, 1.0), (1.0, 9.0)),
        ("U1 .* 90, 1", (1.0, 1.0), (90.0, 1.0), (9.0, 9.0), (1.0, 9.0)),
    ):
        with pytest.raises(ViewError, match=named):
            View(SIZE, (FaceletPatches("U1", (tuple(corners),)),))
    for make, named in (
        (lambda: view("U0"), "'U0'"),
        (lambda: view("U1", "U1"), "U1"),
        (lambda: view("U1", centres={"X": "red"}), "'X'"),
        (lambda: view("U1", size=(0, 48)), "0.*48"),
        (lambda: FaceletPatches("U1", ()), "U1"),
    ):
        with pytest.raises(ViewError, match=named):
            make()
    corners = ((-0.5, -0.5), (63.5, -0.5), (63.5, 47.5), (-0.5, 47.5))
    assert View(SIZE, (FaceletPatches("U1", (corners,)),)).names() == {"U1"}
