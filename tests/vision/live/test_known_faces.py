"""Which of several cubes a face belongs to, in whichever rotation and whatever light."""

import numpy as np
import pytest
from even_light import decode_lab, seen

from cube.facelets import Facelets
from cube.moves import ALL_MOVES, FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.sticker_colours import StickerColours
from vision.live.known_faces import KnownColours, KnownFaces, face_patterns
from vision.reading import UNSEEN, FaceReading, Lab, StickerReading

STATE = random_state(np.random.default_rng(1))
CUBES = [STATE.to_facelets(), *(STATE.apply(move).to_facelets() for move in ALL_MOVES)]
LEARNED = KnownColours.of_reading(decode_lab(seen(CUBES[0], np.random.default_rng(1))))


def face_of(cube: Facelets, face: str, quarters: int = 0, light: float = 1.0) -> FaceReading:
    letters = np.rot90(np.array(list(cube.face(face))).reshape(3, 3), quarters).ravel()
    labs = np.array([NAMED_COLOURS[WESTERN_SCHEME[letter]] for letter in letters])
    labs = StickerColours.of_srgb(StickerColours.of_lab(labs).srgb * 255 * light).lab
    return face_with(labs)


def face_with(labs: np.ndarray) -> FaceReading:
    stickers = tuple(
        StickerReading(place, (), _lab(lab), "", 1.0) for place, lab in enumerate(labs)
    )
    return FaceReading(((0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0)), stickers)


def _lab(lab: np.ndarray) -> Lab:
    return UNSEEN if np.isnan(lab).any() else (float(lab[0]), float(lab[1]), float(lab[2]))


@pytest.mark.parametrize(("quarters", "light"), [(0, 1.0), (1, 0.75), (3, 1.15)])
def test_the_cube_is_found_by_its_face(quarters: int, light: float) -> None:
    """Those that show the same face explain it as well, and all others far worse."""
    shown, known = CUBES[4], KnownFaces(LEARNED, CUBES)
    for face in FACES:
        fits = known.fits(face_of(shown, face, quarters, light))
        assert fits is not None
        row = face_patterns(shown)[4 * FACES.index(face)]
        alike = [bool((face_patterns(cube) == row).all(axis=1).any()) for cube in CUBES]
        best = fits.costs.min()
        assert ((fits.costs < best + 1e-6) == alike).all()
        assert fits.costs[~np.array(alike)].min() > best + 5.0  # red from orange is the least
        assert {fits.faces[i] for i in np.nonzero(alike)[0]} == {face}
        assert (fits.odd[alike] == 0).all()


def test_a_sticker_under_a_finger_does_not_decide_and_a_covered_face_says_nothing() -> None:
    labs = np.array([sticker.lab for sticker in face_of(CUBES[0], "F").stickers])
    labs[0] = (45.0, 20.0, 25.0)
    fits = KnownFaces(LEARNED, CUBES[:1]).fits(face_with(labs))
    assert fits is not None
    assert (fits.odd.tolist(), fits.faces) == ([1], ("F",))
    labs[:3] = np.nan
    assert KnownFaces(LEARNED, CUBES).fits(face_with(labs)) is None
    labs[2] = NAMED_COLOURS["red"]
    assert KnownFaces(LEARNED, CUBES).fits(face_with(labs)) is not None
