"""The measures of readings, and the ways in which benchmarks spoil a picture."""

import numpy as np
from even_light import COLOURS

from benchmarks.vision.colour_benchmark import measure_turned
from benchmarks.vision.face_conditions import CONDITIONS, Labelled, shrunk
from benchmarks.vision.labelled_colours import Scan
from benchmarks.vision.mistakes import another_cube
from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES, MoveSequence
from cube.state import SOLVED, CubeState
from vision.colours.sticker_colours import lab_to_srgb
from vision.reading import ReadingState

RGB = lab_to_srgb(COLOURS)


def scan_of(state: CubeState) -> Scan:
    text = state.to_facelets().text
    return Scan("drawn", RGB[[FACES.index(letter) for letter in text]], text)


def test_a_cube_that_turned_faces_leave_open_is_right_when_it_is_called_ambiguous() -> None:
    cross = scan_of(SOLVED.apply(MoveSequence.parse("F2 L2 F2 L2")))
    found = [one for one in measure_turned([cross], 1, 0) if one.condition == "turned, clean"]
    assert {one.state for one in found} == {ReadingState.AMBIGUOUS}
    assert all(one.right and not one.accepted for one in found)


def test_another_cube_has_the_colours_of_the_scan() -> None:
    rgb, text = another_cube(scan_of(SOLVED), np.random.default_rng(2))
    assert examine(Facelets(text)).solvable  # with the colours of the scan
    assert np.abs(rgb - RGB[[FACES.index(letter) for letter in text]]).max() < 12


STEP = 60
MOVED = ("tilt", "roll", "face", "margin", "whole")


def drawn_face() -> Labelled:
    """A square of stickers of different colours in a grey picture with a pattern around."""
    rng = np.random.default_rng(1)
    image = np.kron(rng.integers(90, 130, (24, 32, 1)), np.ones((20, 20, 3))).astype(np.uint8)
    rows, columns = np.mgrid[0:3, 0:3]
    middles = np.column_stack([columns.ravel(), rows.ravel()]) * STEP + (260.0, 180.0)
    for x, y in middles.astype(int):
        image[y - 25 : y + 25, x - 25 : x + 25] = rng.integers(40, 220, 3)
    return Labelled("drawn", image, middles)


def test_a_condition_changes_the_picture_and_knows_where_the_face_went() -> None:
    face = drawn_face()
    for name, stress in CONDITIONS.items():
        spoilt = stress(face, np.random.default_rng(5))
        again = stress(face, np.random.default_rng(5))
        np.testing.assert_array_equal(spoilt.image, again.image)
        assert spoilt.image.dtype == np.uint8
        assert spoilt.middles.shape == (9, 2)
        assert max(shrunk(spoilt).image.shape[:2]) == 640
        if not name.startswith(MOVED):
            np.testing.assert_array_equal(spoilt.middles, face.middles)
            assert spoilt.image.shape == face.image.shape
            assert np.abs(spoilt.image.astype(int) - face.image).max() > 5, name
            continue
        height, width = spoilt.image.shape[:2]
        for before, after in zip(face.middles, spoilt.middles, strict=True):
            x, y = np.rint(after).astype(int)
            if 2 <= x < width - 2 and 2 <= y < height - 2:
                old = face.image[tuple(np.rint(before).astype(int)[::-1])].astype(int)
                assert np.abs(spoilt.image[y, x].astype(int) - old).max() < 30, name
