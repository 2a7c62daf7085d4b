"""Readings say how long they took when somebody measures them."""

import numpy as np

from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.pocket import decode_pocket
from vision.timed import timed


def test_only_who_measures_a_reading_knows_how_long_it_took() -> None:
    rng = np.random.default_rng(1)
    for read, stickers in ((decode, 54), (decode_pocket, 24)):
        colours = StickerColours.of_lab(rng.uniform(20.0, 80.0, (stickers, 3)))
        assert read(colours).elapsed_ms == 0.0
        assert timed(read)(colours).elapsed_ms > 0.0
