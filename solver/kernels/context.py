"""The context of a compiled search, written and read by Python."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.clock import CLOCK_KIND
from solver.kernels import slots

Ints = NDArray[np.int64]
PATH_BYTES, ROW_BYTES = 64, 40


def set_slots(context: Ints, values: Mapping[int, Any]) -> None:
    """Write numbers, and addresses of arrays, which the caller must keep alive."""
    for slot, value in values.items():
        context[slot] = value.ctypes.data if isinstance(value, np.ndarray) else value


def set_clock(context: Ints, clock: Ints, deadline_ns: int) -> None:
    """Set the time at which the search ends, by the thread's clock; ``clock`` has two places."""
    kind, deadline = slots.CLOCK_KIND, slots.DEADLINE_NS
    set_slots(context, {slots.CLOCK: clock, kind: CLOCK_KIND, deadline: deadline_ns})


def shared_array(best: int) -> Ints:
    """Return the threads' shared memory; only solutions below best are searched."""
    shared = np.zeros(slots.SHARED_SIZE, dtype=np.int64)
    shared[slots.BEST] = best
    return shared


def found_turns(shared: Ints) -> list[int]:
    """Return the turns of the best solution found."""
    turns: list[int] = shared[slots.FOUND_TURNS :][: shared[slots.FOUND_LENGTH]].tolist()
    return turns
