"""The group `calibrate …`, and its verbs about colours: measure them, and compare their pairs."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from calibration.colours import measured_profile
from calibration.pair_scores import LEAST_SCORE, PairScore, advice, failed_pairs, pair_scores
from cube.facelets import SOLVED_FACELETS
from cube.net import WESTERN_SCHEME
from documents.typed_toml import document_text
from frontends.cli.calibrate.camera import camera
from frontends.cli.calibrate.motors import motors
from thistlebot.cli import options
from thistlebot.config import Folders, load_profile
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.readers import PhotoReader
from thistlebot.records import to_line
from thistlebot.session.bench import MachineObserver
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.measured_file import measured_file, write_measured
from thistlebot.terminal.hand_scan import scan_by_hand
from thistlebot.terminal.screen import Screen
from vision.annotate import save_reading
from vision.colours.profile import ColourProfile
from vision.frame import Frame
from vision.reading import CubeReading

_GOOD, _BAD = "", "!"


def check(profile: options.Profile = "default", json: options.Json = False) -> None:
    """Check, pair by pair, whether the colours of a profile can be told apart.

    A pair's score is the distance between the two colours, in units of the usual spread of their
    stickers; it passes at 3 or more. No camera is opened. The exit code is 3 if a pair fails.

    [bold]thistlebot calibrate check --profile office[/]
    """
    screen = Screen(quiet=json)
    known = load_profile(profile or "default", Folders.of_platform())
    assert known is not None  # it has a name
    scores = pair_scores(known)
    if json:
        record = {"profile": known.name, "passed": not failed_pairs(scores)}
        typer.echo(to_line(record | {"pairs": [each.record() for each in scores]}))
    _show_pairs(screen, scores)
    if failed_pairs(scores):
        raise typer.Exit(ExitCode.MISREAD)


def colours(
    photos: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Six photos of the solved cube, named by face."),
    ] = None,
    hand: options.Hand = False,
    scheme: options.Scheme = None,
    save: options.Save = None,
    profile: options.Profile = "default",
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File to write. Default: the file of the profile; none with --virtual.",
        ),
    ] = None,
    rig: options.Rig = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Measure the six colours of a solved cube in your light, and write a profile.

    Put a solved cube into the rig (or show its six faces to a webcam), then:

    [bold]thistlebot calibrate colours --profile office[/]

    To use the profile: [bold]thistlebot solve --profile office[/].
    """
    screen = Screen(quiet=json)
    folders = Folders.of_platform()
    name = Path(profile or "default").name.removesuffix(".toml")
    usual = folders.profile_file(profile or "default")
    target = measured_file(usual, output, virtual=virtual and photos is None)
    told = options.parse_scheme(scheme)
    scheme_of_faces = told or WESTERN_SCHEME
    choices = Choices(rig, None, port, tuple(camera or ()), virtual, seed or 0, told)
    with open_machine(choices, folders) as machine, ExitStack() as stack:
        reading, frames = _look(machine, photos, stack, screen, hand=hand)
    if save is not None:
        for file in save_reading(save, "calibration", frames, reading):
            screen.note(f"wrote {file}")
    made = measured_profile(reading, scheme_of_faces, name)
    scores = pair_scores(made)
    written = write_measured(target, document_text(made))
    if json:
        record: dict[str, object] = {"profile": made.name, "colours": made.colours}
        pairs = [each.record() for each in scores]
        typer.echo(to_line(record | written.record() | {"pairs": pairs}))
    _show(screen, made)
    _show_pairs(screen, scores)
    screen.line(written.text())


def _look(
    machine: Machine, photos: Path | None, stack: ExitStack, screen: Screen, *, hand: bool
) -> tuple[CubeReading, tuple[Frame, ...]]:
    if photos is not None:
        photo_reader = PhotoReader(photos, None, scheme=machine.scheme)
        frames = photo_reader.look()
        return photo_reader.read(frames), frames
    if not machine.choices.virtual and (hand or not machine.has_rig_file):
        sources = machine.camera_sources()
        webcam = stack.enter_context(machine.open_camera(sources[0] if sources else 0))
        return scan_by_hand(webcam, None, screen, machine.scheme, until_sure=False)
    look = MachineObserver(machine).solved()
    return look.reading, look.frames


def _show(screen: Screen, profile: ColourProfile) -> None:
    screen.net(SOLVED_FACELETS, profile.scheme)
    for face, (lightness, a, b) in profile.colours.items():
        spread = profile.spread.get(face, 0.0)
        screen.line(
            f"{face} {profile.scheme[face]:<7} L {lightness:5.1f}  a {a:6.1f}  b {b:6.1f}  "
            f"spread {spread:.1f}"
        )


def _show_pairs(screen: Screen, scores: tuple[PairScore, ...]) -> None:
    """Print the fifteen scores as a triangle; marks and words repeat the meaning of colours.

    Args:
        screen: The screen.
        scores: From `calibration.pair_scores.pair_scores`.
    """
    names: dict[str, str] = {}
    by_faces: dict[tuple[str, str], PairScore | None] = {}
    for score in scores:
        names |= zip(score.faces, score.colours, strict=True)
        by_faces[score.faces] = score
    faces = list(names)
    width = max(map(len, names.values())) + 2
    head = "".join(f"{names[face]:>{width}}" for face in faces[1:])
    screen.line(f"pairs     {'':<{width}}{head}")
    for row, first in enumerate(faces[:-1]):
        line = Text(f"          {names[first]:<{width}}")
        for second in faces[1:]:
            known = by_faces.get((first, second)) if faces.index(second) > row else None
            line.append_text(_cell(known, width))
        line.rstrip()
        screen.out.print(line)
    failed = failed_pairs(scores)
    if failed:
        screen.problem(f"{_BAD} {advice(failed)}")
    else:
        worst = min(scores, key=lambda each: each.score)
        screen.line(
            f"pass      every pair scores {LEAST_SCORE:g} or more; the closest are "
            f"{worst.colours[0]} and {worst.colours[1]}, {worst.score:.1f}"
        )


def _cell(each: PairScore | None, width: int) -> Text:
    if each is None:
        return Text(" " * width)
    mark, style = (_GOOD, "green") if each.passed else (_BAD, "bold red")
    return Text(f"{mark}{each.score:.1f}".rjust(width), style=style)


VERBS = {"colours": colours, "camera": camera, "motors": motors, "check": check}
"""The verbs of the group."""
