"""Distributes the events of the machine's thread to all viewers.

This module also contains the messages that a viewer has not received yet: every event in order, and
the newest view.

This module also contains the interface to viewers of the machine's cameras.

Finally, it contains the pictures of the last looks.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from frontends.control.view_model.by_hand import HandView
from frontends.control.view_model.calibrate import CalibratePane
from frontends.control.view_model.notices import Told
from frontends.control.view_model.reducer import after
from frontends.control.view_model.view import AssistantPane, ViewModel
from thistlebot.reading.reader import Look
from vision.cameras.camera import Camera

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
        """Add an event.

        Args:
            number: Its number.
            told: The event or notice; None for a view alone.
            view: The view after it.
        """
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


class Feeds(Protocol):
    """Shares cameras with viewers."""

    def share(self, number: int, camera: Camera, *, between: bool = True) -> Camera:
        """Return the camera for the machine; its pictures also go to viewers.

        Args:
            number: Its number for viewers.
            camera: The camera.
            between: Also read it between the machine's own pictures; not for a recording.
        """

    def forget(self) -> None:
        """Note that the cameras are closed."""


class NoFeeds:
    """Cameras without viewers."""

    def share(self, number: int, camera: Camera, *, between: bool = True) -> Camera:
        """Return the camera itself."""
        del number, between
        return camera

    def forget(self) -> None:
        """Do nothing."""


KEPT = 8


class LookBook:
    """Stores the last looks; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looks: dict[tuple[int, int], Look] = {}

    def put(self, run: int, number: int, look: Look) -> None:
        """Store a look.

        Args:
            run: Number of the job.
            number: Number of the look in it.
            look: The look.
        """
        with self._lock:
            self._looks.pop((run, number), None)
            self._looks[run, number] = look
            while len(self._looks) > KEPT:
                del self._looks[next(iter(self._looks))]

    def get(self, run: int, number: int) -> Look | None:
        """Return a look; None if it is no longer stored."""
        with self._lock:
            return self._looks.get((run, number))


class Hub:
    """Stores the view, and passes events and views to viewers; for any thread.

    Args:
        view: The initial view.
        heard: Called with each event and notice, in its thread.
    """

    def __init__(self, view: ViewModel, heard: Callable[[Told], None] = lambda _: None) -> None:
        self._heard = heard
        self._lock = threading.Lock()
        self._view = view
        self._number = 0
        self._outboxes: list[Outbox] = []

    @property
    def view(self) -> ViewModel:
        """The current view."""
        return self._view

    @property
    def watchers(self) -> int:
        """Number of viewers."""
        return len(self._outboxes)

    def tell(self, told: Told) -> None:
        """Publish an event to every viewer, without waiting."""
        with self._lock:
            self._change(after(self._view, told), told)
        self._heard(told)

    def show(self, **panes: CalibratePane | HandView | AssistantPane | None) -> None:
        """Show the pane of a job with its own page; None removes it.

        Args:
            panes: The panes, by their names in `Panes`.
        """
        with self._lock:
            view = self._view
            self._change(replace(view, panes=replace(view.panes, **panes)), None)

    def watch(self, wake: Callable[[], None]) -> Outbox:
        """Start watching; the first message is the current view.

        Args:
            wake: See `Outbox`.
        """
        outbox = Outbox(wake)
        with self._lock:
            self._outboxes.append(outbox)
            outbox.put(self._number, None, self._view)
        return outbox

    def leave(self, outbox: Outbox) -> None:
        """Stop watching."""
        with self._lock:
            self._outboxes.remove(outbox)

    def _change(self, view: ViewModel, told: Told | None) -> None:
        self._view = view
        self._number += 1
        for outbox in self._outboxes:
            outbox.put(self._number, told, view)
