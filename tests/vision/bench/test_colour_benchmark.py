import numpy as np

from cube.moves import FACES, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from vision.bench.colour_benchmark import (
    measure_false_alarms,
    measure_frames,
    measure_looked_twice,
    measure_shown_again,
    measure_turned,
    measure_wrong_cubes,
)
from vision.bench.labelled_colours import Scan
from vision.colours.palette import STICKER_SRGB
from vision.reading import ReadingState

COLOURS = np.array([STICKER_SRGB[WESTERN_SCHEME[face]] for face in FACES], dtype=float)


def scan_of(state: CubeState) -> Scan:
    text = state.to_facelets().text
    return Scan("drawn", COLOURS[[FACES.index(letter) for letter in text]], text)


def test_a_cube_that_turned_faces_leave_open_is_right_when_it_is_called_ambiguous() -> None:
    cross = scan_of(SOLVED.apply(MoveSequence.parse("F2 L2 F2 L2")))
    found = [one for one in measure_turned([cross], 2, 0) if one.condition == "turned, clean"]
    assert {one.state for one in found} == {ReadingState.AMBIGUOUS}
    assert all(one.right and not one.accepted for one in found)


def test_sound_cubes_raise_no_alarm_and_broken_ones_are_named() -> None:
    scan = scan_of(random_state(np.random.default_rng(1)))
    assert not any(one.suspected for one in measure_false_alarms([scan], 2, 0))
    broken = list(measure_wrong_cubes([scan], 1, 0))
    assert [one.condition for one in broken] == ["corner twisted", "edge flipped", "edges swapped"]
    assert all(one.right and one.suspected and not one.accepted for one in broken)


def test_further_looks_count() -> None:
    scan = scan_of(random_state(np.random.default_rng(2)))
    for found in (
        measure_looked_twice([scan], 2, 0),
        measure_frames([scan], 2, 0),
        measure_shown_again([scan], 2, 0, most=6),
    ):
        assert all(one.right and one.accepted for one in found)
