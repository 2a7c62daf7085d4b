"""Where the machine's thread tells what happens, and every watcher hears it."""

import threading
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from thistlebot.control.outbox import Outbox
from thistlebot.control.showing.notices import Told, encode
from thistlebot.control.showing.story import after
from thistlebot.control.showing.view import ViewModel


class Hub:
    """Keeps the view, and hands events and views to watchers; for any thread.

    Args:
        view: Before anything happened.
    """

    def __init__(self, view: ViewModel) -> None:
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
        event = encode(told)
        with self._lock:
            self._change(after(self._view, told), event)

    def show(self, pane: str, value: object) -> None:
        """Show what a job with a page of its own has to show.

        Args:
            pane: Name of the page.
            value: JSON as it stands; None when there is nothing to show any more.
        """
        with self._lock:
            panes = {name: kept for name, kept in self._view.panes.items() if name != pane}
            if value is not None:
                panes[pane] = value
            self._change(replace(self._view, panes=panes), None)

    def watch(self, wake: Callable[[], None]) -> Outbox:
        """Begin to watch; the first thing to take is the view as it is now.

        Args:
            wake: As of `Outbox`.
        """
        outbox = Outbox(wake)
        with self._lock:
            self._outboxes.append(outbox)
            outbox.put(None, self._view_message())
        return outbox

    def leave(self, outbox: Outbox) -> None:
        """Watch no longer."""
        with self._lock:
            self._outboxes.remove(outbox)

    def _change(self, view: ViewModel, event: bytes | None) -> None:
        self._view = view
        self._number += 1
        if not self._outboxes:
            return
        told = None
        if event is not None:
            told = b'{"type":"event","seq":%d,"event":%s}' % (self._number, event)
        message = self._view_message()
        for outbox in self._outboxes:
            outbox.put(told, message)

    def _view_message(self) -> bytes:
        view = msgspec.json.encode(self._view)
        return b'{"type":"view","seq":%d,"view":%s}' % (self._number, view)
