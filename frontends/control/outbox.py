"""The messages that a viewer has not received yet: every event in order, and the newest view."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable

from frontends.control.view_model.notices import Told
from frontends.control.view_model.view import ViewModel

Message = tuple[int, Told | ViewModel | None]
"""An event, or the view after it, with its number; None if events were dropped."""
MOST_EVENTS = 2000
"""Number of messages after which a slow viewer gets only the view, which contains everything."""


def news_event() -> tuple[asyncio.Event, Callable[[], None]]:
    """Return an event of the running loop, and a function that sets it from any thread."""
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        loop.call_soon_threadsafe(news.set)

    return news, wake


class Outbox:
    """The unread messages of a viewer: the machine's thread adds them, the viewer's removes them.

    Args:
        wake: Called from any thread when the first message arrives.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._events: deque[Message] = deque()
        self._view: Message | None = None
        self._lost = False

    def put(self, number: int, told: Told | None, view: ViewModel) -> None:
        """Add an event."""
        with self._lock:
            was_empty = self._view is None
            if len(self._events) >= MOST_EVENTS:
                self._events.clear()
                self._lost = True
            if told is not None and not self._lost:
                self._events.append((number, told))
            self._view = number, view
        if was_empty:
            self._wake()

    def take(self) -> list[Message]:
        """Remove and return all messages: the events in order, then the view after them."""
        with self._lock:
            messages: list[Message] = [(0, None)] if self._lost else list(self._events)
            if self._view is not None:
                messages.append(self._view)
            self._events.clear()
            self._view, self._lost = None, False
        return messages
