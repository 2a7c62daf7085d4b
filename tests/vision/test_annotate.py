"""What is drawn over pictures: in the colours read, doubts marked, the picture itself untouched."""

import numpy as np

from cube.facelets import SOLVED_FACELETS, Facelets, facelet_index
from cube.net import WESTERN_SCHEME
from vision.annotate import annotate_reading, is_doubtful
from vision.colours.palette import STICKER_SRGB, bgr
from vision.frame import Frame
from vision.reading import CubeReading, ReadingState, StickerReading

GREY = np.full((480, 640, 3), 100, dtype=np.uint8)
MAGENTA = (255, 0, 255)


def patch(column, row, side=24.0):
    left, top = 60.0 + 40.0 * column, 160.0 + 40.0 * row
    return ((left, top), (left + side, top), (left + side, top + side), (left, top + side))


def sticker(facelet, camera=0, confidence=1.0, polygons=None):
    if polygons is None:
        polygons = (patch(facelet % 9 % 3, facelet % 9 // 3),)
    return StickerReading(
        facelet, polygons, (50.0, 0.0, 0.0), SOLVED_FACELETS.text[facelet], confidence, camera
    )


def reading(stickers, accepted=True, proposal=None):
    return CubeReading(
        state=ReadingState.SURE if accepted else ReadingState.ASK_AGAIN,
        best=SOLVED_FACELETS,
        margin=20.0,
        reread=() if accepted else ("R",),
        problems=(),
        stickers=tuple(stickers),
        elapsed_ms=1.0,
        proposal=proposal or SOLVED_FACELETS,
    )


def by_face(confidence=1.0):
    return [sticker(i, i // 9, confidence) for i in range(54)]


def share(image, colour, tolerance=12):
    return (np.abs(image.astype(int) - colour).max(axis=2) <= tolerance).mean()


def test_each_face_is_drawn_on_its_own_picture_in_its_own_colour():
    frames = [Frame(GREY, face) for face in "URFDLB"]
    drawn = annotate_reading(frames, reading(by_face()))
    assert len(drawn) == 6
    for face, image in zip("URFDLB", drawn, strict=True):
        assert image.shape == GREY.shape
        middle = image[150:300, 50:190]
        shares = {
            name: share(middle, bgr(STICKER_SRGB[colour]))
            for name, colour in WESTERN_SCHEME.items()
        }
        assert max(shares, key=shares.get) == face
        assert shares[face] > 0.05
        assert share(middle, MAGENTA) == 0.0
    assert (GREY == 100).all()


def test_doubtful_stickers_are_framed_in_magenta():
    stickers = by_face()
    stickers[4] = sticker(4, 0, confidence=0.7)
    sure, doubtful = (
        annotate_reading([Frame(GREY, "U")], reading(which))[0] for which in (by_face(), stickers)
    )
    left, top = (int(v) for v in patch(1, 1)[0])
    around = np.s_[top - 12 : top + 36, left - 12 : left + 36]
    assert share(sure[around], MAGENTA, 30) == 0.0
    assert share(doubtful[around], MAGENTA, 30) > 0.05
    elsewhere = doubtful[top - 52 : top - 16, left - 52 : left + 70]
    assert share(elsewhere, MAGENTA, 30) == 0.0
    plain = reading(by_face())
    assert not any(is_doubtful(plain, facelet) for facelet in range(54))
    assert all(is_doubtful(reading(by_face(0.9)), facelet) for facelet in range(54))
    text = list(SOLVED_FACELETS.text)
    text[facelet_index("R1")] = "L"
    overruled = reading(by_face(), accepted=False, proposal=Facelets("".join(text)))
    assert [i for i in range(54) if is_doubtful(overruled, i)] == [facelet_index("R1")]
