"""Where the machine's thread tells what happens, and every watcher hears it.

What one watcher has not been told yet: every event in order, and the newest view.

The seam to those who look on through the machine's cameras.

The pictures of the last looks, for whoever asks to see them.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

from msgspec.structs import replace

from frontends.control.view_model.by_hand import HandView
from frontends.control.view_model.calibrate import CalibratePane
from frontends.control.view_model.notices import Told
from frontends.control.view_model.reducer import after
from frontends.control.view_model.view import ViewModel
from thistlebot.reading.reader import Look
from vision.cameras.camera import Camera

Message = tuple[int, Told | ViewModel | None]
"""What happened, or the view after it, with its number; None where events were given up."""
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
        self._events: deque[Message] = deque()
        self._view: Message | None = None
        self._lost = False

    def put(self, number: int, told: Told | None, view: ViewModel) -> None:
        """Add what has happened.

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
        """Take all messages: the events in order, then the view after the last of them."""
        with self._lock:
            messages: list[Message] = [(0, None)] if self._lost else list(self._events)
            if self._view is not None:
                messages.append(self._view)
            self._events.clear()
            self._view, self._lost = None, False
        return messages


class Feeds(Protocol):
    """Shares cameras with those who look on."""

    def share(self, number: int, camera: Camera, *, between: bool = True) -> Camera:
        """Return the camera for the machine; its pictures are others' as well.

        Args:
            number: Its number for those who look on.
            camera: The camera.
            between: Read it also between the machine's own pictures; a recording would run away.
        """

    def forget(self) -> None:
        """Take note that the cameras are closed."""


class NoFeeds:
    """Nobody looks on."""

    def share(self, number: int, camera: Camera, *, between: bool = True) -> Camera:
        """Return the camera itself."""
        del number, between
        return camera

    def forget(self) -> None:
        """Nothing is shared."""


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


class Hub:
    """Keeps the view, and hands events and views to watchers; for any thread.

    Args:
        view: Before anything happened.
        heard: Called with each event and notice, in the thread that tells it.
    """

    def __init__(self, view: ViewModel, heard: Callable[[Told], None] = lambda _: None) -> None:
        self._heard = heard
        self._lock = threading.Lock()
        self._view = view
        self._number = 0
        self._outboxes: list[Outbox] = []

    @property
    def view(self) -> ViewModel:
        """What there is to show now."""
        return self._view

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._outboxes)

    def tell(self, told: Told) -> None:
        """Tell every watcher what has happened; nobody is waited for."""
        with self._lock:
            self._change(after(self._view, told), told)
        self._heard(told)

    def show(self, **panes: CalibratePane | HandView | None) -> None:
        """Show what a job with a page of its own has to show; None when that is nothing any more.

        Args:
            panes: What to show instead, as `Panes` names it.
        """
        with self._lock:
            view = self._view
            self._change(replace(view, panes=replace(view.panes, **panes)), None)

    def watch(self, wake: Callable[[], None]) -> Outbox:
        """Begin to watch; the first thing to take is the view as it is now.

        Args:
            wake: See `Outbox`.
        """
        outbox = Outbox(wake)
        with self._lock:
            self._outboxes.append(outbox)
            outbox.put(self._number, None, self._view)
        return outbox

    def leave(self, outbox: Outbox) -> None:
        """Watch no longer."""
        with self._lock:
            self._outboxes.remove(outbox)

    def _change(self, view: ViewModel, told: Told | None) -> None:
        self._view = view
        self._number += 1
        for outbox in self._outboxes:
            outbox.put(self._number, told, view)
