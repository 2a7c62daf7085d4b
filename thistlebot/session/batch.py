"""Whole files of cubes: one line in, one line out, in order."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import typer

from cube.errors import ThistlebotError
from cube.notations import parse_facelets
from robot.rigs.mechanism import Mechanism
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.exit_codes import ExitCode, error_record, exit_code_of
from thistlebot.records import reading_record, solve_record, to_line
from thistlebot.session.refusal import misread_text
from thistlebot.solving.solver import Solve, solvable_state
from vision.colours.sticker_colours import StickerColours
from vision.errors import VisionError
from vision.reading import CubeReading


def read_lines(file: Path) -> list[tuple[int, str]]:
    """Return the lines of a text file that are not empty, with their numbers from 1.

    Raises:
        MissingFileError: The file is missing or unreadable.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise MissingFileError(f"{file} cannot be read: {reason}") from error
    lines = enumerate(text.splitlines(), start=1)
    return [(number, line) for number, line in lines if line.strip()]


def solve_states(
    file: Path, solver: Solve, rig: Mechanism, *, five_stages: bool = False, as_json: bool
) -> int:
    """Solve every state of a file and print one line for each.

    A state that cannot be solved gets a line that says why, and the others go on.

    Args:
        file: One state a line.
        solver: Solves a state.
        rig: Whose packets and times records tell.
        five_stages: Records tell five stages, not four.
        as_json: Print records instead of moves.

    Returns:
        The exit code: 0, or that of the first line that failed.

    Raises:
        MissingFileError: The file is missing or unreadable.
    """
    worst = ExitCode.DONE
    for number, line in read_lines(file):
        try:
            told = _solve_line(line, solver, rig, five_stages=five_stages, as_json=as_json)
        except ThistlebotError as error:
            code = exit_code_of(error)
            worst = worst or code
            record = {"facelets": line.strip(), "error": str(error), "exit_code": int(code)}
            told = to_line(record) if as_json else f"line {number}: {error}"
        typer.echo(told)  # when nobody reads on, this ends the work
    return worst


def _solve_line(
    line: str, solver: Solve, rig: Mechanism, *, five_stages: bool, as_json: bool
) -> str:
    facelets = parse_facelets(line)
    solution = solver(solvable_state(facelets))
    if not as_json:
        return str(solution.moves)
    program = rig.plan(solution.moves)
    return to_line(solve_record(facelets, solution, program, five_stages=five_stages))


class _Scan(msgspec.Struct, frozen=True):
    """A line of ``scan --rgb``: 54 colours in URFDLB order, 0 to 255, null where not seen."""

    rgb: tuple[tuple[float, float, float] | None, ...]


def scan_colours(
    file: Path, read: Callable[[StickerColours], CubeReading], *, as_json: bool
) -> int:
    """Read every cube of a file of sampled colours and print one line for each.

    Args:
        file: One scan a line.
        read: Decodes the colours of 54 stickers.
        as_json: Print records instead of sentences.

    Returns:
        The exit code, as `scan_lines` gives it.

    Raises:
        MissingFileError: The file is missing or unreadable.
        UsageError: It holds no scan.
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
    """Print one line for each scan of a file; one that is none gets its error, the others go on.

    Args:
        file: One scan a line.
        read: Decodes the colours of the stickers: whether to trust the reading, and the line.
        stickers: How many a cube has.
        as_json: Print errors as records.

    Returns:
        The exit code: 0 when a reading was accepted, 3 when none was, 2 when a line is no scan.

    Raises:
        MissingFileError: The file is missing or unreadable.
        UsageError: It holds no scan.
    """
    lines = read_lines(file)
    if not lines:
        raise UsageError(
            f'{file} holds no colours; write one scan a line: {{"rgb": [[r, g, b] …]}}'
        )
    found = malformed = False
    for number, line in lines:
        try:
            accepted, text = read(parse_scan(line, f"{file}:{number}", stickers))
        except (UsageError, VisionError) as error:
            malformed |= exit_code_of(error) is not ExitCode.MISREAD
            typer.echo(to_line(error_record(error)) if as_json else str(error))
            continue
        found |= accepted
        typer.echo(text)
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
        UsageError: It does not hold exactly one scan.
    """
    lines = read_lines(file)
    if len(lines) != 1:
        raise UsageError(f"{file} holds {len(lines)} scans; to solve, give a file with one line")
    [(number, line)] = lines
    return parse_scan(line, f"{file}:{number}")


def parse_scan(line: str, where: str, stickers: int = 54) -> StickerColours:
    """Return the colours of one line.

    Raises:
        UsageError: The line is no scan; the message says where and why.
    """
    try:
        scan = msgspec.json.decode(line, type=_Scan)
    except msgspec.DecodeError as error:
        raise UsageError(f"{where}: no scan: {error}") from error
    if len(scan.rgb) != stickers:
        raise UsageError(f"{where}: a scan has {stickers} colours, this one has {len(scan.rgb)}")
    colours = np.array([colour or (np.nan,) * 3 for colour in scan.rgb], dtype=np.float64)
    outside = np.flatnonzero(((colours < 0) | (colours > 255)).any(axis=1))
    if outside.size:
        raise UsageError(f"{where}: colour {outside[0] + 1} is outside 0 to 255")
    return StickerColours.of_srgb(colours)
