"""A camera's view by points, as a page moves them."""

import pytest

from frontends.control.commands import MovePoints, OpenView, SaveView
from frontends.control.view_model.calibrate import ViewPoints
from thistlebot.config import Folders, load_view
from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine
from thistlebot.session.rig_files import save_view
from vision.virtual.viewpoints import default_views


def shown(setup, command) -> ViewPoints:
    """Do what is commanded, and return the points that are shown then."""
    setup.do(command)
    return setup.pane.points


def test_the_points_of_a_view_are_shown_with_its_patches(workshop) -> None:
    points = shown(workshop(), OpenView(0))
    assert (points.camera, points.sight, points.size) == (0, "URF", (640, 480))
    assert len(points.points) == 7
    assert {name for name, _ in points.polygons} >= {"U1", "R1", "F9"}
    assert (points.trouble, points.worst, points.can_save) == ("", "", True)


def test_a_moved_point_is_judged(workshop) -> None:
    setup = workshop()
    points = shown(setup, OpenView(1)).points
    name, (x, y) = next(iter(points.items()))
    moved = shown(setup, MovePoints({**points, name: (x + 30.0, y)}))
    assert moved.worst == name
    assert moved.misses_px[name] > 20
    assert name in moved.trouble
    assert not moved.can_save
    assert setup.refused(SaveView())
    assert shown(setup, MovePoints(points)).can_save


def test_a_mirrored_view_is_refused_and_its_points_stay(workshop) -> None:
    setup = workshop()
    points = shown(setup, OpenView(0)).points
    mirrored = {name: (640.0 - x, y) for name, (x, y) in points.items()}
    found = shown(setup, MovePoints(mirrored))
    assert found.trouble
    assert found.points == mirrored
    assert found.polygons == ()


def test_points_can_begin_afresh_for_another_corner(workshop) -> None:
    setup = workshop()
    points = shown(setup, OpenView(0, "DBL"))
    assert points.sight == "DBL"
    assert "DBL" in points.points
    setup.do(OpenView(0, "URF", fresh=True))
    assert setup.pane.points.points["URF"] == pytest.approx((319.5, 239.5), abs=2.0)


def test_what_is_not_open_is_refused(workshop) -> None:
    setup = workshop()
    assert setup.refused(MovePoints({"URF": (1.0, 2.0)}))
    assert "2" in setup.refused(OpenView(7))
    setup.do(OpenView(0))
    assert "URF UFL" in setup.refused(MovePoints({"URF": (1.0, 2.0)}))


def test_a_real_view_is_written_where_the_rig_names_it() -> None:
    folders = Folders.of_platform()
    with open_machine(Choices(), folders) as machine:
        written = save_view(machine, 0, default_views()[0])
    assert written.file is not None
    assert written.file.is_relative_to(folders.config)
    assert load_view(written.file).names() == default_views()[0].names()
