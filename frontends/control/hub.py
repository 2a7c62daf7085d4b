"""Distributes the events of the machine's thread to all viewers."""

import threading
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from frontends.control.outbox import Outbox
from frontends.control.view_model.notices import Told
from frontends.control.view_model.reducer import after
from frontends.control.view_model.view import Panes, ViewModel

_PANES = frozenset(Panes.__struct_fields__)


class Hub:
    """Stores the view, and passes events and views to viewers; for any thread."""

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

    def tell(self, told: Told) -> None:
        """Publish an event to every viewer, without waiting."""
        with self._lock:
            self._change(after(self._view, told), told)
        self._heard(told)

    def update(self, **fields: Any) -> None:
        """Set fields of the view that follow from no event, and panes of jobs with their own page.

        Args:
            fields: Their values, by their names in `ViewModel` and `Panes`; a pane that is None is
                removed.
        """
        panes = {name: fields.pop(name) for name in _PANES.intersection(fields)}
        with self._lock:
            view = replace(self._view, panes=replace(self._view.panes, **panes), **fields)
            self._change(view, None)

    def watch(self, wake: Callable[[], None]) -> Outbox:
        """Start watching; the first message is the current view."""
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
