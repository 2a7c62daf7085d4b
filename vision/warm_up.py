"""Loads what reading a cube needs while the camera still starts."""

import threading


def start_warm_up() -> threading.Thread:
    """Import scikit-learn and SciPy, and build the tables of the decoder, in the background.

    scikit-learn takes about a second to import, a webcam one to three to open: whoever opens a
    camera calls this first. Called again it costs nothing. Whoever measures the time of a reading
    joins the thread before.
    """
    thread = threading.Thread(target=_warm_up, name="warm-up", daemon=True)
    thread.start()
    return thread


def _warm_up() -> None:
    import numpy as np

    from vision.colours.sticker_colours import StickerColours
    from vision.decoding.decode import decode

    decode(
        StickerColours.of_lab(np.random.default_rng(0).uniform(20.0, 80.0, (54, 3))), mistakes=False
    )
