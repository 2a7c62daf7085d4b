"""The clock of the budgets, as Python reads it; `solver.kernels.clock` reads the same one."""

import sys
import time

if sys.platform == "win32":
    CLOCK_KIND = 100  # nanoseconds a tick of the performance counter

    def thread_clock_ns() -> int:
        """The clock of the budgets: the wall's, for want of a fine clock of the thread."""
        return time.perf_counter_ns()

else:
    CLOCK_KIND = time.CLOCK_THREAD_CPUTIME_ID

    def thread_clock_ns() -> int:
        """The clock of the budgets: processor time of the calling thread."""
        return time.thread_time_ns()
