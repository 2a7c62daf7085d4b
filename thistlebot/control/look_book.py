"""The pictures of the last looks, for whoever asks to see them."""

import threading

from thistlebot.looking.reader import Look

KEPT = 8


class LookBook:
    """Keeps the last looks; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looks: dict[tuple[int, int], Look] = {}

    def put(self, run: int, number: int, look: Look) -> None:
        """Keep a look.

        Args:
            run: Number of the job.
            number: Number of the look in it.
            look: What was seen.
        """
        with self._lock:
            self._looks.pop((run, number), None)
            self._looks[run, number] = look
            while len(self._looks) > KEPT:
                del self._looks[next(iter(self._looks))]

    def get(self, run: int, number: int) -> Look | None:
        """Return a look; None when it is no longer kept."""
        with self._lock:
            return self._looks.get((run, number))
