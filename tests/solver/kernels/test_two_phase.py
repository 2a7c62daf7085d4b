"""How a compiled search ends."""

import numpy as np
import pytest

from solver.kernels import axial, slots, two_phase
from solver.kernels.context import set_slots, shared_array


@pytest.mark.parametrize("search", [two_phase.search, axial.search])
@pytest.mark.parametrize(("best", "stop", "done"), [(20, 1, 0), (0, 0, 1)])
def test_a_search_says_whether_it_was_stopped(search, best: int, stop: int, done: int) -> None:
    """No table is looked at when somebody has stopped it, or nothing can be better."""
    context, shared = np.zeros(slots.CONTEXT_SIZE, np.int64), shared_array(best)
    shared[slots.STOP] = stop
    levels = np.ones(slots.MOST_LEVELS, np.int64)
    set_slots(context, {slots.SHARED: shared, slots.LEVELS: levels, slots.UNIT: 1})
    assert search(context.ctypes.data) == done
