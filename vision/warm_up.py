"""Loads what reading a cube needs while the camera still starts."""

import threading


def start_warm_up() -> threading.Thread:
    """Import SciPy and build the tables of the decoder, in the background.

    SciPy takes a third of a second to import, a webcam one to three to open: whoever opens a camera
    calls this first. Called again it costs nothing. Whoever measures the time of a reading joins
    the thread before.
    """
    thread = threading.Thread(target=_warm_up, name="warm-up", daemon=True)
    thread.start()
    return thread


def _warm_up() -> None:
    from cube.net import WESTERN_SCHEME
    from vision.colours.colour_model import NAMED_COLOURS
    from vision.colours.sticker_colours import StickerColours
    from vision.decoding.decode import decode

    solved = [NAMED_COLOURS[colour] for colour in WESTERN_SCHEME.values() for _ in range(9)]
    decode(StickerColours.of_lab(solved), mistakes=False)
