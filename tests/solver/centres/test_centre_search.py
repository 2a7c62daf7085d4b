"""Cubes whose centres have to stand straight (S3.12)."""

import numpy as np
import pytest

from cube.errors import InvalidCubeError
from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from solver.centre_search import PHASE_TWO, CentreSolver, angle_moves, load_centres, parity_moves
from solver.centre_turns import STRAIGHT, Centres, random_centres
from solver.coordinates import pair_distances
from solver.errors import SolverError
from solver.tables import TableStore


@pytest.fixture(scope="module")
def solver(store: TableStore) -> CentreSolver:
    return load_centres(store)


def test_random_picture_cubes_end_with_their_pictures_straight(solver: CentreSolver) -> None:
    """S3.12: every state with fitting centres is solved, in about five turns more than usual."""
    rng = np.random.default_rng(12)
    lengths = []
    for _ in range(10):
        state = random_state(rng)
        angles = random_centres(state, rng)
        moves = solver.solve(state, angles, budget_ms=20).moves
        assert state.apply(moves) == SOLVED
        assert angles.apply(moves) == STRAIGHT
        lengths.append(len(moves))
    assert max(lengths) <= 32


def test_shortest_ways_and_impossible_centres(solver: CentreSolver) -> None:
    """None for a solved cube; and ten turns turn two opposite centres by 180 degrees."""
    assert len(solver.solve(SOLVED, STRAIGHT).moves) == 0
    scramble = MoveSequence.parse("R U F2 L")
    angles = STRAIGHT.apply(scramble)
    assert len(solver.solve(SOLVED.apply(scramble), angles).moves) == 4
    assert len(solver.solve(SOLVED, Centres.parse("U2 D2"), budget_ms=400).moves) == 10
    with pytest.raises(InvalidCubeError):
        solver.solve(SOLVED, Centres.parse("U1"))
    with pytest.raises(InvalidCubeError):
        solver.solve(SOLVED.apply(MoveSequence.parse("R")), STRAIGHT)
    with pytest.raises(SolverError):
        solver.solve(SOLVED, STRAIGHT, budget_ms=0)


def test_coordinates_of_the_centres_follow_the_turns() -> None:
    """Table against counting, for every turn of phase two and every value."""
    table = angle_moves()
    for value in range(256):
        sides = tuple(2 * (value >> place & 1) for place in range(4, 8))
        angles = Centres((value & 3, sides[0], sides[1], value >> 2 & 3, sides[2], sides[3]))
        for turn in PHASE_TWO:
            after = angles.apply(MoveSequence((ALL_MOVES[turn],))).turns
            wanted = after[0] | after[3] << 2
            wanted |= sum((after[f] // 2) << 4 + p for p, f in enumerate((1, 2, 4, 5)))
            assert table[value, turn] == wanted
    odd = pair_distances(parity_moves(), np.zeros((1, 18), dtype=np.uint16), tuple(range(18)))
    assert odd.max() == 4  # four side centres, a turn each
