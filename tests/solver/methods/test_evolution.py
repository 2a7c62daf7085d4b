"""S2's evolution by itself: what a sequence that it finds is like."""

from itertools import pairwise

import numpy as np
import pytest

from cube.moves import Move, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from solver.methods.evolution import LONGEST, evolve
from solver.methods.fridrich import _codes, _face_pairs, moved_codes


@pytest.mark.parametrize("seed", range(4))
def test_a_cross_is_evolved_that_turns_no_face_twice_in_a_row(seed: int) -> None:
    state, cross = random_state(np.random.default_rng(seed)), 4
    path, generator = np.zeros(LONGEST, np.uint8), np.array([2 * seed + 1], np.uint64)
    pairs = _face_pairs(0)
    given = (_codes(state), _codes(SOLVED), cross, moved_codes(), pairs, generator)
    length = evolve(*given, 1000, 60, cross, 4, path)
    assert 0 < length < 60
    moves = MoveSequence(tuple(map(Move.from_index, path[:length].tolist())))
    assert (_codes(state.apply(moves))[:cross] == _codes(SOLVED)[:cross]).all()
    faces = [move.face for move in moves]
    assert all(one != other for one, other in pairwise(faces))
