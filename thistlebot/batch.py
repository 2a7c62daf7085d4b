"""Whole files of cubes: one line in, one line out, in order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import typer
from numpy.typing import NDArray

from cube.errors import ThistlebotError
from cube.notations import parse_facelets
from robot.planner import plan
from robot.rig import Rig
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.exit_codes import ExitCode, exit_code_of
from thistlebot.records import reading_record, solve_record, to_line
from thistlebot.refusal import misread_text
from thistlebot.solving import Solve, solvable_state
from vision.errors import VisionError
from vision.reading import CubeReading
from vision.sampling import srgb_to_lab


def read_lines(file: Path) -> list[str]:
    """Return the lines of a text file that are not empty.

    Raises:
        MissingFileError: The file is missing or unreadable.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise MissingFileError(f"{file} cannot be read: {reason}") from error
    return [line for line in text.splitlines() if line.strip()]


def solve_states(
    file: Path, solver: Solve, rig: Rig, *, five_stages: bool = False, as_json: bool
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
    for number, line in enumerate(read_lines(file), start=1):
        try:
            typer.echo(_solve_line(line, solver, rig, five_stages=five_stages, as_json=as_json))
        except ThistlebotError as error:
            code = exit_code_of(error)
            worst = worst or code
            record = {"facelets": line.strip(), "error": str(error), "exit_code": int(code)}
            typer.echo(to_line(record) if as_json else f"line {number}: {error}")
    return worst


def _solve_line(line: str, solver: Solve, rig: Rig, *, five_stages: bool, as_json: bool) -> str:
    facelets = parse_facelets(line)
    solution = solver(solvable_state(facelets))
    if not as_json:
        return str(solution.moves)
    program = plan(solution.moves, rig)
    return to_line(solve_record(facelets, solution, program, five_stages=five_stages))


class _Scan(msgspec.Struct, frozen=True):
    """A line of ``scan --rgb``: 54 colours in URFDLB order, 0 to 255, null where not seen."""

    rgb: tuple[tuple[float, float, float] | None, ...]


def scan_colours(
    file: Path, read: Callable[[NDArray[np.float64]], CubeReading], *, as_json: bool
) -> int:
    """Read every cube of a file of sampled colours and print one line for each.

    Args:
        file: One scan a line.
        read: Decodes (54, 3) CIELAB colours.
        as_json: Print records instead of sentences.

    Returns:
        The exit code: 0 when a reading was accepted, 3 when none was, 2 when a line is no scan.

    Raises:
        MissingFileError: The file is missing or unreadable.
    """
    accepted = 0
    malformed = False
    for number, line in enumerate(read_lines(file), start=1):
        try:
            reading = read(parse_scan(line, f"{file}:{number}"))
        except (UsageError, VisionError) as error:
            malformed = True
            typer.echo(to_line({"error": str(error)}) if as_json else str(error))
            continue
        accepted += reading.accepted
        if as_json:
            typer.echo(to_line(reading_record(reading)))
        elif reading.facelets:
            typer.echo(
                f"{reading.facelets.text} {reading.state.value}, margin {reading.margin:.1f}"
            )
        else:
            typer.echo(f"{reading.state.value}: {misread_text(reading)}")
    if malformed:
        return ExitCode.USAGE
    return ExitCode.DONE if accepted else ExitCode.MISREAD


def read_scan(file: Path) -> NDArray[np.float64]:
    """Return the (54, 3) CIELAB colours of a file with one scan, NaN where not seen.

    Raises:
        MissingFileError: The file is missing or unreadable.
        UsageError: It does not hold exactly one scan.
    """
    lines = read_lines(file)
    if len(lines) != 1:
        raise UsageError(f"{file} holds {len(lines)} scans; to solve, give a file with one line")
    return parse_scan(lines[0], f"{file}:1")


def parse_scan(line: str, where: str, stickers: int = 54) -> NDArray[np.float64]:
    """Return the (stickers, 3) CIELAB colours of one line, NaN where not seen.

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
    return srgb_to_lab(colours)
