"""Files of scans: the colours of one cube per line in, one reading per line out, in order."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import typer

from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode, error_record, exit_code_of
from thistlebot.output import printable
from thistlebot.reading.refusal import misread_text
from thistlebot.records import ErrorLine, reading_record, to_line
from thistlebot.text_lines import read_lines
from vision.colours.sticker_colours import StickerColours
from vision.errors import VisionError
from vision.reading import CubeReading


class _Scan(msgspec.Struct, frozen=True):
    """A line of ``scan --rgb``: 54 colours in URFDLB order, 0 to 255, null where not seen."""

    rgb: tuple[tuple[float, float, float] | None, ...]


def scan_colours(
    file: Path, read: Callable[[StickerColours], CubeReading], *, as_json: bool
) -> int:
    """Read every cube of a file of sampled colours and print one line for each.

    Args:
        file: One scan per line.
        read: Decodes the colours of 54 stickers.
        as_json: Print records instead of sentences.

    Returns:
        The exit code of `scan_lines`.

    Raises:
        MissingFileError: The file is missing or unreadable.
        UsageError: It contains no scan.
    """

    def told(colours: StickerColours) -> tuple[bool, str]:
        reading = read(colours)
        text = to_line(reading_record(reading)) if as_json else _reading_text(reading)
        return reading.accepted, text

    return scan_lines(file, told, 54, as_json=as_json)


def scan_lines(
    file: Path,
    read: Callable[[StickerColours], tuple[bool, str]],
    stickers: int,
    *,
    as_json: bool,
) -> int:
    """Print one line for each scan of a file; an invalid one gets an error, and the rest follow.

    Args:
        file: One scan per line.
        read: Decodes the colours of the stickers; returns whether the reading is trusted, and
            its line of output.
        stickers: Number of stickers of a cube.
        as_json: Print errors as records.

    Returns:
        The exit code: 0 if a reading was accepted, 3 if none was, 2 if a line is not a scan.

    Raises:
        MissingFileError: The file is missing or unreadable.
        UsageError: It contains no scan.
    """
    found = malformed = False
    line = ""
    for number, line in read_lines(file):
        try:
            accepted, text = read(parse_scan(line, f"{file}:{number}", stickers))
        except (UsageError, VisionError) as error:
            malformed |= exit_code_of(error) is not ExitCode.MISREAD
            typer.echo(
                to_line(ErrorLine(error_record(error))) if as_json else printable(str(error))
            )
            continue
        found |= accepted
        typer.echo(text)
    if not line:
        raise UsageError(
            f'{file} contains no colours; write one scan per line: {{"rgb": [[r, g, b] …]}}'
        )
    if malformed:
        return ExitCode.USAGE
    return ExitCode.DONE if found else ExitCode.MISREAD


def _reading_text(reading: CubeReading) -> str:
    if reading.facelets:
        return f"{reading.facelets.text} {reading.state.value}, margin {reading.margin:.1f}"
    return f"{reading.state.value}: {misread_text(reading)}"


def read_scan(file: Path) -> StickerColours:
    """Return the 54 colours of a file with one scan.

    Raises:
        MissingFileError: The file is missing or unreadable.
        UsageError: It does not contain exactly one scan.
    """
    lines = list(islice(read_lines(file), 2))
    if len(lines) != 1:
        raise UsageError(
            f"{file} contains {'several scans' if lines else 'no scan'}; to solve a cube, give a "
            "file with one line"
        )
    [(number, line)] = lines
    return parse_scan(line, f"{file}:{number}")


def parse_scan(line: str, where: str, stickers: int = 54) -> StickerColours:
    """Return the colours of one line.

    Raises:
        UsageError: The line is not a scan; the message says where and why.
    """
    try:
        scan = msgspec.json.decode(line, type=_Scan)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: not a scan: {error}") from error
    if len(scan.rgb) != stickers:
        raise UsageError(f"{where}: a scan has {stickers} colours, this one has {len(scan.rgb)}")
    colours = np.array([colour or (np.nan,) * 3 for colour in scan.rgb], dtype=np.float64)
    outside = np.flatnonzero(((colours < 0) | (colours > 255)).any(axis=1))
    if outside.size:
        raise UsageError(f"{where}: colour {outside[0] + 1} is outside 0 to 255")
    if 0.0 < np.nanmax(colours, initial=0.0) <= 1.0:
        raise UsageError(
            f"{where}: every value is 1 or less; write red, green and blue as 0 to 255, "
            "so multiply values from 0 to 1 by 255"
        )
    return StickerColours.of_srgb(colours)
