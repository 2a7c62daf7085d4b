"""Every method solves, can be taken up again after any step, and turns single faces only."""

import numpy as np
import pytest

from cube.errors import InvalidCubeError
from cube.moves import MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.tables import TableStore
from teaching.methods.catalogue import ENTRIES, NAMES, load_method
from teaching.methods.method import SolvingMethod, walk
from thistlebot.words.words import load_words

NEAR = MoveSequence.parse("R U' F2")


def states(seed: int, count: int) -> list[CubeState]:
    rng = np.random.default_rng(seed)
    return [random_state(rng) for _ in range(count)]


@pytest.fixture(scope="module", params=[entry.name for entry in ENTRIES])
def method(request: pytest.FixtureRequest, store: TableStore) -> SolvingMethod:
    return load_method(request.param, store)


def start(method: SolvingMethod, seed: int = 5) -> CubeState:
    """A state that the method reaches."""
    anywhere = {entry.name: entry.any_state for entry in ENTRIES}[method.name]
    return states(seed, 1)[0] if anywhere else SOLVED.apply(NEAR)


def test_a_method_solves_and_can_be_taken_up_after_any_step(method: SolvingMethod) -> None:
    state = start(method)
    steps = walk(method, state).steps
    assert steps
    here = state
    again = set(range(len(steps))[:: max(1, len(steps) // 4)])
    for number, step in enumerate(steps):
        assert step.name
        for language in ("en", "fr", "ru"):
            words = load_words(language)
            assert step.title(words)
            assert step.caption.text(words).endswith(".")
            assert step.settles.text(words)
        assert set(step.pieces) <= {*CORNERS, *EDGES}
        here = here.apply(step.moves)
        if number in again:
            assert here.apply(walk(method, here).moves) == SOLVED
    assert here == SOLVED


def test_a_solved_cube_needs_no_step_and_one_that_no_turns_solve_is_refused(
    method: SolvingMethod,
) -> None:
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
