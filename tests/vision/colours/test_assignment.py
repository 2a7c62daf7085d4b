"""Sharing out at the least cost, held against SciPy's solver."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from vision.colours.assignment import cheapest_assignment

SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12), st.sampled_from([1, 4, 8]))


@settings(max_examples=40)
@given(SHAPES, st.integers(0, 10**6), st.sampled_from([1.0, 100.0, 1e4]))
def test_nothing_cheaper_exists(shape: tuple[int, int, int], seed: int, scale: float) -> None:
    rows, columns, times = shape
    rows = min(rows * times, columns * times)
    costs = np.round(np.random.default_rng(seed).random((rows, columns)), 1) * scale
    chosen = cheapest_assignment(costs, times)
    each, places = linear_sum_assignment(np.repeat(costs, times, axis=1))
    least = np.repeat(costs, times, axis=1)[each, places].sum()
    assert np.bincount(chosen, minlength=columns).max() <= times
    assert costs[np.arange(rows), chosen].sum() == pytest.approx(least, rel=1e-6, abs=1e-5 * scale)
