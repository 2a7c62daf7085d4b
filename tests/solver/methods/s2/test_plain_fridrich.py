"""S2's operator as it is printed: what it finds, and that it says where it gets stuck."""

import numpy as np
import pytest

from cube.moves import Move, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.methods.fridrich import Fridrich, _codes, moved_codes
from solver.methods.method import walk
from solver.methods.s2.plain_evolution import LONGEST, evolve_plainly
from solver.methods.s2.plain_fridrich import PlainFridrich


def evolved(state: CubeState, count: int, generations: int) -> tuple[list[int], int]:
    path, fittest = np.zeros(LONGEST, np.uint8), np.zeros(1, np.int64)
    given = (_codes(state), _codes(SOLVED), count, moved_codes(), np.array([7], np.uint64))
    length = evolve_plainly(*given, generations, path, fittest)
    return path[: max(length, 0)].tolist(), int(fittest[0])


@pytest.mark.source("S2.evolution")
@pytest.mark.parametrize("seed", range(3))
def test_the_plain_operator_places_a_cross(seed: int) -> None:
    state = random_state(np.random.default_rng(seed))
    turns, fittest = evolved(state, 4, 20_000)
    assert (0 < len(turns) <= LONGEST, fittest) == (True, 4)
    after = state.apply(MoveSequence(tuple(map(Move.from_index, turns))))
    assert (_codes(after)[:4] == _codes(SOLVED)[:4]).all()


@pytest.mark.source("S2.evolution")
def test_it_gets_stuck_where_ours_goes_on_and_says_where() -> None:
    state = random_state(np.random.default_rng(0))
    with pytest.raises(SolverError, match=r"\b500\b.*\b100\b"):
        walk(PlainFridrich(generations=500), state)
    assert state.apply(walk(Fridrich(), state).moves) == SOLVED
