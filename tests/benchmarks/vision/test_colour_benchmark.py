"""The measures of readings, on a cube with clear colours."""

import numpy as np
from even_light import COLOURS

from benchmarks.vision.colour_benchmark import (
    measure_false_alarms,
    measure_turned,
    measure_wrong_cubes,
)
from benchmarks.vision.labelled_colours import Scan
from benchmarks.vision.mistakes import (
    MISTAKES,
    another_cube,
    measure_caution,
    measure_mistakes,
)
from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from vision.colours.colour_space import lab_to_srgb
from vision.reading import ReadingState

RGB = lab_to_srgb(COLOURS)


def scan_of(state: CubeState) -> Scan:
    text = state.to_facelets().text
    return Scan("drawn", RGB[[FACES.index(letter) for letter in text]], text)


SCAN = scan_of(random_state(np.random.default_rng(1)))


def test_a_cube_that_turned_faces_leave_open_is_right_when_it_is_called_ambiguous() -> None:
    cross = scan_of(SOLVED.apply(MoveSequence.parse("F2 L2 F2 L2")))
    found = [one for one in measure_turned([cross], 1, 0) if one.condition == "turned, clean"]
    assert {one.state for one in found} == {ReadingState.AMBIGUOUS}
    assert all(one.right and not one.accepted for one in found)


def test_sound_cubes_raise_no_alarm_and_broken_ones_are_named() -> None:
    assert not any(one.suspected for one in measure_false_alarms([SCAN], 1, 0))
    broken = list(measure_wrong_cubes([SCAN], 1, 0))
    assert [one.condition for one in broken] == ["corner twisted", "edge flipped", "edges swapped"]
    assert all(one.right and one.suspected and not one.accepted for one in broken)


def test_mistakes_are_named_and_caution_costs_nothing_where_colours_are_clear() -> None:
    found = list(measure_mistakes([SCAN], 1, 5, any_orientation=False))
    assert len(found) == len(MISTAKES)
    plain = [one for one in found if not one.hidden]
    assert not any(one.outcome.accepted for one in plain)
    assert sum(one.named for one in plain) >= 0.8 * len(plain)
    for name, before, after, truth in measure_caution([SCAN], 1, 5):
        assert before == after, name
        assert after.best.text == truth
    rgb, text = another_cube(scan_of(SOLVED), np.random.default_rng(2))
    assert examine(Facelets(text)).solvable  # with the colours of the scan
    assert np.abs(rgb - RGB[[FACES.index(letter) for letter in text]]).max() < 12
