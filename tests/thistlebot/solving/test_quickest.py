"""Scrambles worth solving, and solutions where only a plan tells the time."""

from pathlib import Path

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState, move_states
from robot.rigs.catalogue import named_rig
from solver.goal import Goal
from solver.search.anytime import candidates, solve
from solver.search.objectives import load_tables
from solver.stages.solution import Solution
from solver.tables import TableStore
from thistlebot.solving.approach import LEAN_MB, Approach
from thistlebot.solving.solver import Solving, quickest, random_scramble

STATE = SOLVED.apply(MoveSequence.parse("R U F2 D' L B2 R' U2"))
RIG = named_rig("cubotino")


def test_the_quickest_of_many_solutions_is_taken(cache_folder: Path) -> None:
    tables = load_tables(TableStore(cache_folder / "tables"), full=False)
    found = quickest(STATE, tables, RIG, 60_000.0)

    def search(state: CubeState, budget_ms: float) -> MoveSequence:
        return solve(state, tables=tables, budget_ms=budget_ms).moves

    every = [RIG.plan(moves).time_s for moves in candidates(STATE, search)]
    assert STATE.apply(found.moves) == SOLVED
    assert found.objective == "time"
    assert found.value == pytest.approx(1000 * RIG.plan(found.moves).time_s)
    assert found.value == pytest.approx(1000 * min(every))
    assert min(every) < every[0]  # so it was worth looking
    at_once = quickest(STATE, tables, RIG, 1e-6)  # without time the first one has to do
    assert at_once.moves == solve(STATE, tables=tables, budget_ms=1e-6).moves


def test_a_machine_that_handles_the_cube_is_asked_for_its_time(cache_folder: Path) -> None:
    """Also with the lean tables, and when nobody names what is to be minimised."""
    short = Solving(cache_folder, Approach(goal=Goal.HTM), RIG)(STATE)
    for approach in (
        Approach(goal=Goal.TIME, budget_ms=2000.0),
        Approach(rig_turns=True, budget_ms=2000.0, memory_mb=LEAN_MB),
    ):
        solving = Solving(cache_folder, approach, RIG, build=True)
        assert solving.wait(600)
        found = solving(STATE)
        assert STATE.apply(found.moves) == SOLVED
        assert found.objective == "time"
        assert RIG.plan(found.moves).time_s <= RIG.plan(short.moves).time_s
    assert Solving(cache_folder, Approach(goal=Goal.TIME), named_rig("six")).objective.timed


def test_no_scramble_is_less_than_two_turns_from_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for such a draw: the first ones are made to be."""
    near = iter([SOLVED, *move_states()])
    drawn: list[CubeState] = []

    def draw(rng: np.random.Generator) -> CubeState:
        drawn.append(next(near, None) or random_state(rng))
        return drawn[-1]

    monkeypatch.setattr("thistlebot.solving.solver.random_state", draw)
    solved: list[CubeState] = []

    def solve(state: CubeState) -> Solution:
        solved.append(state)
        return Solution(state, MoveSequence())

    random_scramble(solve, np.random.default_rng(1))
    assert solved == drawn[-1:]
    assert len(drawn) == 20
