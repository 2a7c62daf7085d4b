"""Solves 2×2×2 cubes on paper: a rig for 3×3×3 cubes cannot turn them."""

import time
from itertools import islice
from pathlib import Path

import typer

from cube.moves import MoveSequence
from cube.pocket import PocketState, rotations
from solver.pocket import load_pocket
from solver.tables import TableStore
from thistlebot.errors import MisreadError, UsageError
from thistlebot.records import to_line
from thistlebot.terminal.by_hand import (
    POCKET_SCHEME,
    pocket_nets,
    step_through,
    tell_pocket_by_hand,
)
from thistlebot.terminal.pocket.hand_scan import scan_pocket_by_hand
from thistlebot.terminal.pocket.scan import doubt_text, read_pockets
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.table_progress import TableProgress
from vision.cameras.camera_kinds import open_camera


def solve_pocket(
    cache: Path,
    screen: Screen,
    *,
    photos: Path | None,
    rgb: Path | None,
    facelets: str | None,
    scramble: str | None,
    webcam: str | None,
    as_json: bool,
) -> None:
    """Print the shortest moves for one cube as it is held.

    Args:
        cache: The program's cache folder.
        screen: Where to print.
        photos: A folder of photos of the faces.
        rgb: A file of colours already sampled.
        facelets: The cube as letters.
        scramble: The cube as the moves that made it.
        webcam: The camera before which a person holds the faces.
        as_json: Print a record for programs.

    Raises:
        UsageError: Nothing says what the cube is.
        MisreadError: The reading is not trusted.
        InvalidCubeError: The letters are no cube, or turns cannot solve it.
        TableError: The table cannot be built.
    """
    if facelets is not None:
        state = PocketState.parse(facelets)
    elif scramble is not None:
        state = rotations()[0].apply(MoveSequence.parse(scramble))
    elif webcam is not None:
        with open_camera(webcam) as camera:
            state = PocketState.parse(scan_pocket_by_hand(camera, screen).best)
    elif photos is not None or rgb is not None:
        readings = list(islice(read_pockets(photos, rgb), 2))
        if len(readings) != 1:
            count = "several scans" if readings else "no scan"
            raise UsageError(f"{rgb} holds {count}; to solve, give a file with one line")
        reading = readings[0]
        if not reading.accepted:
            raise MisreadError(doubt_text(reading), reading.reread)
        state = PocketState.parse(reading.best)
    else:
        raise UsageError("--cube 2 takes --hand, --photos, --rgb, --facelets or --scramble")
    with TableProgress(screen, "building the table of 2×2×2 cubes, once") as progress:
        solver = load_pocket(TableStore(cache / "tables"), progress)
    if solver.source.note:
        screen.note(solver.source.note)
    started = time.thread_time()
    moves = solver.solve(state)
    cpu_ms = 1000 * (time.thread_time() - started)
    if as_json:
        record = {
            "facelets": state.text,
            "moves": str(moves),
            "metrics": {"htm": len(moves)},
            "proven_optimal": True,
            "cpu_ms": round(cpu_ms, 3),
        }
        typer.echo(to_line(record))
    else:
        screen.line(f"{state.text}  (2×2×2)")
        screen.line(f"{moves or 'no moves: it is solved'}")
        screen.line(f"{len(moves)} turns, the fewest possible")
        told = scramble is not None or (facelets is not None and facelets.isupper())
        tell_pocket_by_hand(screen, state, moves, known=not told)
        if webcam is not None:
            step_through(screen, moves, pocket_nets(state, moves), POCKET_SCHEME)
