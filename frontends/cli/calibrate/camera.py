"""The verb `calibrate camera`: find where a fixed camera sees each sticker."""

import math
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibration.errors import CalibrationError
from cube.facelets import SOLVED_FACELETS, Facelets
from cube.moves import FACES
from cube.net import WESTERN_SCHEME, has_colours
from cube.state import CubeState
from cube.written.written_cube import WrittenCube
from documents.typed_toml import document_text
from thistlebot.cli import options
from thistlebot.config import Folders
from thistlebot.errors import StoppedError, UsageError
from thistlebot.reading.typed_cube import reading_note
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.measured_file import measured_file, view_file, write_measured
from thistlebot.terminal.screen import Screen

if TYPE_CHECKING:
    from calibration.cameras import CameraCalibration, Point
    from vision.frame import Frame
    from vision.geometry.scene import Ring

Image = Annotated[
    Path | None,
    typer.Option(metavar="IMG", help="Use this picture instead of the camera."),
]
Number = Annotated[int, typer.Option(metavar="N", help="Number of the rig's camera, from 0.")]
State = Annotated[
    str | None,
    typer.Option(
        metavar="FACELETS",
        help="State of the cube in the picture. Default: solved; you then place the cube by eye "
        "or with --point.",
    ),
]
Corner = Annotated[
    str,
    typer.Option(
        metavar="URF",
        help="The three faces that the camera sees, or its only face. Default: as in the rig file.",
    ),
]
CornerPoint = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URF=X,Y",
        help="Position of a corner of the cube in the picture, in pixels from the top left; give "
        "at least four. URF is the corner of the faces up, right and front.",
    ),
]
CouplerRadius = Annotated[
    float | None,
    typer.Option(
        metavar="MM",
        help="Radius of the couplers on the centres; 0 for none. Default: 7.8, or none on a "
        "machine that handles the cube.",
    ),
]
ViewFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="View file to write. Default: the one that the rig file names."
    ),
]
Save = Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for the picture to check.")]
Yes = Annotated[bool, typer.Option("--yes", help="Write without asking.")]


def camera(
    image: Image = None,
    number: Number = 0,
    state: State = None,
    order: options.Order = None,
    corner: Corner = "",
    point: CornerPoint = None,
    coupler_mm: CouplerRadius = None,
    scheme: options.Scheme = None,
    view: ViewFile = None,
    save: Save = None,
    yes: Yes = False,
    rig: options.Rig = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Find a known cube in one picture, and write the place of each sticker into a view file.

    Put a cube into the rig; a scrambled one gives the best result:

    [bold]thistlebot calibrate camera --number 0 --state FACELETS --save look[/]

    Then check the picture, and accept it; or place corners with --point, or in the panel.
    """
    from calibration.cameras import calibrate_camera, how_to_point

    screen = Screen(quiet=json)
    folders = Folders.of_platform()
    typed = WrittenCube(SOLVED_FACELETS) if state is None else WrittenCube.parse(state, order)
    if order is not None and state is None:
        raise UsageError("--order needs --state")
    if note := reading_note(typed):
        screen.note(note)
    shown, colours = typed.facelets, options.parse_scheme(scheme)
    if colours is None:
        known = typed.scheme
        colours = known if known is not None and has_colours(known) else WESTERN_SCHEME
    corner = _sight(corner)
    points = dict(map(_parse_point, point or []))
    asking = not (yes or json)
    if not (asking or points):
        _require_telling(shown, how_to_point(colours, corner))
    with ExitStack() as stack:
        choices = Choices(rig, None, None, tuple(camera or ()), virtual, seed or 0, colours)
        machine = stack.enter_context(open_machine(choices, folders))
        usual = view_file(machine, number)
        target = measured_file(usual, view, virtual=virtual and image is None)
        corner = corner or _known_faces(machine, number)
        rings = _couplers(coupler_mm, bare=machine.rig.handles_cube)
        frame = _look(machine, image, number, shown)
    found = calibrate_camera(
        frame.image, shown, colours, couplers=rings, corner=corner, points=points
    )
    folder = save or (target.parent if target else None)
    _show(screen, frame, found, folder and folder / f"{(target or usual).stem}.png")
    if asking:
        _require_accepted()
    elif found.doubt and not points:
        raise CalibrationError(
            f"{found.doubt}, so nothing was written. {how_to_point(colours, corner)}"
        )
    written = write_measured(target, document_text(found.view))
    screen.line(written.text("--view"))
    if json:
        record = {"view": written.record()["file"], "backup": written.record()["backup"]}
        about = {"faces": found.faces, "agreement": found.agreement}
        typer.echo(to_line(record | about | {"facelets": len(found.view.facelet)}))
    elif target == usual:
        screen.note(f'to use it, the rig file needs: view = "{target.parent.name}/{target.name}"')


def _require_telling(shown: Facelets, advice: str) -> None:
    from calibration.cameras import tells_place

    if not tells_place(shown):
        raise UsageError(
            f"the colours of {shown.text} do not determine the cube's position: it is not "
            f"scrambled enough. {advice}"
        )


def _look(machine: Machine, image: Path | None, number: int, shown: Facelets) -> "Frame":
    from vision.cameras.photo_camera import read_photo

    if image is not None:
        return read_photo(image)
    if machine.choices.virtual:
        machine.world.rig.state = CubeState.from_facelets(shown)
        cameras = machine.world.cameras
        if not 0 <= number < len(cameras):
            raise UsageError(
                f"--number {number}: the virtual rig has {len(cameras)} cameras, numbered from 0"
            )
        return cameras[number].read()
    sources = machine.camera_sources()
    if not 0 <= number < len(sources):
        raise UsageError(f"--number {number}: the rig has {len(sources)} cameras, numbered from 0")
    return machine.open_camera(sources[number]).read()


def _known_faces(machine: Machine, number: int) -> str:
    """Return the corner, or the only face, that a camera sees according to the rig file."""
    cameras = machine.rig.cameras
    seen = "".join(cameras[number].sees) if 0 <= number < len(cameras) else ""
    return _sight(seen) if len(seen) in (1, 3) else ""


def _sight(text: str) -> str:
    """Return the corner, or the only face, that a camera sees; empty for an empty text."""
    alone = text.upper()
    return alone if not alone or alone in tuple(FACES) else _corner(text)


def _couplers(radius_mm: float | None, *, bare: bool) -> "tuple[Ring, ...]":
    from calibration.cameras import USUAL_COUPLER_MM, couplers
    from vision.geometry.scene import HALF_MM

    if radius_mm is None:
        radius_mm = 0.0 if bare else USUAL_COUPLER_MM
    if not 0.0 <= radius_mm <= HALF_MM:
        raise UsageError(
            f"--coupler-mm {radius_mm:g}: the radius must be between 0 and {HALF_MM:g}, half "
            "a cube's side"
        )
    return couplers(radius_mm)


def _parse_point(text: str) -> "tuple[str, Point]":
    name, _, place = text.replace("=", " ", 1).strip().partition(" ")
    try:
        x, y = (float(value) for value in place.replace(",", " ").split())
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise UsageError(f"{text!r} is not a corner and a position; write for example URF=320,240")
    return _corner(name), (x, y)


def _corner(text: str) -> str:
    from calibration.cameras import corner_name

    try:
        return corner_name(text)
    except CalibrationError as error:
        raise UsageError(str(error)) from None


def _show(screen: Screen, frame: "Frame", found: "CameraCalibration", picture: Path | None) -> None:
    from calibration.cameras import corners_in_sight
    from vision.annotate import annotate_view, write_png

    corners = corners_in_sight(found.pose)
    screen.line(f"faces     {' '.join(found.faces)}")
    for corner, (x, y) in corners.items():
        screen.line(f"corner    {corner} {x:.0f} {y:.0f}")
    screen.line(f"colours   {100 * found.agreement:.0f} % of the stickers fit")
    if found.doubt:
        screen.line(f"in doubt  {found.doubt}: check the picture closely")
    if picture is not None:
        write_png(picture, annotate_view(frame, found.view, corners))
        screen.line(f"look at   {picture}")


def _require_accepted() -> None:
    """Ask whether the position is right.

    Raises:
        StoppedError: The user rejected the position.
        UsageError: Nobody is at the terminal.
    """
    try:
        if typer.confirm(
            "are all stickers in their places? write this view", default=True, err=True
        ):
            return
    except typer.Abort:
        if sys.stdin is None or not sys.stdin.isatty():
            raise UsageError(
                "no view was written, because nobody answered: check the picture, then give "
                "--yes to write without asking, or the corners of the cube with --point"
            ) from None
        raise
    raise StoppedError(
        "stopped; no view was written: give the corners of the cube with --point, or drag them in "
        "the panel"
    )
