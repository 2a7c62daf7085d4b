"""The clock for budgets, as Python reads it; `solver.kernels.clock` reads the same clock."""

import sys
import time

if sys.platform == "win32":
    CLOCK_KIND = 100  # nanoseconds per tick of the performance counter

    def thread_clock_ns() -> int:
        """Return the time for budgets: wall time, because there is no precise thread clock."""
        return time.perf_counter_ns()

else:
    CLOCK_KIND = time.CLOCK_THREAD_CPUTIME_ID

    def thread_clock_ns() -> int:
        """Return the time for budgets: processor time of the calling thread."""
        return time.thread_time_ns()
