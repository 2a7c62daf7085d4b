"""The listener that writes a session's runs into the journal."""

import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from thistlebot.events import Ended, Entered, Event, Phase, encode
from thistlebot.installed import version_of
from thistlebot.journal.journal import Journal
from thistlebot.journal.rows import StoredRun

if TYPE_CHECKING:
    from thistlebot.journal.run_record import RunContext
    from vision.frame import Frame

_DECIDING = ("thistlebot", "opencv-python-headless", "numpy", "scipy", "scikit-learn", "numba")


class Recording:
    """A listener that writes every run into the journal."""

    def __init__(
        self,
        journal: Journal,
        context: "Callable[[], RunContext]",
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._journal = journal
        self._context = context
        self._note = note
        self._uid = ""
        self._began_s = 0.0
        self._pictures = 0

    def __call__(self, event: Event) -> None:
        """Write one event; the first one of a run begins it."""
        if event == Entered(Phase.IDLE):
            return
        if not self._uid:
            self._begin()
        passed_s = round(time.monotonic() - self._began_s, 6)
        self._journal.add_event(self._uid, passed_s, encode(event))
        if isinstance(event, Ended) or event == Entered(Phase.DONE):
            self._journal.end(self._uid)
            self._uid = ""
        if trouble := self._journal.trouble():
            self._note(trouble)

    def take_picture(self, camera: int, frame: "Frame | str") -> None:
        """Write a picture; pictures between two runs are dropped."""
        if self._uid:
            self._journal.add_picture(self._uid, self._pictures, camera, frame)
            self._pictures += 1

    def _begin(self) -> None:
        self._uid = secrets.token_hex(8)
        self._began_s = time.monotonic()
        self._pictures = 0
        context = msgspec.Raw(msgspec.json.encode(self._context()))
        self._journal.begin(StoredRun(uid=self._uid, began=time.time(), context=context))


def versions() -> dict[str, str]:
    """Return the versions of this program and of the libraries that affect decisions."""
    return {name: version_of(name) for name in _DECIDING}
