"""Points of a cube in a picture become a view, and a view becomes points."""

import numpy as np
import pytest

from calibration.errors import CalibrationError, PointsError
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
VIEWS = default_views()
POINTS = points_of_view(VIEWS[0])


def made(points, size=SIZE):
    return view_of_points(points, size, WESTERN_SCHEME)


def test_a_corner_shows_seven_points_and_a_face_four():
    assert point_names("URF") == ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB")
    assert point_names("F") == ("URF", "UFL", "DFR", "DLF")
    for wrong in ("", "X", "UD", "URL"):
        with pytest.raises(CalibrationError, match=f"'{wrong}'"):
            point_names(wrong)


def test_the_points_to_begin_with_are_a_cube_in_the_picture():
    sights = ("URF", "DBL", "ULB", "DFR", "U", "R", "F", "D", "L", "B")
    for number, sight in enumerate(sights):
        size = ((640, 480), (1920, 1080), (480, 640))[number % 3]
        usual = usual_points(sight, size)
        assert tuple(usual) == point_names(sight)
        assert all(0 < x < size[0] and 0 < y < size[1] for x, y in usual.values())
        view = made(usual, size)
        assert not view.doubt
        assert sight_of(view.view) == sight
        assert len(view.view.facelet) == 8 * len(sight)  # couplers hide the centres


def test_points_of_a_view_make_the_same_view():
    for view in VIEWS:
        again = made(points_of_view(view))
        assert not again.doubt
        assert {entry.name for entry in again.view.facelet} == view.names()
        known = {entry.name: np.array(entry.polygons).reshape(-1, 2) for entry in view.facelet}
        for entry in again.view.facelet:
            middle = np.array(entry.polygons).reshape(-1, 2).mean(axis=0)
            assert np.linalg.norm(middle - known[entry.name].mean(axis=0)) < 10.0  # of a 45 sticker
    usual = usual_points("L", SIZE)  # a single face goes there and back exactly
    again = points_of_view(made(usual).view)
    for name, place in usual.items():
        assert again[name] == pytest.approx(place, abs=0.1)


def test_the_point_that_does_not_fit_is_named_with_its_miss_but_no_trembling_hand():
    for name in point_names("URF")[::2]:
        x, y = POINTS[name]
        found = made(POINTS | {name: (x + 24.0, y - 10.0)})
        assert found.worst == name
        assert found.misses_px[name] == pytest.approx(26.0, abs=3.0)
        assert {name, f"{found.misses_px[name]:.0f}"} <= set(found.doubt.split())
        assert found.points[name] == pytest.approx((x, y), abs=8.0)
    rng = np.random.default_rng(3)
    assert not made({name: tuple(rng.normal(place, 2.0)) for name, place in POINTS.items()}).doubt


def test_points_that_are_not_those_of_a_cube_are_refused():
    face = usual_points("F", SIZE)
    x, y = np.mean(list(face.values()), axis=0)
    for kind, about, points in (
        ("mirrored", "U", {name: (SIZE[0] - x, y) for name, (x, y) in POINTS.items()}),
        ("crossed", "U", POINTS | {"UFL": POINTS["ULB"], "ULB": POINTS["UFL"]}),
        ("inside", "URF", face | {"URF": (x - 15.0, y + 15.0)}),
    ):
        with pytest.raises(PointsError) as caught:
            made(points)
        assert (caught.value.kind, caught.value.about) == (kind, about)
    with pytest.raises(CalibrationError, match=r"\bURF\b"):
        made(POINTS | {"URF": (float("nan"), 3.0)})
    away = {name: (x + 2000.0, y) for name, (x, y) in usual_points("URF", SIZE).items()}
    six = {name: place for name, place in POINTS.items() if name != "DRB"}
    for points in (six, {}, away):
        with pytest.raises(CalibrationError):
            made(points)
    two = View(SIZE, tuple(entry for entry in VIEWS[0].facelet if entry.name[0] != "U"))
    with pytest.raises(CalibrationError, match=r"\bRF\b"):
        points_of_view(two)
