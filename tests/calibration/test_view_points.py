"""Points of a cube in a picture become a view, and a view becomes points."""

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.view_points import (
    point_names,
    points_of_view,
    sight_of,
    usual_points,
    view_of_points,
)
from cube.net import WESTERN_SCHEME
from vision.geometry.view import View
from vision.virtual.viewpoints import default_views

SIZE = (640, 480)


def made(points, size=SIZE):
    return view_of_points(points, size, WESTERN_SCHEME)


@pytest.fixture
def points():
    return points_of_view(default_views()[0])


def test_a_corner_shows_seven_points_and_a_face_four():
    assert point_names("URF") == ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB")
    assert point_names("F") == ("URF", "UFL", "DFR", "DLF")
    for wrong in ("", "X", "UD", "URL"):
        with pytest.raises(CalibrationError, match="is no corner"):
            point_names(wrong)


@pytest.mark.parametrize("sight", ["URF", "DBL", "ULB", "DFR", "U", "R", "F", "D", "L", "B"])
@pytest.mark.parametrize("size", [(640, 480), (1920, 1080), (480, 640)])
def test_the_points_to_begin_with_are_a_cube_in_the_picture(sight, size):
    usual = usual_points(sight, size)
    assert tuple(usual) == point_names(sight)
    assert all(0 < x < size[0] and 0 < y < size[1] for x, y in usual.values())
    view = made(usual, size)
    assert not view.doubt
    assert sight_of(view.view) == sight
    assert len(view.view.facelet) == 8 * len(sight)  # couplers hide the centres


def test_faces_to_begin_with_stand_upright():
    face = usual_points("F", SIZE)
    assert face["UFL"][0] < face["URF"][0]
    assert face["UFL"][1] < face["DLF"][1]
    corner = usual_points("URF", SIZE)
    assert min(corner, key=lambda name: corner[name][1]) == "ULB"


@pytest.mark.parametrize("number", [0, 1])
def test_points_of_a_view_make_the_same_view(number):
    view = default_views()[number]
    again = made(points_of_view(view))
    assert not again.doubt
    assert {entry.name for entry in again.view.facelet} == view.names()
    known = {entry.name: np.array(entry.polygons).reshape(-1, 2) for entry in view.facelet}
    for entry in again.view.facelet:
        middle = np.array(entry.polygons).reshape(-1, 2).mean(axis=0)
        assert np.linalg.norm(middle - known[entry.name].mean(axis=0)) < 10.0  # of 45 a sticker


def test_a_single_face_goes_there_and_back_exactly():
    usual = usual_points("L", SIZE)
    again = points_of_view(made(usual).view)
    for name, place in usual.items():
        assert again[name] == pytest.approx(place, abs=0.1)


@pytest.mark.parametrize("name", point_names("URF"))
def test_the_point_that_does_not_fit_is_named_with_its_miss(points, name):
    x, y = points[name]
    found = made(points | {name: (x + 24.0, y - 10.0)})
    assert found.worst == name
    assert found.misses_px[name] == pytest.approx(26.0, abs=3.0)
    assert f"the corner {name} does not fit the others: it lies 2" in found.doubt
    assert found.points[name] == pytest.approx((x, y), abs=8.0)


def test_a_hand_that_trembles_is_no_trouble(points):
    rng = np.random.default_rng(3)
    trembling = {name: tuple(rng.normal(place, 2.0)) for name, place in points.items()}
    assert not made(trembling).doubt


def test_a_mirrored_picture_is_refused(points):
    mirrored = {name: (SIZE[0] - x, y) for name, (x, y) in points.items()}
    with pytest.raises(
        CalibrationError, match="face U is mirrored: seen from outside, its corners"
    ):
        made(mirrored)


def test_exchanged_points_are_refused(points):
    crossed = points | {"UFL": points["ULB"], "ULB": points["UFL"]}
    with pytest.raises(CalibrationError, match="the lines of face U cross"):
        made(crossed)


def test_a_point_inside_its_face_is_refused():
    usual = usual_points("F", SIZE)
    x, y = np.mean(list(usual.values()), axis=0)
    with pytest.raises(CalibrationError, match=r"the corner URF lies inside the other three"):
        made(usual | {"URF": (x - 15.0, y + 15.0)})


def test_points_that_are_not_those_of_one_camera_are_refused(points):
    with pytest.raises(CalibrationError, match="give the seven corners"):
        made({name: place for name, place in points.items() if name != "DRB"})
    with pytest.raises(CalibrationError, match="the corner URF is no pixel"):
        made(points | {"URF": (float("nan"), 3.0)})
    with pytest.raises(CalibrationError, match="one face"):
        made({})


def test_points_outside_the_picture_leave_no_sticker():
    away = {name: (x + 2000.0, y) for name, (x, y) in usual_points("URF", SIZE).items()}
    with pytest.raises(CalibrationError, match=r"no sticker|no camera|cannot be seen"):
        made(away)


def test_a_view_of_two_faces_has_no_points():
    view = default_views()[0]
    two = View(view.image_size, tuple(e for e in view.facelet if e.name[0] != "U"))
    with pytest.raises(CalibrationError, match="the view shows the faces RF"):
        points_of_view(two)
