"""How centres are turned (S3.12)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.moves import ALL_MOVES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from solver.centre_search import PHASE_TWO, CentreSolver, angle_moves, load_centres, parity_moves
from solver.centre_turns import STRAIGHT, Centres, random_centres
from solver.coordinates import pair_distances
from solver.errors import SolverError
from solver.tables import TableStore

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


@pytest.fixture(scope="module")
def solver(store: TableStore) -> CentreSolver:
    return load_centres(store)


def test_random_picture_cubes_end_with_their_pictures_straight(solver: CentreSolver) -> None:
    """S3.12: every state with fitting centres is solved, in about five turns more than usual."""
    rng = np.random.default_rng(12)
    lengths = []
    for _ in range(5):
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
