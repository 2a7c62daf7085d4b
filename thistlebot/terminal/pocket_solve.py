"""Solves 2×2×2 cubes for people: a rig for 3×3×3 cubes cannot turn them.

It also guides a user who holds the six faces of a 2×2×2 cube before one webcam.
"""

import time
from pathlib import Path

import numpy as np
import typer

from cube.moves import FACES, MoveSequence
from cube.pocket import PocketState, rotations
from solver.pocket import load_pocket
from solver.tables import TableStore
from thistlebot.errors import MisreadError, StoppedError, UsageError
from thistlebot.records import to_line
from thistlebot.terminal.by_hand import (
    POCKET_SCHEME,
    pocket_nets,
    step_through,
    tell_pocket_by_hand,
)
from thistlebot.terminal.hand_scan import ScanView
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.pocket_scan import doubt_text, read_pocket
from thistlebot.terminal.progress_listener import TableProgress
from thistlebot.terminal.screen import Screen
from vision.cameras.camera import Camera
from vision.cameras.camera_kinds import open_camera
from vision.colours.sticker_colours import StickerColours
from vision.pocket.capture import PocketScan, looks_alike
from vision.pocket.cube_size import look_3x3x3
from vision.pocket.decoding import PocketReading, decode_pocket
from vision.timed import timed

# Number of faces that reveal the size of the cube.
_TELLING = 3
# A user who turns the cube anticlockwise shows the left face instead of the right one.
_OTHER_WAY = "ULFDRB"
_KEYS = "space: capture now   R: start over   q: quit"


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
