"""Writes the journal's entries into its database; runs in a separate thread."""

import contextlib
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from thistlebot.errors import UsageError
from thistlebot.journal.database_file import FILE, kept_on_full_disk
from thistlebot.journal.rows import Picture, RunRow, StoredRun
from thistlebot.journal.store import DATABASE_ERRORS, Store
from thistlebot.journal.tail import BeginEntry, End, Entry, EventEntry, Keep, decode

if TYPE_CHECKING:
    from vision.frame import Frame

LOST = "lost"
"""The key that is stored if other values may have been lost."""
Summarise = Callable[[StoredRun], RunRow]
_AGAIN_S = 1.0
"""Time until a failed write to the database is repeated."""
_MOST_WAITING = 64
"""Maximum number of runs that wait for disk space; further ones are dropped, the oldest first."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A picture that a camera took.

    Attributes:
        uid: Uid of the run.
        number: Its index among the run's pictures.
        camera: Number of the camera.
        frame: The picture, or why there is none.
    """

    uid: str
    number: int
    camera: int
    frame: "Frame | str"


@dataclass(slots=True)
class _Run:
    """A run as far as known; the numbers are those of its entries in the tail."""

    begin: BeginEntry
    events: list[EventEntry] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    ended: bool = False

    def stored(self) -> StoredRun:
        return StoredRun(
            uid=self.begin.uid,
            began=self.begin.began,
            context=self.begin.context,
            events=tuple((said.time_s, said.event) for said in self.events),
            ended=self.ended,
        )


class Writer:
    """Takes entries in order, and writes complete runs.

    Failed writes are repeated later.

    Args:
        folder: Folder of the journal.
        limit: Maximum size of the database in bytes.
        summarise: Makes the row of a run.

    Attributes:
        kept: The stored values by their keys; contains `LOST` if there may be others that cannot be
            read.
        order: The highest order of a stored value, as far as known.
        trouble: A message for the user; empty if there is none.
    """

    def __init__(self, folder: Path, limit: int, summarise: Summarise) -> None:
        self._folder = folder
        self._limit = limit
        self._summarise = summarise
        self._store: Store | None = None
        self._failed_s = -_AGAIN_S
        self._under_way: dict[str, _Run] = {}
        self._complete: list[_Run] = []
        self._to_keep: dict[str, tuple[Keep, list[int]]] = {}
        self._written: set[int] = set()
        self.kept: dict[str, str] = {}
        self.order = 0
        self.trouble = ""

    def open(self) -> None:
        """Open the database, if possible."""
        try:
            self._store = Store(self._folder, self._limit)
            self.kept = self._store.kept()
            self.order = max(self.order, self._store.order())
        except (OSError, *DATABASE_ERRORS, UsageError) as error:
            self._complain(error)
            self.kept = self._kept_otherwise(error)
            return
        if self._store.damaged is not None:
            self.take(-1, Keep(LOST, self._store.damaged.name))  # later programs report it, too
            self.trouble = self.trouble or (
                "the journal was damaged, so a new one was started; the old one is "
                f"{self._store.damaged}. It is unknown whether the last program was "
                "interrupted"
            )

    def _kept_otherwise(self, error: Exception) -> dict[str, str]:
        """Return the stored values of a database that cannot be opened."""
        if not isinstance(error, UsageError):
            with contextlib.suppress(*DATABASE_ERRORS):
                return kept_on_full_disk(self._folder)
        return {LOST: str(error)} if os.path.lexists(self._folder / FILE) else {}

    def recover(self, left: Iterable[tuple[int, bytes]]) -> None:
        """Take over the entries of a program that was killed, and mark its runs as interrupted.

        Args:
            left: Its entries by their numbers.
        """
        known = len(self._complete)
        for number, content in left:
            try:
                self.take(number, decode(content))
            except (ValueError, RecursionError):  # from another version
                self._written.add(number)
        # Interrupted runs began before those that ended after them.
        runs = [*self._complete[known:], *self._under_way.values()]
        self._complete[known:] = sorted(runs, key=lambda run: run.numbers[0])
        self._under_way.clear()

    def take(self, number: int, entry: Entry) -> None:
        """Process an entry without writing anything yet."""
        match entry:
            case Keep(key, value):
                waiting = self._to_keep[key][1] if key in self._to_keep else []
                self._to_keep[key] = entry, [*waiting, number]
                self.kept[key] = value
                self.order = max(self.order, entry.order)
            case BeginEntry(uid):
                self._under_way[uid] = _Run(entry, numbers=[number])
            case EventEntry(uid) | End(uid) if uid in self._under_way:
                run = self._under_way[uid]
                run.numbers.append(number)
                if isinstance(entry, EventEntry):
                    run.events.append(entry)
                else:
                    run.ended = True
                    self._complete.append(self._under_way.pop(uid))
            case _:
                self._written.add(number)  # the beginning of this run was dropped

    def add_picture(self, taken: Taken) -> None:
        """Write a picture; drop it if that is not possible."""
        if self._store is None or not self._may_try:
            return
        try:
            self._store.add_picture(taken.uid, _picture(taken))
        except DATABASE_ERRORS as error:
            self._complain(error)

    def write(self, *, at_once: bool = False) -> frozenset[int]:
        """Write complete runs, and return the numbers of the entries that are no longer needed.

        Args:
            at_once: Try even if the last attempt failed just now.
        """
        if (self._to_keep or self._complete) and (at_once or self._may_try):
            if self._store is not None and not self._store.stands():
                self._store.close()
                self._store = None
                self.trouble = self.trouble or (
                    f"the journal in {self._folder} was deleted while this program used it: a new "
                    "one was started"
                )
            if self._store is None:
                said = {key: keep.value for key, (keep, _) in self._to_keep.items()}
                self.open()
                self.kept |= said
            if self._store is not None:
                self._write(self._store)
        for run in self._complete[:-_MOST_WAITING]:
            self._written.update(run.numbers)
        del self._complete[:-_MOST_WAITING]
        written, self._written = frozenset(self._written), set()
        return written

    def _write(self, store: Store) -> None:
        try:
            for key, (keep, numbers) in list(self._to_keep.items()):
                store.keep(key, keep.value, keep.order)
                self._written.update(numbers)
                del self._to_keep[key]
            while self._complete:
                stored = self._complete[0].stored()
                store.add_run(self._summarise(stored), stored)
                self._written.update(self._complete.pop(0).numbers)
        except DATABASE_ERRORS as error:
            self._complain(error)

    @property
    def _may_try(self) -> bool:
        """Return whether the last failure was long enough ago; each attempt waits for locks."""
        return time.monotonic() >= self._failed_s + _AGAIN_S

    def _complain(self, error: Exception) -> None:
        self._failed_s = time.monotonic()
        why = error.strerror if isinstance(error, OSError) else str(error)
        self.trouble = self.trouble or (
            f"cannot write the journal in {self._folder} ({why}): the machine keeps working, "
            "but its runs are not recorded; free some space there, or set another folder with "
            "THISTLEBOT_DATA_DIR"
        )

    def close(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.close()


def _picture(taken: Taken) -> Picture:
    import cv2

    frame = taken.frame
    if isinstance(frame, str):
        return Picture(number=taken.number, camera=taken.camera, source=frame, time_s=0.0, png=b"")
    # A third faster than the fastest level with OpenCV's own choice, and a tenth smaller.
    filtered = (cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_PAETH)
    packed = (cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE)
    fast = (cv2.IMWRITE_PNG_COMPRESSION, 1)
    _, png = cv2.imencode(".png", frame.image, [*fast, *filtered, *packed])
    return Picture(
        number=taken.number,
        camera=taken.camera,
        source=frame.source,
        time_s=frame.time_s,
        png=png.tobytes(),
    )
