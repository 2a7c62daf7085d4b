"""Cubes of which one face is left alone; the tables are large, so most of it is exhaustive."""

import numpy as np
import pytest

from cube.moves import ALL_MOVES, FACES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from solver.errors import SolverError
from solver.search.anytime import solve
from solver.search.objectives import SearchTables, load_tables
from solver.tables import TableStore


def test_one_face_may_be_forbidden_and_needs_its_tables(store: TableStore) -> None:
    for forbidden in ("UD", "RFL", "X"):
        with pytest.raises(SolverError):
            load_tables(store, forbidden=forbidden)
    tables = load_tables(store)
    for these in (tables, SearchTables(tables.stages)):
        with pytest.raises(SolverError, match=r"\bD\b"):
            solve(SOLVED, tables=these, forbidden="D")


@pytest.fixture(scope="module")
def five(store: TableStore) -> SearchTables:
    return load_tables(store, forbidden="D")


@pytest.mark.exhaustive
def test_any_dead_face_is_left_alone(five: SearchTables) -> None:
    rng = np.random.default_rng(1)
    for face in FACES:
        for budget_ms in (0.01, 100, 100, 100, 100):
            state = random_state(rng)
            solution = solve(state, tables=five, forbidden=face, budget_ms=budget_ms)
            assert state.apply(solution.moves) == SOLVED
            assert all(move.face != face for move in solution.moves)
            assert len(solution.moves) <= 26 or budget_ms < 1


@pytest.mark.exhaustive
def test_short_scrambles_of_five_faces_are_answered_optimally(five: SearchTables) -> None:
    rng = np.random.default_rng(3)
    turns = [move for move in ALL_MOVES if move.face != "D"]
    for length in range(1, 9):
        scramble = MoveSequence.of(turns[i] for i in rng.integers(0, len(turns), length))
        state = SOLVED.apply(scramble)
        solution = solve(state, tables=five, forbidden="D", budget_ms=1000)
        assert len(solution.moves) <= len(scramble.simplified())
        assert solution.proven_optimal
    # A turn of the dead face is proven to take thirteen others: more than the cap of the first
    # phase two, so that no root may count before it is searched.
    dead = SOLVED.apply(MoveSequence.parse("D"))
    solution = solve(dead, tables=five, forbidden="D", budget_ms=60_000)
    assert len(solution.moves) == 13
    assert solution.proven_optimal
