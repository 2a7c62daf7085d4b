"""Which of several cubes a face belongs to, and the faces of a 2×2×2 cube in any order."""

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
from vision.pocket.capture import looks_alike
from vision.pocket.decoding import decode_pocket
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


def shown(seed: int, order: str) -> tuple[bool, str, str]:
    """Whether a cube whose faces are shown in this order is taken, what is read, and the truth."""
    rng = np.random.default_rng(seed)
    text = random_state(rng).to_facelets().text
    letters = [text[9 * i + cell] for i in range(6) for cell in (0, 2, 6, 8)]
    labs = np.array([NAMED_COLOURS[WESTERN_SCHEME[letter]] for letter in letters])
    labs = labs + rng.normal(0, 4, (24, 3)) + np.repeat(rng.normal(0, (8, 4, 4), (6, 3)), 4, axis=0)
    faces = dict(zip(FACES, labs.reshape(6, 4, 3), strict=True))
    reading = decode_pocket(StickerColours.of_lab(np.concatenate([faces[f] for f in order])))
    return reading.accepted and looks_alike(reading), reading.facelets, "".join(letters)


def test_a_cube_is_read_when_it_is_shown_as_was_said_and_only_then() -> None:
    """Faces that are exchanged or shown twice make no cube."""
    for seed in range(2):
        taken, read, truth = shown(seed, FACES)
        assert taken
        assert read == truth
    assert not any(shown(0, order)[0] for order in ("ULFDRB", "URFRLB", "URFDLL"))
