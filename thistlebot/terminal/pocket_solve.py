"""Solves 2×2×2 cubes for people: a rig for 3×3×3 cubes cannot turn them."""

import time
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
from thistlebot.terminal.pocket_scan import doubt_text, read_pocket, scan_pocket_by_hand
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.table_progress import TableProgress
from vision.cameras.camera_kinds import open_camera


def solve_pocket(
    cache: Path,
    screen: Screen,
    *,
    photos: Path | None,
    facelets: str | None,
    scramble: str | None,
    webcam: str | None,
    as_json: bool,
) -> None:
    """Print the shortest moves for one cube as it is held.

    Raises:
        UsageError: No source of the cube is given.
        MisreadError: The reading is not trusted.
        InvalidCubeError: The letters are not a cube, or turns cannot solve it.
        TableError: The table cannot be built.
    """
    if facelets is not None:
        state = PocketState.parse(facelets)
    elif scramble is not None:
        state = rotations()[0].apply(MoveSequence.parse(scramble))
    elif webcam is not None:
        with open_camera(webcam) as camera:
            state = PocketState.parse(scan_pocket_by_hand(camera, screen).best)
    elif photos is not None:
        state = _read_one(photos)
    else:
        raise UsageError("--cube 2 needs --hand, --photos, --facelets or --scramble")
    with TableProgress(screen, "building the table of 2×2×2 cubes; this happens once") as progress:
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


def _read_one(photos: Path) -> PocketState:
    reading = read_pocket(photos)
    if not reading.accepted:
        raise MisreadError(doubt_text(reading), reading.reread)
    return PocketState.parse(reading.best)
