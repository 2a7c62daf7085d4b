"""The clock of the budgets for the compiled searches."""

# intrinsics have numba's types, not Python's:
# mypy: disable-error-code="no-any-return"

import sys

from numba import types

from solver.kernels import slots
from solver.kernels.compiled import inlined, inner, ints
from solver.kernels.memory import address, load64, store64

if sys.platform == "win32":  # no thread clock there is precise enough: use the wall clock instead
    _query = types.ExternalFunction("QueryPerformanceCounter", types.int32(types.int64))

    @inlined
    def cpu_clock(ctx: int) -> int:
        """Return nanoseconds of the performance counter, whose tick is the context's clock kind."""
        _query(address(ctx, slots.CLOCK))
        return load64(address(ctx, slots.CLOCK), 0) * address(ctx, slots.CLOCK_KIND)

else:
    _gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.int64))

    @inlined
    def cpu_clock(ctx: int) -> int:
        """Return nanoseconds of the clock that the context names."""
        _gettime(address(ctx, slots.CLOCK_KIND), address(ctx, slots.CLOCK))
        return load64(address(ctx, slots.CLOCK), 0) * 1_000_000_000 + load64(
            address(ctx, slots.CLOCK), 1
        )


@inner(ints(1))
def must_stop(ctx: int) -> int:
    """Check the clock, the stop flag and the best solution of all threads; return 1 to give up."""
    shared = address(ctx, slots.SHARED)
    store64(ctx, slots.NEXT_CHECK, load64(ctx, slots.NODES) + slots.CHECK_EVERY)
    if cpu_clock(ctx) > load64(ctx, slots.DEADLINE_NS):
        store64(shared, slots.STOP, 1)
    most = (load64(shared, slots.BEST) - 1) // load64(ctx, slots.UNIT) - load64(ctx, slots.SPENT)
    if most < load64(ctx, slots.MOST):
        store64(ctx, slots.MOST, most)
    return load64(shared, slots.STOP) != 0 or most < 0


@inlined
def count_nodes(ctx: int, count: int) -> int:
    """Count some positions; return 1 to give up."""
    nodes = load64(ctx, slots.NODES) + count
    store64(ctx, slots.NODES, nodes)
    return nodes >= load64(ctx, slots.NEXT_CHECK) and must_stop(ctx)
