"""Frames and readings are values that refuse what cannot be."""

import math

import numpy as np
import pytest

from cube.facelets import SOLVED_FACELETS
from vision.errors import VisionError
from vision.frame import Frame
from vision.reading import UNSEEN, CubeReading, FaceReading, ReadingState, StickerReading

SQUARE = ((10.0, 20.0), (40.0, 20.0), (40.0, 50.0), (10.0, 50.0))


def sticker(i: int = 0, **changes: object) -> StickerReading:
    lab = (50.0, 10.0, 10.0)
    values = {"facelet": i, "polygons": (), "lab": lab, "colour": "U", "confidence": 1.0}
    return StickerReading(**(values | changes))  # type: ignore[arg-type] # changed on purpose


def cube(**changes: object) -> CubeReading:
    values = {
        "state": ReadingState.SURE,
        "best": SOLVED_FACELETS,
        "margin": 20.0,
        "reread": (),
        "problems": (),
        "stickers": tuple(sticker(i) for i in range(54)),
        "elapsed_ms": 1.0,
        "proposal": SOLVED_FACELETS,
    }
    return CubeReading(**(values | changes))  # type: ignore[arg-type] # changed on purpose


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


def test_a_sticker_knows_whether_it_was_seen_and_a_face_its_middle_and_side() -> None:
    assert sticker().seen
    assert not sticker(lab=UNSEEN).seen
    assert not sticker(lab=(1.0, math.nan, 2.0)).seen
    face = FaceReading(SQUARE, tuple(sticker(i, colour="red") for i in range(9)))
    assert face.colours == ("red",) * 9
    assert face.side_px == 30.0


def test_only_an_accepted_reading_has_facelets() -> None:
    for state in ReadingState:
        reading = cube(state=state)
        assert reading.accepted == (state in {ReadingState.SURE, ReadingState.REPAIRED})
        assert reading.facelets == (SOLVED_FACELETS if reading.accepted else None)
