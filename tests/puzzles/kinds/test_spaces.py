"""The oracles turn as the program's puzzles do: points in space, and the stickers of a cube."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spaces import space_of
from sticker_cube import SOLVED, after, read, straight

from cube.held_moves import read_moves
from cube.state import SOLVED as SOLVED_STATE
from puzzles.kinds.catalogue import CATALOGUE, puzzle_named
from puzzles.kinds.puzzle import scrambled

NAMES = [listed.name for listed in CATALOGUE if listed.make]
NAMES += ["4x4x4", "5x5x5", "3x2x3", "2x3x4"]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=2)
@given(seed=st.integers(0, 2**32), number=st.integers(0, 10**6))
def test_words_have_the_same_order_in_space(name: str, seed: int, number: int) -> None:
    """What some turns do takes as many repetitions to vanish for the points as for stickers."""
    puzzle = puzzle_named(name)
    rng = np.random.default_rng(seed)
    made = [turn.name for turn in scrambled(puzzle, 1 + number % 2, rng)[1]]
    state, space, solved = puzzle.solved, space_of(name), space_of(name)
    turns = {turn.name: turn for turn in puzzle.turns}
    for _ in range(12):
        for turn in made:
            state = puzzle.apply(state, turns[turn])
            space.turn(turn)
        assert space.shows(solved) == (state == puzzle.solved)


@pytest.mark.parametrize("text", ["R U F' D2 L B", "M E' S2 R", "x y' M2", "S"])
def test_stickers_in_space_turn_as_the_programs_cube_does(text: str) -> None:
    state = SOLVED_STATE.apply(read_moves(text))
    assert read(state.to_facelets().text) == straight(after(SOLVED, text))
    assert read(state.to_facelets().text) == after(SOLVED, str(read_moves(text)))
