import numpy as np
import pytest

from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from vision.bench.labelled_colours import Scan
from vision.bench.mistakes import (
    MISTAKES,
    another_cube,
    measure_caution,
    measure_hidden_centres,
    measure_mistakes,
)
from vision.colours.palette import STICKER_SRGB

COLOURS = np.array([STICKER_SRGB[WESTERN_SCHEME[face]] for face in FACES], dtype=float)


def scan_of(state: CubeState) -> Scan:
    text = state.to_facelets().text
    return Scan("drawn", COLOURS[[FACES.index(letter) for letter in text]], text)


SCAN = scan_of(random_state(np.random.default_rng(1)))


def test_another_cube_has_the_colours_of_the_scan() -> None:
    rgb, text = another_cube(scan_of(SOLVED), np.random.default_rng(2))
    assert examine(Facelets(text)).solvable
    expected = COLOURS[[FACES.index(letter) for letter in text]]
    assert np.abs(rgb - expected).max() < 12


@pytest.mark.parametrize("any_orientation", [False, True])
def test_mistakes_with_clear_colours_are_named(*, any_orientation: bool) -> None:
    found = list(measure_mistakes([SCAN], 2, 5, any_orientation=any_orientation))
    assert len(found) == 2 * (len(MISTAKES) - 2 * any_orientation)
    plain = [one for one in found if not one.hidden]
    assert not any(one.outcome.accepted for one in plain)
    assert sum(one.named for one in plain) >= 0.8 * len(plain)


def test_caution_costs_nothing_where_colours_are_clear() -> None:
    for name, before, after, truth in measure_caution([SCAN], 2, 5):
        assert before == after, name
        assert after.best.text == truth


def test_hidden_centres_are_found() -> None:
    found = list(measure_hidden_centres([SCAN], 2, 5))
    assert [one.condition for one in found[::2]] == [f"{n} centres hidden" for n in (1, 2, 3)]
    assert all(one.right and one.accepted for one in found)
