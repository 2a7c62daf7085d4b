"""The clock of the budgets, as the compiled searches read it."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

import sys

from numba import njit, types

from solver.kernels.memory import (
    load64,
    store64,
)
from solver.kernels.slots import (
    BEST,
    CHECK_EVERY,
    CLOCK,
    CLOCK_KIND,
    DEADLINE_NS,
    MOST,
    NEXT_CHECK,
    NODES,
    SHARED,
    SPENT,
    STOP,
    UNIT,
)

if sys.platform == "win32":  # no clock of a thread there is fine enough: the wall clock instead
    _query = types.ExternalFunction("QueryPerformanceCounter", types.int32(types.int64))

    @njit("int64(int64)", nogil=True, cache=True)
    def cpu_clock(ctx: int) -> int:
        """Nanoseconds of the performance counter, whose tick is the context's clock kind."""
        _query(load64(ctx, CLOCK))
        return load64(load64(ctx, CLOCK), 0) * load64(ctx, CLOCK_KIND)

else:
    _gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.int64))

    @njit("int64(int64)", nogil=True, cache=True)
    def cpu_clock(ctx: int) -> int:
        """Nanoseconds of the clock that the context names."""
        _gettime(load64(ctx, CLOCK_KIND), load64(ctx, CLOCK))
        return load64(load64(ctx, CLOCK), 0) * 1_000_000_000 + load64(load64(ctx, CLOCK), 1)


@njit("int64(int64)", nogil=True, cache=True)
def must_stop(ctx: int) -> int:
    """Look at the clock, the stop flag and the best solution of all threads; 1 to give up."""
    shared = load64(ctx, SHARED)
    store64(ctx, NEXT_CHECK, load64(ctx, NODES) + CHECK_EVERY)
    if cpu_clock(ctx) > load64(ctx, DEADLINE_NS):
        store64(shared, STOP, 1)
    most = (load64(shared, BEST) - 1) // load64(ctx, UNIT) - load64(ctx, SPENT)
    if most < load64(ctx, MOST):
        store64(ctx, MOST, most)
    return load64(shared, STOP) != 0 or most < 0
