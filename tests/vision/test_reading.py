import math

import pytest

from cube.facelets import SOLVED_FACELETS
from vision.reading import UNSEEN, CubeReading, FaceReading, ReadingState, Repair, StickerReading

LAB = (50.0, 10.0, 10.0)
SQUARE = ((10.0, 20.0), (40.0, 20.0), (40.0, 50.0), (10.0, 50.0))


def sticker(i: int = 0, **changes: object) -> StickerReading:
    values = {"facelet": i, "polygons": (), "lab": LAB, "colour": "U", "confidence": 1.0}
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


def test_a_sticker_knows_whether_it_was_seen() -> None:
    assert sticker().seen
    assert not sticker(lab=UNSEEN).seen
    assert not sticker(lab=(1.0, math.nan, 2.0)).seen


@pytest.mark.parametrize("changes", [{"facelet": 54}, {"facelet": -1}, {"confidence": 1.5}])
def test_impossible_stickers_are_refused(changes: dict) -> None:
    with pytest.raises(ValueError, match="outside"):
        sticker(**changes)


def test_a_face_has_nine_stickers_a_middle_and_a_side() -> None:
    face = FaceReading(SQUARE, tuple(sticker(i, colour="red") for i in range(9)))
    assert face.colours == ("red",) * 9
    assert face.centre == (25.0, 35.0)
    assert face.side_px == 30.0
    with pytest.raises(ValueError, match="9 stickers"):
        FaceReading(SQUARE, ())


@pytest.mark.parametrize("state", ReadingState)
def test_only_an_accepted_reading_has_facelets(state: ReadingState) -> None:
    reading = cube(state=state)
    assert reading.accepted == (state in {ReadingState.SURE, ReadingState.REPAIRED})
    assert reading.facelets == (SOLVED_FACELETS if reading.accepted else None)


def test_an_impossible_reading_is_refused() -> None:
    with pytest.raises(ValueError, match="54 stickers"):
        cube(stickers=())
    with pytest.raises(ValueError, match="mirrored"):
        cube(mirrored=True)


def test_a_repair_says_what_and_why() -> None:
    assert Repair(1, "L", "R").text == "U2 looks like L, but only R makes a cube"
    assert "not seen" in Repair(1, "", "R").text
