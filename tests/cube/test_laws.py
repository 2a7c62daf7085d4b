"""The laws of the cube: what turns keep, and what is said of a cube that breaks them."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import InvalidCubeError
from cube.facelets import SOLVED_FACELETS, Facelets
from cube.laws import ORBITS, Orbit, examine, examine_state, orbit_of
from cube.moves import ALL_MOVES, Move
from cube.random_states import random_state
from cube.state import SOLVED, CubeState

seeds = st.integers(0, 2**32)


@settings(max_examples=30)
@given(seeds, st.sampled_from(ORBITS), st.sampled_from(ALL_MOVES))
def test_no_turn_leaves_an_orbit(seed: int, orbit: Orbit, move: Move) -> None:
    """S3: the three invariants do not change under face turns."""
    state = random_state(np.random.default_rng(seed), orbit)
    assert orbit_of(state) == orbit
    assert orbit_of(state.apply(move)) == orbit


@settings(max_examples=30)
@given(seeds, st.sampled_from(ORBITS))
def test_exactly_one_orbit_in_twelve_is_solvable(seed: int, orbit: Orbit) -> None:
    """S1's theorem: each broken congruence is named, and nothing else is."""
    verdict = examine(random_state(np.random.default_rng(seed), orbit).to_facelets())
    broken = {problem.law for problem in verdict.problems}
    values = {
        "corner-twist": orbit.corner_twist,
        "edge-flip": orbit.edge_flip,
        "parity": orbit.parity,
    }
    assert broken == {law for law, value in values.items() if value}
    assert verdict.solvable == (orbit == ORBITS[0])
    assert verdict.orbit == orbit


def test_the_twelve_orbits_are_numbered_and_random_states_are_uniform() -> None:
    assert [orbit.number for orbit in ORBITS] == list(range(12))
    assert orbit_of(SOLVED).number == 0
    assert examine(SOLVED_FACELETS).solvable
    assert examine_state(SOLVED).orbit == ORBITS[0]
    rng = np.random.default_rng(7)
    tries = 6_000
    seen = np.zeros((12, 12), int)
    for _ in range(tries):
        state = random_state(rng)
        seen[np.arange(12), state.edge_permutation] += 1
    deviation = np.sqrt(tries * 1 / 12 * 11 / 12)
    assert np.all(np.abs(seen - tries / 12) < 5 * deviation)
    a, b = (random_state(np.random.default_rng(5)) for _ in range(2))
    assert a == b


def test_swapped_pieces_are_named() -> None:
    """S1: no two pieces can be swapped alone. In a longer cycle, none is named."""
    for cycle, named in (((0, 3), 2), ((6, 1), 2), ((0, 1, 2, 3), 0)):
        for count in (8, 12):
            order = list(range(count))
            for at, piece in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
                order[at] = piece
            corners, edges = (order, range(12)) if count == 8 else (range(8), order)
            state = CubeState(tuple(corners), (0,) * 8, tuple(edges), (0,) * 12)
            (problem,) = examine_state(state).problems
            assert (problem.law, len(problem.pieces)) == ("parity", named)


def test_a_twisted_corner_is_named() -> None:
    """S1: no single corner twisted. Of two that are, neither is named."""
    state = CubeState(tuple(range(8)), (0, 0, 1) + (0,) * 5, tuple(range(12)), (0,) * 12)
    (problem,) = examine(state.to_facelets()).problems
    assert (problem.law, problem.pieces) == ("corner-twist", ("ULB",))
    assert "ULB" in problem.text
    two = CubeState(tuple(range(8)), (0, 1, 1) + (0,) * 5, tuple(range(12)), (0,) * 12)
    (problem,) = examine(two.to_facelets()).problems
    assert (problem.law, problem.pieces) == ("corner-twist", ())


def test_a_flipped_edge_is_named() -> None:
    """S1: no single edge flipped."""
    state = CubeState(tuple(range(8)), (0,) * 8, tuple(range(12)), (0,) * 11 + (1,))
    (problem,) = examine(state.to_facelets()).problems
    assert (problem.law, problem.pieces) == ("edge-flip", ("BR",))


def exchanged(one: int, other: int) -> Facelets:
    text = list(SOLVED_FACELETS.text)
    text[one], text[other] = text[other], text[one]
    return Facelets("".join(text))


def test_wrong_counts_and_impossible_and_doubled_pieces_are_named() -> None:
    verdict = examine(Facelets("R" + SOLVED_FACELETS.text[1:]))
    (problem,) = verdict.problems
    assert problem.law == "counts"
    assert re.search(r"\b8 \w+ U\b.*\b10 \w+ R\b", problem.text)
    assert verdict.orbit is None
    # U9 and R1 belong to the corner URF; swapped they make a mirror image, which is no piece.
    (problem,) = examine(exchanged(8, 9)).problems
    assert (problem.law, problem.pieces) == ("pieces", ("URF",))
    # The second stickers of UF and DB exchanged: UB is there twice, and so is DF.
    doubled = exchanged(19, 52)
    assert {each.pieces for each in examine(doubled).problems} == {("UF", "UB"), ("DF", "DB")}
    with pytest.raises(InvalidCubeError, match=r"\b2\b"):
        CubeState.from_facelets(doubled)
    (problem,) = examine(exchanged(4, 9)).problems  # a wrong centre
    assert (problem.law, problem.pieces) == ("pieces", ("U5",))


def test_a_reassembly_is_solvable_with_probability_one_in_twelve() -> None:
    """100 000 arbitrary re-assemblies: each orbit has a twelfth, within 4.5 deviations."""
    count = 100_000
    rng = np.random.default_rng(1982)
    corners = rng.permuted(np.tile(np.arange(8), (count, 1)), axis=1)
    edges = rng.permuted(np.tile(np.arange(12), (count, 1)), axis=1)
    twist = rng.integers(0, 3, (count, 8)).sum(axis=1) % 3
    flip = rng.integers(0, 2, (count, 12)).sum(axis=1) % 2
    parity = (inversions(corners) + inversions(edges)) % 2
    numbers = 4 * twist + 2 * flip + parity
    counts = np.bincount(numbers, minlength=12)
    deviation = math.sqrt(count / 12 * 11 / 12)
    assert np.all(np.abs(counts - count / 12) < 4.5 * deviation)
    for row in range(0, count, 5000):  # the sums above are what the laws look at
        state = CubeState(
            tuple(corners[row].tolist()), (0,) * 8, tuple(edges[row].tolist()), (0,) * 12
        )
        assert orbit_of(state).parity == parity[row]


def inversions(rows: np.ndarray) -> np.ndarray:
    size = rows.shape[1]
    pairs = [rows[:, i] > rows[:, j] for i in range(size) for j in range(i + 1, size)]
    return np.sum(pairs, axis=0)


@settings(max_examples=20)
@given(st.sampled_from(ORBITS), st.integers(0, 2**32))
def test_all_orbits_have_the_size_of_the_group(orbit, seed: int) -> None:
    """The states of an orbit are one of them times the solvable ones: a bijection."""
    rng = np.random.default_rng(seed)
    origin, state = random_state(rng, orbit), random_state(rng, orbit)
    solvable = origin.inverse() * state
    assert orbit_of(solvable) == ORBITS[0]
    assert origin * solvable == state
