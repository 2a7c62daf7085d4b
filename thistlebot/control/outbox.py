"""What one watcher has not been told yet: every event in order, and the newest view."""

import threading
from collections import deque
from collections.abc import Callable

MOST_EVENTS = 2000
"""A watcher that is so far behind gets the view instead; that says all there is to show."""


class Outbox:
    """Filled by the machine's thread, emptied by the watcher's.

    Args:
        wake: Called when there is something to take after there was nothing; from any thread.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._events: deque[bytes] = deque()
        self._view: bytes | None = None
        self._lost = False

    def put(self, event: bytes | None, view: bytes) -> None:
        """Add what has happened.

        Args:
            event: The message of one event; None for a view alone.
            view: The message of the view after it.
        """
        with self._lock:
            was_empty = self._view is None
            if len(self._events) >= MOST_EVENTS:
                self._events.clear()
                self._lost = True
            if event is not None and not self._lost:
                self._events.append(event)
            self._view = view
        if was_empty:
            self._wake()

    def take(self) -> list[bytes]:
        """Take all messages: the events in order, then the view after the last of them.

        Where events were given up, a message says so instead of them.
        """
        with self._lock:
            messages = [b'{"type":"lost"}'] if self._lost else list(self._events)
            if self._view is not None:
                messages.append(self._view)
            self._events.clear()
            self._view, self._lost = None, False
        return messages
