import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.facelets import SOLVED_FACELETS, Facelets
from cube.laws import ORBITS, Orbit, examine, examine_state, orbit_of
from cube.moves import ALL_MOVES, Move
from cube.random_states import random_state
from cube.state import SOLVED, CubeState

seeds = st.integers(0, 2**32)


@pytest.mark.source("S3.invariants")
@given(seeds, st.sampled_from(ORBITS), st.sampled_from(ALL_MOVES))
def test_no_turn_leaves_an_orbit(seed: int, orbit: Orbit, move: Move) -> None:
    """S3: the three invariants do not change under face turns."""
    state = random_state(np.random.default_rng(seed), orbit)
    assert orbit_of(state) == orbit
    assert orbit_of(state.apply(move)) == orbit


@pytest.mark.source("S1.theorem")
@given(seeds, st.sampled_from(ORBITS))
def test_exactly_one_orbit_in_twelve_is_solvable(seed: int, orbit: Orbit) -> None:
    """S1's theorem: each broken congruence is named, and nothing else is."""
    verdict = examine(random_state(np.random.default_rng(seed), orbit).to_facelets())
    broken = {problem.law for problem in verdict.problems}
    expected = {
        law
        for law, value in zip(
            ("corner-twist", "edge-flip", "parity"),
            (orbit.corner_twist, orbit.edge_flip, orbit.parity),
            strict=True,
        )
        if value
    }
    assert broken == expected
    assert verdict.solvable == (orbit == ORBITS[0])
    assert verdict.orbit == orbit


def test_the_twelve_orbits_are_numbered_and_the_solvable_one_is_the_first() -> None:
    assert [orbit.number for orbit in ORBITS] == list(range(12))
    assert orbit_of(SOLVED).number == 0


def test_random_states_are_uniform_in_places() -> None:
    rng = np.random.default_rng(7)
    tries = 6_000
    seen = np.zeros((12, 12), int)
    for _ in range(tries):
        state = random_state(rng)
        seen[np.arange(12), state.edge_permutation] += 1
    deviation = np.sqrt(tries * 1 / 12 * 11 / 12)
    assert np.all(np.abs(seen - tries / 12) < 5 * deviation)


def test_seeds_reproduce() -> None:
    a, b = (random_state(np.random.default_rng(5)) for _ in range(2))
    assert a == b


@pytest.mark.source("S1.consequences")
@pytest.mark.parametrize("places", [(0, 3), (6, 1)])
def test_swapped_pieces_are_named(places: tuple[int, int]) -> None:
    """S1: no two pieces can be swapped alone."""
    corners = list(range(8))
    corners[places[0]], corners[places[1]] = corners[places[1]], corners[places[0]]
    state = CubeState(tuple(corners), (0,) * 8, tuple(range(12)), (0,) * 12)
    (problem,) = examine_state(state).problems
    assert problem.law == "parity"
    assert len(problem.pieces) == 2


@pytest.mark.source("S1.consequences")
def test_a_twisted_corner_is_named() -> None:
    """S1: no single corner twisted."""
    state = CubeState(tuple(range(8)), (0, 0, 1) + (0,) * 5, tuple(range(12)), (0,) * 12)
    (problem,) = examine(state.to_facelets()).problems
    assert (problem.law, problem.pieces) == ("corner-twist", ("ULB",))
    assert "ULB is twisted clockwise" in problem.text


@pytest.mark.source("S1.consequences")
def test_a_flipped_edge_is_named() -> None:
    """S1: no single edge flipped."""
    state = CubeState(tuple(range(8)), (0,) * 8, tuple(range(12)), (0,) * 11 + (1,))
    (problem,) = examine(state.to_facelets()).problems
    assert (problem.law, problem.pieces) == ("edge-flip", ("BR",))


def test_of_two_twisted_corners_neither_is_named() -> None:
    state = CubeState(tuple(range(8)), (0, 1, 1) + (0,) * 5, tuple(range(12)), (0,) * 12)
    (problem,) = examine(state.to_facelets()).problems
    assert (problem.law, problem.pieces) == ("corner-twist", ())


def test_wrong_counts() -> None:
    verdict = examine(Facelets("R" + SOLVED_FACELETS.text[1:]))
    (problem,) = verdict.problems
    assert problem.law == "counts"
    assert "8 of U, 10 of R" in problem.text
    assert verdict.orbit is None


def test_impossible_and_doubled_pieces() -> None:
    # U9 and R1 belong to the corner URF; swapped they make a mirror image, which is no piece.
    text = list(SOLVED_FACELETS.text)
    text[8], text[9] = text[9], text[8]
    (problem,) = examine(Facelets("".join(text))).problems
    assert (problem.law, problem.pieces) == ("pieces", ("URF",))
    # The second stickers of UF and DB exchanged: UB is there twice, and so is DF.
    text = list(SOLVED_FACELETS.text)
    text[19], text[52] = text[52], text[19]
    problems = examine(Facelets("".join(text))).problems
    assert {problem.pieces for problem in problems} == {("UF", "UB"), ("DF", "DB")}
    with pytest.raises(InvalidCubeError, match="is there 2 times"):
        CubeState.from_facelets(Facelets("".join(text)))


def test_a_wrong_centre_is_named() -> None:
    text = list(SOLVED_FACELETS.text)
    text[4], text[9] = text[9], text[4]
    (problem,) = examine(Facelets("".join(text))).problems
    assert (problem.law, problem.pieces) == ("pieces", ("U5",))


def test_the_solved_cube_breaks_no_law() -> None:
    assert examine(SOLVED_FACELETS).solvable
    assert examine_state(SOLVED).orbit == ORBITS[0]
