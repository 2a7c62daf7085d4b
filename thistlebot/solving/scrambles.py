"""Random scrambles, as of a competition."""

import numpy as np

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, move_states
from thistlebot.solving.solver import Solve


def random_scramble(solver: Solve, rng: np.random.Generator) -> MoveSequence:
    """Return moves that lead from the solved cube to a random state.

    All states are equally likely but those that less than two turns solve, which the rules of
    competitions leave out (WCA 4b3).
    """
    near = (SOLVED, *move_states())
    while (state := random_state(rng)) in near:
        pass
    return solver(state).moves.inverse()
