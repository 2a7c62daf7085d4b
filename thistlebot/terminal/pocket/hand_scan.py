"""Guides a person who holds the six faces of a 2×2×2 cube before one webcam."""

import numpy as np

from cube.moves import FACES
from thistlebot.errors import StoppedError, UsageError
from thistlebot.terminal.hand_scan import ScanView
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.screen import Screen
from vision.cameras.camera import Camera
from vision.colours.sticker_colours import StickerColours
from vision.pocket.capture import PocketScan, looks_alike
from vision.pocket.decoding import PocketReading, decode_pocket
from vision.pocket.faces import look_3x3x3
from vision.timed import timed

# So many faces tell the size of the cube.
_TELLING = 3
# Whoever turns the cube anticlockwise shows the left face for the right one.
_OTHER_WAY = "ULFDRB"
_KEYS = "space: take it now   R: begin again   q: quit"


def scan_pocket_by_hand(camera: Camera, screen: Screen) -> PocketReading:
    """Capture six faces, each by itself once it is still, and read the cube.

    A cube that stays in doubt is shown all over: no centre tells which of the faces was wrong.

    Args:
        camera: Sees one face after the other.
        screen: Where to speak.

    Returns:
        A reading that is accepted, of the cube as the first face was held.

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
                raise StoppedError("stopped; nothing was turned")
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
            view.say("these six faces are in doubt, or not of one cube: show all of them again")
            scan = PocketScan()
