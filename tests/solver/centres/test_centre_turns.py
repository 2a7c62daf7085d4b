"""How centres are turned (S3.12)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from solver.centre_turns import STRAIGHT, Centres, random_centres
from solver.errors import SolverError

TURNS = st.lists(st.sampled_from(ALL_MOVES), max_size=30).map(MoveSequence.of)


@settings(max_examples=20)
@given(TURNS)
def test_what_turns_make_fits_and_their_undoing_straightens(moves: MoveSequence) -> None:  # S3.12
    centres = STRAIGHT.apply(moves)
    assert centres.fits(SOLVED.apply(moves))
    assert centres.apply(moves.inverse()) == STRAIGHT
    assert STRAIGHT.apply(moves.simplified()) == centres
    assert Centres.parse(str(centres)) == centres


def test_half_of_all_centres_fit_a_state_and_their_notation() -> None:
    # S3.12: 4^6 / 2
    rng = np.random.default_rng(1)
    state = random_state(rng)
    every = [Centres(tuple(n >> 2 * i & 3 for i in range(6))) for n in range(4**6)]
    assert sum(centres.fits(state) for centres in every) == 2048
    assert all(random_centres(state, rng).fits(state) for _ in range(100))
    assert Centres.parse("u0 R1 F2 D0 L3 B0").turns == (0, 1, 2, 0, 3, 0)
    assert Centres.parse("L3") == Centres((0, 0, 0, 0, 3, 0))
    for text in ("", "U4", "UU", "U1U2", "X1"):
        with pytest.raises(SolverError, match="U0R1F2D0L3B0"):
            Centres.parse(text)
    with pytest.raises(SolverError):
        Centres((0, 1))
