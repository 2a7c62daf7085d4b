"""The verb `scan`: read a cube from any source, and report how reliable the reading is.

It looks through a rig's cameras, and shows progress while the rig moves the cube.
"""

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cube.facelets import facelets_text
from cube.moves import FACES
from thistlebot.cli import options
from thistlebot.cli.option_rules import require_only, require_with
from thistlebot.config import Folders, load_profile, load_view
from thistlebot.errors import UsageError
from thistlebot.events import Entered, Looked, Phase
from thistlebot.exit_codes import ExitCode, exit_code_of
from thistlebot.reading.readers import PhotoReader, PictureReader
from thistlebot.reading.refusal import refusal
from thistlebot.reading.rig_views import tell_unseen, unseen_stickers
from thistlebot.reading.scan_file import scan_colours
from thistlebot.reading.schemes import known_scheme, require_same_centres
from thistlebot.records import face_record, full_reading_record, reading_record, to_line
from thistlebot.session.choices import Choices
from thistlebot.terminal.screen import Screen
from vision.annotate import save_reading
from vision.cameras.photo_camera import read_photo
from vision.colours.profile import ColourProfile
from vision.decoding.classifiers import CLASSIFIERS, JOINT
from vision.faces.finder import find_face
from vision.frame import Frame
from vision.reading import CubeReading
from vision.timed import timed

if TYPE_CHECKING:
    from thistlebot.reading.reader import Reader
    from thistlebot.reading.rig_reader import RigReader


def read_rig(reader: "RigReader", screen: Screen) -> tuple[CubeReading, tuple[Frame, ...]]:
    """Read the cube, and leave its layers as they were.

    Raises:
        ThistlebotError: A camera or the rig failed.
    """
    from thistlebot.terminal.progress_listener import ProgressListener

    with ProgressListener(screen) as listener:
        listener(Entered(Phase.SCAN))
        reader.on_stop = lambda done, total: listener(Looked(done, total))
        frames = reader.look()
        reading = reader.read(frames)
        reader.return_cube()
    return reading, frames


Images = Annotated[
    list[Path] | None,
    typer.Argument(metavar="IMG", help="More pictures for --face or --frame."),
]
Photos = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Photos named by face: U.jpg, R.jpg …; U2.jpg is a second photo of U."
    ),
]
Face = Annotated[
    list[Path] | None, typer.Option(metavar="IMG", help="Find a face in each picture.")
]
Frames = Annotated[
    list[Path] | None,
    typer.Option(metavar="IMG", help="Pictures from fixed cameras; needs --view."),
]
Views = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="View file: which polygons show which facelets."),
]
Rgb = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Sampled colours, one cube per line.")
]


def _classifier_named(name: str) -> str:
    if name not in CLASSIFIERS:
        raise UsageError(f"there is no classifier {name!r}: choose one of {', '.join(CLASSIFIERS)}")
    return name


Classify = Annotated[
    str,
    typer.Option(
        metavar=f"[{'|'.join(CLASSIFIERS.built_in)}]",
        parser=_classifier_named,
        help="joint: fit colours, light and cube together. kmeans: cluster the colours, then "
        "apply the laws of the cube; a simple pipeline for comparison.",
    ),
]
_READ = ("profile", "scheme", "save")
# What each source of pictures can honour; without a name, the rig's cameras or a webcam.
_HONOURED = {
    "photos": (*_READ, "photos", "any_orientation", "any_order", "classifier"),
    "face": ("face", "images"),
    "frame": (*_READ, "frame", "images", "view"),
    "rgb": ("rgb", "profile", "scheme", "any_orientation", "any_order", "classifier"),
    "hand": (*_READ, "hand", "rig", "camera", "any_order"),
    "": (*_READ, "rig", "camera", "virtual", "seed"),
}


def scan(
    context: typer.Context,
    images: Images = None,
    photos: Photos = None,
    face: Face = None,
    frame: Frames = None,
    view: Views = None,
    rgb: Rgb = None,
    hand: options.Hand = False,
    any_orientation: options.AnyOrientation = False,
    any_order: options.AnyOrder = False,
    cube: options.CubeSize = 3,
    classifier: Classify = JOINT,
    save: options.Save = None,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Read a cube and report how reliable the reading is.

    [bold]thistlebot scan[/]                               face by face, by hand
    [bold]thistlebot scan --photos DIR[/]                  photos named by face
    [bold]thistlebot scan --photos DIR --any-order[/]      six photos in any order
    [bold]thistlebot scan --face a.jpg b.jpg[/]            find single faces
    [bold]thistlebot scan --frame f.png --view v.toml[/]   pictures from fixed cameras
    [bold]thistlebot scan --rgb scans.jsonl --json[/]      sampled colours
    [bold]thistlebot scan --cube 2 --photos DIR[/]         a pocket cube

    With a rig file (--rig, or ./rig.toml), the rig's fixed cameras read the cube.
    """
    screen, folders = Screen(quiet=json), Folders.of_platform()
    source = _chosen(photos=photos, face=face, frame=frame, rgb=rgb, hand=hand or None)
    _require_together(context, source)
    if cube == 2:
        from thistlebot.terminal.pocket_scan import scan_pocket

        raise typer.Exit(scan_pocket(photos, rgb, as_json=json))
    colours, told = load_profile(profile, folders), options.parse_scheme(scheme)
    known_scheme(told, colours)  # they must not contradict each other
    if rgb is not None:
        read = partial(timed(CLASSIFIERS[classifier]), profile=colours, scheme=told)
        if classifier == JOINT:
            read = partial(read, any_orientation=any_orientation, any_order=any_order)
        raise typer.Exit(scan_colours(rgb, read, as_json=json))
    if source == "face":
        raise typer.Exit(_scan_faces([*(face or ()), *(images or ())], as_json=json))
    report = partial(_report, screen, save, as_json=json)
    if source == "frame":
        files = [*(frame or ()), *(images or ())]
        report(*_read(_frame_reader(files, view or [], colours, told, screen)))
    elif photos is not None:
        reader = PhotoReader(
            photos,
            colours,
            any_orientation=any_orientation,
            any_order=any_order,
            classifier=classifier,
            scheme=told,
        )
        report(*_read(reader))
    else:
        choices = Choices(rig, profile, None, tuple(camera or ()), virtual, seed or 0, told)
        report(*_read_live(choices, folders, screen, hand=hand, any_order=any_order))


def _chosen(**sources: object) -> str:
    chosen = [name for name, value in sources.items() if value]
    if len(chosen) > 1:
        raise UsageError(f"--{chosen[0]} and --{chosen[1]} are two sources; give one of them")
    return chosen[0] if chosen else ""


def _require_together(context: typer.Context, source: str) -> None:
    """Refuse options that do not apply to the source of the pictures.

    Raises:
        UsageError: The message names the options.
    """
    if context.params["images"] and source not in ("face", "frame"):
        raise UsageError("pictures need an option before them: --face or --frame")
    chosen = context.params
    if chosen["cube"] == 2:
        require_only(context, "--cube 2", ("cube", "photos", "rgb", "json"))
    turned = source in ("photos", "rgb")
    if chosen["classifier"] != JOINT:
        require_with(context, ("classifier", "--photos or --rgb", turned))
        if chosen["any_orientation"] or chosen["any_order"]:
            raise UsageError(
                f"--classifier {chosen['classifier']} reads upright faces in order: leave "
                "--any-orientation and --any-order out"
            )
    require_with(
        context,
        ("any_orientation", "--photos or --rgb", turned),
        ("any_order", "--photos, --rgb or --hand", turned or source == "hand"),
        ("view", "--frame", source == "frame"),
        ("seed", "--virtual", chosen["virtual"]),
        ("camera", "a real camera, without --virtual", not chosen["virtual"]),
    )
    way = f"--{source}" if source else "a live camera"
    require_only(context, way, ("cube", "json", *_HONOURED[source]))


def _scan_faces(files: list[Path], *, as_json: bool) -> int:
    found = 0
    for file in files:
        picture = read_photo(file)
        begin = time.perf_counter()
        face = find_face(picture.image)
        elapsed_ms = (time.perf_counter() - begin) * 1000
        found += face is not None
        if as_json:
            typer.echo(to_line(face_record(str(file), face, elapsed_ms)))
        elif face is None:
            typer.echo(f"{file}: no face found")
        else:
            stickers = [f"{one.colour or '?'} {one.confidence:.2f}" for one in face.stickers]
            rows = (", ".join(stickers[i : i + 3]) for i in (0, 3, 6))
            typer.echo(f"{file}: {' / '.join(rows)}")
    return ExitCode.DONE if found else ExitCode.MISREAD


def _frame_reader(
    files: list[Path],
    views: list[Path],
    profile: ColourProfile | None,
    scheme: Mapping[str, str] | None,
    screen: Screen,
) -> PictureReader:
    if not views:
        raise UsageError("--frame needs --view FILE, which defines where the facelets are")
    loaded = [load_view(path) for path in views]
    require_same_centres(scheme, loaded)
    if unseen := unseen_stickers(loaded, scheme):
        screen.note(f"no view shows {facelets_text(unseen)}; add a --frame and --view for them")
    return PictureReader(files, loaded, profile, scheme)


def _read(reader: "Reader") -> tuple[CubeReading, tuple[Frame, ...]]:
    frames = reader.look()
    return reader.read(frames), frames


def _read_live(
    choices: Choices, folders: Folders, screen: Screen, *, hand: bool, any_order: bool
) -> tuple[CubeReading, tuple[Frame, ...]]:
    """Read the cube with the rig's cameras, or from faces that a person shows to a webcam."""
    from thistlebot.session.machine import open_machine
    from thistlebot.terminal.hand_scan import HandReader

    with open_machine(choices, folders) as machine:
        if machine.choices.virtual or (machine.has_rig_file and not hand):
            tell_unseen(machine.unseen_stickers(), screen.note)
            return read_rig(machine.view_reader(), screen)
        return _read(HandReader(machine, screen, any_order=any_order))


def _report(
    screen: Screen,
    save: Path | None,
    reading: CubeReading,
    frames: tuple[Frame, ...],
    *,
    as_json: bool,
) -> None:
    """Print the reading, save its pictures, and exit with code 3 if it is not accepted."""
    if save is not None:
        for file in save_reading(save, "scan", frames, reading):
            screen.note(f"wrote {file}")
    if as_json:
        typer.echo(
            to_line(
                reading_record(reading, stickers=len(frames) in (1, 2) or len(frames) >= len(FACES))
            )
        )
        if not reading.accepted:
            raise typer.Exit(exit_code_of(refusal(reading)))
        return
    screen.reading(full_reading_record(reading))
    if not reading.accepted:
        raise refusal(reading)
