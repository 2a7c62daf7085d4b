"""Frames and readings are values that refuse what cannot be."""

import math

import numpy as np
import pytest

from vision.errors import VisionError
from vision.frame import Frame
from vision.reading import UNSEEN, StickerReading


def test_a_frame_cannot_be_painted_on_but_its_source_array_still_can() -> None:
    image = np.zeros((4, 6, 3), dtype=np.uint8)
    frame = Frame(image, "test")
    assert frame.size == (6, 4)
    with pytest.raises(ValueError, match="read-only"):  # numpy's word
        frame.image[0, 0] = 1
    image[0, 0] = 7  # the owner of the array keeps the right to write
    for shape, kind in (
        ((4, 6), np.uint8),
        ((4, 6, 4), np.uint8),
        ((4, 6, 3), np.uint16),
        ((0, 6, 3), np.uint8),
    ):
        with pytest.raises(VisionError, match="webcam"):
            Frame(np.zeros(shape, dtype=kind), "webcam")


def test_a_sticker_is_seen_if_all_of_its_colour_is_known() -> None:
    for lab, seen in (((50.0, 10.0, 10.0), True), (UNSEEN, False), ((1.0, math.nan, 2.0), False)):
        assert StickerReading(0, (), lab, "U", 1.0).seen == seen
