"""How a beam over masks chooses states: by their totals."""

from math import gcd

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.paths.kernels.mask_beam import REFUSED, sort_totals


@settings(max_examples=10)
@given(
    rows=st.lists(st.lists(st.integers(0, 60), min_size=3, max_size=3), min_size=1, max_size=8),
    far=st.sets(st.integers(0, 23)),
    room=st.integers(1, 30),
    step=st.integers(1, 40),
)
def test_the_least_totals_come_first(
    rows: list[list[int]], far: set[int], room: int, step: int
) -> None:
    """They are those at the head of the sorted list, without turns that may not follow."""
    totals = np.array(rows, np.int32)
    totals.ravel()[[at for at in far if at < totals.size]] = REFUSED
    while gcd(step, totals.size) > 1:
        step += 1
    best = np.full(room, -1)
    count = sort_totals(totals, step, best)
    wanted = sorted(total for total in totals.ravel().tolist() if total < REFUSED)[:room]
    assert totals.ravel()[best[:count]].tolist() == wanted
    assert len(set(best[:count].tolist())) == count
