"""A camera's view by points, as a page moves them."""

import pytest

from frontends.control.commands import MovePoints, OpenView, SaveView
from frontends.control.view_model.calibrate import ViewPoints


def shown(setup, command) -> ViewPoints:
    """Do what is commanded, and return the points that are shown then."""
    setup.do(command)
    return setup.pane.points


def test_the_points_of_a_view_are_shown_with_its_patches_or_begin_afresh(workshop) -> None:
    setup = workshop()
    points = shown(setup, OpenView(0))
    assert (points.camera, points.sight, points.size) == (0, "URF", (640, 480))
    assert len(points.points) == 7
    assert {name for name, _ in points.polygons} >= {"U1", "R1", "F9"}
    assert (points.trouble, points.worst, points.can_save) == ("", "", True)
    points = shown(setup, OpenView(0, "DBL"))
    assert points.sight == "DBL"
    assert "DBL" in points.points
    setup.do(OpenView(0, "URF", fresh=True))
    assert setup.pane.points.points["URF"] == pytest.approx((319.5, 239.5), abs=2.0)


def test_moved_points_are_judged_and_what_is_not_open_or_mirrored_is_refused(workshop) -> None:
    setup = workshop()
    assert setup.refused(MovePoints({"URF": (1.0, 2.0)}))
    assert "2" in setup.refused(OpenView(7))
    points = shown(setup, OpenView(1)).points
    name, (x, y) = next(iter(points.items()))
    moved = shown(setup, MovePoints({**points, name: (x + 30.0, y)}))
    assert moved.worst == name
    assert moved.misses_px[name] > 20
    assert name in moved.trouble
    assert not moved.can_save
    assert setup.refused(SaveView())
    assert shown(setup, MovePoints(points)).can_save
    points = shown(setup, OpenView(0)).points
    assert "URF UFL" in setup.refused(MovePoints({"URF": (1.0, 2.0)}))
    mirrored = {name: (640.0 - x, y) for name, (x, y) in points.items()}
    found = shown(setup, MovePoints(mirrored))
    assert found.trouble
    assert found.points == mirrored
    assert found.polygons == ()
