"""Reads 2×2×2 cubes from photos and from sampled colours, and prints them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray

from cube.moves import FACES
from thistlebot.batch import parse_scan, read_lines
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.records import to_line
from vision.errors import NoFaceError
from vision.photo_camera import PhotoFolder
from vision.pocket import PocketReading, decode_pocket
from vision.pocket_face import find_pocket_face
from vision.sampling import sample_polygon


def scan_pocket(source: str, photos: Path | None, rgb: Path | None, *, as_json: bool) -> int:
    """Read 2×2×2 cubes and print one line for each.

    Returns:
        The exit code: 0 when a reading was accepted, 3 when none was.

    Raises:
        UsageError: There is no such source for small cubes, or a line is no scan.
        NoFaceError: A photo shows no face of a 2×2×2 cube.
    """
    if source not in ("photos", "rgb"):
        raise UsageError("--cube 2 reads --photos DIR or --rgb FILE")
    accepted = 0
    for reading in read_pockets(photos, rgb):
        accepted += reading.accepted
        if as_json:
            typer.echo(to_line(pocket_record(reading)))
        elif reading.accepted:
            typer.echo(f"{reading.best} margin {reading.margin:.1f}")
        else:
            typer.echo(doubt_text(reading))
    return ExitCode.DONE if accepted else ExitCode.MISREAD


def read_pockets(photos: Path | None, rgb: Path | None) -> Iterator[PocketReading]:
    """Read one cube from photos, or every cube of a file of sampled colours.

    Raises:
        UsageError: A line is no scan.
        NoFaceError: A photo shows no face of a 2×2×2 cube.
    """
    for labs in _photo_colours(photos) if photos else _scan_colours(rgb or Path()):
        yield decode_pocket(labs)


def doubt_text(reading: PocketReading) -> str:
    """Say what a reading that is not trusted lacks."""
    return (
        f"likeliest {reading.best} (not trusted: margin {reading.margin:.1f}); "
        f"show {', '.join(reading.reread)} again"
    )


def pocket_record(reading: PocketReading) -> dict[str, Any]:
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


def _photo_colours(folder: Path) -> Iterator[NDArray[np.float64]]:
    photos = PhotoFolder(folder)
    labs = []
    for face in FACES:
        frame = photos.read_face(face)
        outlines = find_pocket_face(frame.image)
        if outlines is None:
            raise NoFaceError(
                f"no face of a 2×2×2 cube was found in {frame.source}; show its four stickers, "
                "sharp, with the face upright"
            )
        labs += [sample_polygon(frame.image, outline).lab for outline in outlines]
    yield np.array(labs)


def _scan_colours(file: Path) -> Iterator[NDArray[np.float64]]:
    for number, line in enumerate(read_lines(file), start=1):
        yield parse_scan(line, f"{file}:{number}", 24)
