"""How a compiled search ends."""

import numpy as np
import pytest

from solver.kernels import slots
from solver.kernels.context import set_slots, shared_array
from solver.kernels.machine_code import machine_function


@pytest.mark.parametrize("room", ["single", "axial"])
@pytest.mark.parametrize(("best", "stop", "done"), [(20, 1, 0), (0, 0, 1)])
def test_a_search_says_whether_it_was_stopped(room: str, best: int, stop: int, done: int) -> None:
    """No table is looked at when somebody has stopped it, or nothing can be better."""
    context, shared = np.zeros(slots.CONTEXT_SIZE, np.int64), shared_array(best)
    shared[slots.STOP] = stop
    levels = np.ones(slots.MOST_LEVELS, np.int64)
    set_slots(context, {slots.SHARED: shared, slots.LEVELS: levels, slots.UNIT: 1})
    assert machine_function(f"{room}.search", "search")(context.ctypes.data) == done
