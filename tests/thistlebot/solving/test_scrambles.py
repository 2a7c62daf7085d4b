"""Scrambles that are worth solving."""

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState, move_states
from solver.stages.solution import Solution
from thistlebot.solving.scrambles import random_scramble


def test_no_scramble_is_less_than_two_turns_from_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for such a draw: the first ones are made to be."""
    near = iter([SOLVED, *move_states()])
    drawn: list[CubeState] = []

    def draw(rng: np.random.Generator) -> CubeState:
        drawn.append(next(near, None) or random_state(rng))
        return drawn[-1]

    monkeypatch.setattr("thistlebot.solving.scrambles.random_state", draw)
    solved: list[CubeState] = []

    def solve(state: CubeState) -> Solution:
        solved.append(state)
        return Solution(state, MoveSequence())

    random_scramble(solve, np.random.default_rng(1))
    assert solved == drawn[-1:]
    assert len(drawn) == 20
