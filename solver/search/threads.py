"""Threads that search, and the caller who supervises them."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait


def run_threads(
    workers: Sequence[Callable[[], object]],
    poll_s: float,
    look: Callable[[], None],
    stop: Callable[[], None],
) -> None:
    """Run workers until they end, each in a thread of its own.

    Args:
        workers: What the threads call.
        poll_s: Time between two calls of ``look``, seconds.
        look: Called in the calling thread while they run, and once after they ended.
        stop: Makes them end soon; called if the caller is interrupted, because no thread may
            outlive its tables.
    """
    with ThreadPoolExecutor(len(workers)) as pool:
        running = [pool.submit(worker) for worker in workers]
        try:
            while wait(running, poll_s).not_done:
                look()
        except BaseException:
            stop()
            raise
    look()
    for ended in running:
        ended.result()
