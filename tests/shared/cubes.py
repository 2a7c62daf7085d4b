"""Cubes and moves for tests: random ones, what moves make of the solved one, and a twisted one."""

from functools import cache

import numpy as np
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState

SUPERFLIP = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
TWISTED = CubeState(tuple(range(8)), (1, *(0,) * 7), tuple(range(12)), (0,) * 12)
"""The solved cube with its first corner twisted: no turns solve it."""


@cache
def cube(seed: int) -> CubeState:
    """Return a random cube, the same for each seed."""
    return random_state(np.random.default_rng(seed))


def cube_after(moves: str) -> CubeState:
    """Return what moves make of the solved cube."""
    return SOLVED.apply(MoveSequence.parse(moves))


RANDOM_CUBES = st.integers(0, 2**32).map(cube)


def sequences(most: int, *, least: int = 0) -> st.SearchStrategy[MoveSequence]:
    """Draw moves, of which some may cancel each other."""
    return st.lists(st.sampled_from(ALL_MOVES), min_size=least, max_size=most).map(MoveSequence.of)
