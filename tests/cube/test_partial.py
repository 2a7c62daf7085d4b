"""Partial states: which states fit them, counted, drawn and enumerated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.facelets import Facelets
from cube.laws import examine_state
from cube.partial import FittingStates, PartialFacelets
from cube.random_states import random_reassembly, random_state
from cube.state import SOLVED, CubeState
from cube.written.notations import colour_string, parse_partial

LETTERS = SOLVED.to_facelets().text


def masked(state: CubeState, unknown: set[int]) -> PartialFacelets:
    text = state.to_facelets().text
    return PartialFacelets("".join("?" if i in unknown else text[i] for i in range(54)))


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 54))
def test_what_fits_shows_the_known_stickers_and_is_solvable(seed: int, hidden: int) -> None:
    rng = np.random.default_rng(seed)
    state = random_state(rng)
    partial = masked(state, set(rng.choice(54, hidden, replace=False).tolist()))
    fitting = FittingStates(partial)
    drawn = fitting.random(rng)
    assert partial.fits(state.to_facelets())
    assert partial.fits(drawn.to_facelets())
    assert examine_state(drawn).solvable
    if fitting.count <= 500:
        everyone = list(fitting)
        assert len(everyone) == len(set(everyone)) == fitting.count
        assert state in everyone
        assert all(examine_state(each).solvable for each in everyone)
        assert all(partial.fits(each.to_facelets()) for each in everyone)


def test_the_states_that_fit_nothing_in_particular_are_all_of_them() -> None:
    assert FittingStates(PartialFacelets("?" * 54)).count == 43_252_003_274_489_856_000
    corners = masked(SOLVED, {i for i in range(54) if i % 9 in {1, 3, 5, 7}})
    assert FittingStates(corners).count == 479_001_600 // 2 * 2**11
    assert FittingStates(masked(SOLVED, set())).count == 1


@settings(max_examples=50)
@given(st.integers(0, 2**32))
def test_nothing_fits_a_cube_that_turns_cannot_make(seed: int) -> None:
    state = random_reassembly(np.random.default_rng(seed))
    if examine_state(state).solvable:
        assert list(FittingStates(masked(state, set()))) == [state]
    else:
        with pytest.raises(InvalidCubeError):
            FittingStates(masked(state, set()))


def seen(letters: dict[int, str]) -> str:
    return "".join(letters.get(i, "?") for i in range(54))


@pytest.mark.parametrize(
    "text",
    [
        seen({8: "U", 9: "D"}),  # no corner has these two stickers
        seen({13: "L"}),  # a centre
        seen({8: "U", 9: "F", 20: "R"}),  # a corner the other way round
        seen(dict.fromkeys((0, 2, 6, 8, 27), "U")),  # five corners with U
        LETTERS[1:],
        "X" + LETTERS[1:],
    ],
)
def test_impossible_targets_are_refused(text: str) -> None:
    with pytest.raises(InvalidCubeError):
        FittingStates(PartialFacelets(text))


def test_colours_are_read_by_the_centres() -> None:
    colours = colour_string(Facelets(LETTERS))
    assert parse_partial(colours[:9] + "????" + colours[13] + "????" + colours[18:]) == (
        masked(SOLVED, set(range(36, 45)) - {40})
    )
    assert parse_partial("u?" + LETTERS[2:].lower()) == masked(SOLVED, {1})
    with pytest.raises(InvalidCubeError):
        parse_partial(colours[:4] + "?" + colours[5:])
