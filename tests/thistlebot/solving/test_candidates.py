"""Several solutions of one state: all right, all different, all short."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from cube.random_states import random_state
from cube.state import SOLVED
from robot.rigs.catalogue import default_rig
from solver.search.loading import SearchTables
from thistlebot.solving.approach import Approach
from thistlebot.solving.candidates import candidates
from thistlebot.solving.solver import Solving


@pytest.fixture(scope="module")
def tables(cache_folder: Path) -> SearchTables:
    solving = Solving(cache_folder, Approach(), default_rig(), build=True)
    assert solving.wait(200)
    return solving.tables()


@pytest.mark.parametrize("seed", range(3))
def test_each_solves_the_state(tables: SearchTables, seed: int) -> None:
    state = random_state(np.random.default_rng(seed))
    found = list(candidates(state, tables, budget_ms=20, each_ms=5, most=9))
    assert 2 <= len(found) == len(set(found)) <= 10
    for moves in found:
        assert state.apply(moves) == SOLVED
        assert len(moves) <= len(found[0]) + 4


def test_the_first_one_comes_first(tables: SearchTables) -> None:
    state = random_state(np.random.default_rng(5))
    (first,) = itertools.islice(candidates(state, tables, most=0), 2)
    assert state.apply(first) == SOLVED
