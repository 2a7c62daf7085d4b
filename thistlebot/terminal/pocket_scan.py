"""Reads 2×2×2 cubes: from photos, from sampled colours, or as a person shows them to a webcam."""

import math
from pathlib import Path

import numpy as np
import typer

from cube.moves import FACES
from thistlebot.errors import StoppedError, UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.scan_file import scan_lines
from thistlebot.records import to_line
from thistlebot.terminal.hand_scan import ScanView
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from vision.cameras.camera import Camera
from vision.cameras.photo_camera import photos_by_face, read_photo
from vision.colours.sticker_colours import StickerColours
from vision.errors import NoFaceError
from vision.geometry.sampling import sample_polygons
from vision.pocket.capture import PocketScan, looks_alike
from vision.pocket.cube_size import look_3x3x3
from vision.pocket.decoding import PocketReading, decode_pocket
from vision.pocket.faces import find_pocket_face
from vision.timed import timed

POCKET_STICKERS = 24
# Number of faces that reveal the size of the cube.
_TELLING = 3
# A user who turns the cube anticlockwise shows the left face instead of the right one.
_OTHER_WAY = "ULFDRB"
_KEYS = "space: capture now   R: start over   q: quit"


def scan_pocket(photos: Path | None, rgb: Path | None, *, as_json: bool) -> int:
    """Read 2×2×2 cubes and print one line for each.

    Returns:
        The exit code: 0 if a reading was accepted, 3 if none was, 2 if a line is not a scan.

    Raises:
        UsageError: There is no source, its file contains no scan, or the photos show a 3×3×3 cube.
        NoFaceError: A photo shows no face of a 2×2×2 cube.
    """

    def told(colours: StickerColours) -> tuple[bool, str]:
        reading = timed(decode_pocket)(colours)
        return reading.accepted, _pocket_line(reading, as_json=as_json)

    if rgb is not None:
        return scan_lines(rgb, told, POCKET_STICKERS, as_json=as_json)
    if photos is None:
        raise UsageError("--cube 2 needs --photos DIR or --rgb FILE")
    accepted, line = told(_photo_colours(photos))
    typer.echo(line)
    return ExitCode.DONE if accepted else ExitCode.MISREAD


def _pocket_line(reading: PocketReading, *, as_json: bool) -> str:
    if as_json:
        return to_line(pocket_record(reading))
    if reading.accepted:
        return f"{reading.best} margin {reading.margin:.1f}"
    return doubt_text(reading)


def read_pocket(photos: Path) -> PocketReading:
    """Read one cube from photos.

    Raises:
        UsageError: The photos show a 3×3×3 cube.
        NoFaceError: A photo shows no face of a 2×2×2 cube, or too few stickers were seen.
    """
    return timed(decode_pocket)(_photo_colours(photos))


def scan_pocket_by_hand(camera: Camera, screen: Screen) -> PocketReading:
    """Capture six faces, each as soon as it is still, and read the cube.

    A cube that stays in doubt is shown completely again: no centre tells which face was wrong.

    Returns:
        An accepted reading, of the cube in the orientation of the first face.

    Raises:
        StoppedError: The user pressed ``q``.
        CameraError: The camera vanished, or its recording ended before the cube was read.
        UsageError: The faces are those of a 3×3×3 cube.
    """
    scan = PocketScan()
    with Keyboard() as keyboard, ScanView(screen, side=2, keys=_KEYS) as view:
        while True:
            key = (keyboard.key() or "").upper()
            if key == "Q":
                raise StoppedError("stopped; no motor has moved")
            if key == "R":
                scan = PocketScan()
            captured = len(scan.frames)
            guidance = scan.feed(camera.read(), now=key == " ")
            view.show(scan.colours, guidance)
            if len(scan.frames) == captured:
                continue
            if captured + 1 == _TELLING and look_3x3x3([each.image for each in scan.frames]):
                raise UsageError("the camera sees a 3×3×3 cube; leave out --cube 2")
            if scan.wanted is not None:
                continue
            for order in (FACES, _OTHER_WAY):
                labs = np.concatenate([scan.labs[face] for face in order])
                reading = timed(decode_pocket)(StickerColours.of_lab(labs))
                if reading.accepted and looks_alike(reading):
                    return reading
            view.say(
                "these six faces are uncertain, or not from the same cube: show all of them again"
            )
            scan = PocketScan()


def doubt_text(reading: PocketReading) -> str:
    """Return why a reading is not trusted."""
    return (
        f"likeliest {reading.best} (not accepted: margin {reading.margin:.1f}); show "
        f"{', '.join(reading.reread)} again"
    )


def pocket_record(reading: PocketReading) -> dict[str, object]:
    """Describe the reading of a 2×2×2 cube."""
    return {
        "accepted": reading.accepted,
        "facelets": reading.best if reading.accepted else None,
        "best": reading.best,
        "faces": reading.facelets,
        "margin": round(reading.margin, 3) if math.isfinite(reading.margin) else None,
        "reread": list(reading.reread),
        "confidence": [round(value, 4) for value in reading.confidence],
        "elapsed_ms": round(reading.elapsed_ms, 3),
    }


def _photo_colours(folder: Path) -> StickerColours:
    frames = [read_photo(looks[0]) for looks in photos_by_face(folder).values()]
    if look_3x3x3([frame.image for frame in frames]):
        raise UsageError(f"{folder} shows a 3×3×3 cube; leave out --cube 2")
    labs = []
    for frame in frames:
        outlines = find_pocket_face(frame.image)
        if outlines is None:
            raise NoFaceError(
                f"no face of a 2×2×2 cube found in {frame.source}; show its four stickers in "
                "focus, with the face upright"
            )
        labs += [*sample_polygons(frame.image, outlines)]
    return StickerColours.of_lab(labs)
