"""A camera's view, from corners of the cube that the user moves over its picture."""

from msgspec.structs import replace

from calibration.cameras import couplers
from calibration.errors import CalibrationError, PointsError
from calibration.view_points import points_of_view, sight_of, usual_points, view_of_points
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.pieces import CORNERS
from frontends.control.calibrate_commands import MovePoints, OpenView, SaveView
from frontends.control.job_context import JobContext
from frontends.control.jobs.calibrate.telling import pane_now, show_points
from frontends.control.task import CALIBRATE, Jobs, NamedJob
from frontends.control.view_model.calibrate import Point, ViewPoints
from thistlebot.errors import UsageError
from thistlebot.session.machine import Machine
from thistlebot.session.measured_file import save_view as write_view
from vision.geometry.scene import Ring
from vision.geometry.view import View


def open_view(context: JobContext, command: OpenView) -> None:
    """Show the points of a camera, from its view or in the middle of the picture."""
    machine, number = context.machine, command.camera
    views = machine.views()
    if not 0 <= number < len(views):
        raise UsageError(f"camera {number}: there are {len(views)} cameras, numbered from 0")
    view = views[number]
    size, sight = view.image_size, command.sight
    try:
        known = sight_of(view)
    except CalibrationError:
        known = ""
    points: dict[str, Point]
    if known and sight in ("", known) and not command.fresh:
        sight, points = known, points_of_view(view)
    else:
        sight = sight or known or CORNERS[0]
        points = usual_points(sight, size)
    sights = tuple(CORNERS) if len(known) != 1 else tuple(FACES)
    shown = ViewPoints(camera=number, size=size, sight=sight, sights=sights)
    _show_points(context, shown, points)


def move_points(context: JobContext, command: MovePoints) -> None:
    """Make the view from points, and show it or what is wrong with them."""
    shown = pane_now(context).points
    if shown.camera < 0:
        raise UsageError("no camera's view is open: open one first")
    if set(command.points) != set(shown.points):
        raise UsageError(f"the points of this view are {' '.join(shown.points)}")
    _show_points(context, replace(shown, saved=""), command.points)


def save_view(context: JobContext, _command: SaveView) -> None:
    """Write the view to the rig's file, and use it."""
    view, shown = context.calibration.view, pane_now(context).points
    if view is None or not shown.can_save:
        raise UsageError("there is no view to save: move the points until they fit")
    written = write_view(context.machine, shown.camera, view)
    context.calibration.view = None
    show_points(context, replace(shown, can_save=False, saved=str(written.file or "-")))
    if written.file is not None:
        context.reopen()


def _show_points(context: JobContext, shown: ViewPoints, points: dict[str, Point]) -> None:
    scheme = context.machine.scheme or WESTERN_SCHEME
    context.calibration.view = None
    shown = replace(shown, points={name: (float(x), float(y)) for name, (x, y) in points.items()})
    try:
        found = view_of_points(shown.points, shown.size, scheme, _couplers(context.machine, shown))
    except CalibrationError as error:
        empty = replace(shown, polygons=(), worst="", misses_px={}, can_save=False)
        kind, about = "points", ""
        if isinstance(error, PointsError):
            kind, about = error.kind, error.about
        show_points(context, replace(empty, trouble=str(error), trouble_kind=kind, about=about))
        return
    context.calibration.view = found.view
    show_points(
        context,
        replace(
            shown,
            polygons=_polygons(found.view),
            worst=found.worst,
            misses_px={name: round(miss, 1) for name, miss in found.misses_px.items()},
            trouble=found.doubt,
            trouble_kind="worst" if found.worst else "",
            about=found.worst,
            can_save=not found.doubt,
        ),
    )


def _polygons(view: View) -> tuple[tuple[str, tuple[Point, ...]], ...]:
    return tuple(
        (entry.name, tuple((round(x, 1), round(y, 1)) for x, y in polygon))
        for entry in view.facelet
        for polygon in entry.polygons
    )


def _couplers(machine: Machine, shown: ViewPoints) -> tuple[Ring, ...]:
    """Return the covers of the centres: from the present view, or else as in `calibrate camera`."""
    view = machine.views()[shown.camera]
    covered = not machine.rig.handles_cube
    if view.facelet:
        covered = not any(entry.name[1] == "5" for entry in view.facelet)
    return couplers() if covered else ()


VIEW_JOBS: Jobs = {
    OpenView: NamedJob(CALIBRATE, open_view),
    MovePoints: NamedJob(CALIBRATE, move_points),
    SaveView: NamedJob(CALIBRATE, save_view),
}
