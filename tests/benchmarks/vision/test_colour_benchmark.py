"""The measures of readings, and the ways in which benchmarks spoil a picture."""

import numpy as np
from even_light import COLOURS

from benchmarks.vision.colour_benchmark import measure_turned
from benchmarks.vision.labelled_colours import Scan
from benchmarks.vision.mistakes import another_cube
from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES, MoveSequence
from cube.state import SOLVED, CubeState
from vision.colours.colour_spaces import lab_to_srgb
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
