"""Every method solves, can be taken up again after any step, and turns single faces only."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.held_moves import read_moves
from cube.moves import ALL_MOVES, MoveSequence
from cube.notations import parse_facelets
from cube.pieces import CORNERS, EDGES
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.methods.catalogue import ENTRIES, NAMES, PUBLISHED, load_method
from solver.methods.method import Method, misplaced, moved_pieces, walk
from solver.tables import TableStore

NEAR = MoveSequence.parse("R U' F2")


def states(seed: int, count: int) -> list[CubeState]:
    rng = np.random.default_rng(seed)
    return [random_state(rng) for _ in range(count)]


@pytest.fixture(scope="module", params=[entry.name for entry in ENTRIES])
def method(request: pytest.FixtureRequest, store: TableStore) -> Method:
    return load_method(request.param, store)


def start(method: Method, seed: int = 5) -> CubeState:
    """A state that the method reaches."""
    anywhere = {entry.name: entry.any_state for entry in ENTRIES}[method.name]
    return states(seed, 1)[0] if anywhere else SOLVED.apply(NEAR)


def test_a_method_solves_and_can_be_taken_up_after_any_step(method: Method) -> None:
    state = start(method)
    steps = walk(method, state).steps
    assert steps
    here = state
    again = set(range(len(steps))[:: max(1, len(steps) // 4)])
    for number, step in enumerate(steps):
        assert step.name
        assert step.caption.endswith(".")
        assert step.settles
        assert set(step.pieces) <= {*CORNERS, *EDGES}
        here = here.apply(step.moves)
        if number in again:
            assert here.apply(walk(method, here).moves) == SOLVED
    assert here == SOLVED


def test_a_walk_tells_the_processor_time_that_it_took() -> None:
    method, state = load_method("layers"), states(8, 1)[0]
    before = time.thread_time()
    made = walk(method, state)
    assert 0 < made.cpu_ms <= 1000 * (time.thread_time() - before)


@pytest.mark.parametrize("name", ["layers", "fridrich", "thistlethwaite-iddfs"])
def test_the_same_state_gives_the_same_steps(name: str, store: TableStore) -> None:
    method = load_method(name, store)
    state = start(method, 6)
    assert walk(method, state).steps == walk(method, state).steps


def test_a_solved_cube_needs_no_step_and_one_that_no_turns_solve_is_refused(method: Method) -> None:
    assert not walk(method, SOLVED).steps
    twisted = CubeState(tuple(range(8)), (1,) + (0,) * 7, tuple(range(12)), (0,) * 12)
    with pytest.raises(InvalidCubeError):
        walk(method, twisted)


def test_unknown_methods_and_deep_states_are_refused() -> None:
    # S5: deeper states are out of reach
    with pytest.raises(SolverError, match=r"\b4\b"):
        walk(load_method("backtracking"), states(7, 1)[0])
    with pytest.raises(SolverError, match=r"'roux'.*layers"):
        load_method("roux")
    assert len(set(NAMES)) == len(ENTRIES)


def test_backtracking_and_both_ends_turn_slices_and_find_the_fewest() -> None:  # S5, S4
    for text in ("M", "R U F", "M' U2 E", "L S2 D' R"):
        state = SOLVED.apply(read_moves(text))
        for name in ("backtracking", "bidirectional"):
            steps = walk(load_method(name), state).steps
            assert f": {len(text.split())} " in steps[0].caption


def test_published_states_are_s4s_own() -> None:  # S4
    text = "grbryoyborbbbbobbbryyyrgrrgggyygrogroyygoogoowwwwwwwww"
    published = [figure.facelets for figure in PUBLISHED if figure.source == "S4"]
    assert published[0] == parse_facelets(text).text
    assert len(published) == 3
    assert {figure.beside for figure in PUBLISHED} <= set(NAMES)


@settings(max_examples=15)
@given(st.lists(st.sampled_from(ALL_MOVES), max_size=6), st.sampled_from(ALL_MOVES))
def test_moved_pieces_are_those_of_the_faces_turned(made: list, move) -> None:
    state = SOLVED.apply(MoveSequence.of(made))
    moved = moved_pieces(state, state.apply(move))
    assert len(moved) == 8
    places = {name for name in (*CORNERS, *EDGES) if move.face in name}
    before = dict(zip(CORNERS, (CORNERS[i] for i in state.corner_permutation), strict=True))
    before |= dict(zip(EDGES, (EDGES[i] for i in state.edge_permutation), strict=True))
    assert set(moved) == {before[place] for place in places}
    assert misplaced(SOLVED) == ()
    assert set(misplaced(SOLVED.apply(move))) == places
