"""A camera's view by points, as a page moves them."""

import pytest

from thistlebot.config import Folders, load_view
from thistlebot.control.calibrate_commands import MovePoints, OpenView, SaveView
from thistlebot.measuring.rig_files import save_view
from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine
from vision.virtual.viewpoints import default_views


def test_the_points_of_a_view_are_shown_with_its_patches(workshop) -> None:
    points = workshop().do(OpenView(0)).points
    assert (points.camera, points.sight, points.size) == (0, "URF", (640, 480))
    assert len(points.points) == 7
    assert {name for name, _ in points.polygons} >= {"U1", "R1", "F9"}
    assert (points.trouble, points.worst, points.can_save) == ("", "", True)


def test_a_moved_point_is_judged(workshop) -> None:
    shop = workshop()
    points = shop.do(OpenView(1)).points.points
    name, (x, y) = next(iter(points.items()))
    moved = shop.do(MovePoints({**points, name: (x + 30.0, y)})).points
    assert moved.worst == name
    assert moved.misses_px[name] > 20
    assert f"the corner {name} does not fit" in moved.trouble
    assert not moved.can_save
    shop.do(SaveView())
    assert "move the points until they fit" in shop.view.notes[-1]
    assert shop.do(MovePoints(points)).points.can_save


def test_a_mirrored_view_is_refused_and_its_points_stay(workshop) -> None:
    shop = workshop()
    points = shop.do(OpenView(0)).points.points
    mirrored = {name: (640.0 - x, y) for name, (x, y) in points.items()}
    shown = shop.do(MovePoints(mirrored)).points
    assert "mirrored" in shown.trouble
    assert shown.points == mirrored
    assert shown.polygons == ()


def test_a_virtual_view_is_not_kept(workshop) -> None:
    shop = workshop()
    shop.do(OpenView(0))
    saved = shop.do(SaveView()).points
    assert (saved.saved, saved.can_save) == ("-", False)
    assert not shop.pane.keeps


def test_points_can_begin_afresh_for_another_corner(workshop) -> None:
    shop = workshop()
    points = shop.do(OpenView(0, "DBL")).points
    assert points.sight == "DBL"
    assert "DBL" in points.points
    shop.do(OpenView(0, "URF", fresh=True))
    assert shop.pane.points.points["URF"] == pytest.approx((319.5, 239.5), abs=2.0)


def test_what_is_not_open_is_refused(workshop) -> None:
    shop = workshop()
    shop.do(MovePoints({"URF": (1.0, 2.0)}))
    assert "open one first" in shop.view.notes[-1]
    shop.do(OpenView(7))
    assert "there are 2 cameras" in shop.view.notes[-1]
    shop.do(OpenView(0))
    shop.do(MovePoints({"URF": (1.0, 2.0)}))
    assert "the points of this view are URF UFL" in shop.view.notes[-1]


def test_a_real_view_is_written_where_the_rig_names_it() -> None:
    folders = Folders.of_platform()
    with open_machine(Choices(), folders) as machine:
        written = save_view(machine, 0, default_views()[0])
    assert written.file is not None
    assert written.file.is_relative_to(folders.config)
    assert load_view(written.file).names() == default_views()[0].names()
