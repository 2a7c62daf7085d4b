"""Several solutions of one state: all right, all different, all short."""

import itertools
from functools import partial

import numpy as np
import pytest

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.search.anytime import PRICE, solve
from solver.search.candidates import candidates
from solver.search.loading import SearchTables, load_tables
from solver.tables import TableStore


@pytest.fixture(scope="module")
def tables(store: TableStore) -> SearchTables:
    return load_tables(store)


def search(tables: SearchTables, state: CubeState, budget_ms: float) -> MoveSequence:
    return solve(state, tables=tables, budget_ms=budget_ms).moves


def test_each_solves_the_state(tables: SearchTables) -> None:
    for seed in range(2):
        state = random_state(np.random.default_rng(seed))
        found = list(candidates(state, partial(search, tables), budget_ms=20, each_ms=5, most=9))
        assert 2 <= len(found) == len(set(found)) <= 10
        for moves in found:
            assert state.apply(moves) == SOLVED
            assert len(moves) <= len(found[0]) + 4
    (first,) = itertools.islice(candidates(state, partial(search, tables), most=0), 2)
    assert state.apply(first) == SOLVED


def test_the_callers_price_decides(tables: SearchTables) -> None:
    """Only U and D cost something. The small tables give many answers at once, on any machine."""
    small = SearchTables(tables.stages)
    state, asked = random_state(np.random.default_rng(8)), {}

    def price(moves: MoveSequence) -> float:
        asked[moves] = float(sum(move.face in "UD" for move in moves))
        return asked[moves]

    solution = solve(state, tables=small, budget_ms=60_000, price=price)
    assert state.apply(solution.moves) == SOLVED
    assert solution.value == min(asked.values()) == asked[solution.moves]
    assert solution.objective == PRICE
    assert not solution.proven_optimal
    assert len(asked) > 20
    assert solution.value < price(solve(state, tables=small, budget_ms=60_000).moves)
