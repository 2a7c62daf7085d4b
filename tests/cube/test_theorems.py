"""What S1 and S3 prove of the cube; docs/mathematics.md names these tests."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.laws import ORBITS, orbit_of
from cube.pieces import CORNERS, EDGES
from cube.random_states import random_reassembly, random_state
from cube.state import CubeState

REASSEMBLIES = st.integers(0, 2**32).map(lambda s: random_reassembly(np.random.default_rng(s)))


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


def changed(state: CubeState) -> tuple[set[str], set[str]]:
    """The corners and edges that are not as in the solved cube, by their places."""
    corners = {
        CORNERS[i]
        for i in range(8)
        if state.corner_permutation[i] != i or state.corner_orientation[i]
    }
    edges = {
        EDGES[i] for i in range(12) if state.edge_permutation[i] != i or state.edge_orientation[i]
    }
    return corners, edges
