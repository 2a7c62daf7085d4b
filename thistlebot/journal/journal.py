"""The journal: data that must outlive the program, written without delaying the machine.

Writers never block. An entry survives a kill as soon as the call returns, and a thread of low
priority writes it to disk. A session's runs get there by a listener, `Recording`.
"""

import contextlib
import os
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from thistlebot.events import Ended, Entered, Event, Phase
from thistlebot.events import encode as encode_event
from thistlebot.journal.tail import (
    BeginEntry,
    End,
    Entry,
    EventEntry,
    Keep,
    OwnedTail,
    SaidOrder,
    TailFullError,
    encode,
    take_tails,
)
from thistlebot.journal.writer import LOST, Summarise, Taken, Writer

if TYPE_CHECKING:
    from thistlebot.journal.run_record import RunContext
    from vision.frame import Frame

_DECIDING = ("thistlebot", "opencv-python-headless", "numpy", "scipy", "scikit-learn", "numba")
_ASKING_S = 30.0
"""Time limit for a value; after it, the value counts as lost."""
_OPENING_S = 5.0
"""Time limit for a disk to answer."""
_CLOSING_S = 20.0
_NICE = 10
_APART = 10**12
"""Distance between the numbers of entries in two tails."""
_MOST_PICTURES = 48
"""Maximum number of pictures that wait to be written; further pictures are dropped."""


class Journal:
    """One program's journal, in a folder that several programs may share.

    Args:
        folder: Its folder; created if missing.
        limit: Maximum size of its database in bytes.
        summarise: Makes the row of a run from its stored events.
    """

    def __init__(self, folder: Path, limit: int, summarise: Summarise) -> None:
        self._folder = folder
        self._writer = Writer(folder, limit, summarise)
        self._tail: OwnedTail | None = None
        self._order: SaidOrder | None = None
        self._said = 0
        self._lock = threading.Lock()
        self._ready = threading.Event()
        self._jobs: queue.SimpleQueue[tuple[int, Entry] | Taken | None] = queue.SimpleQueue()
        self._kept: dict[str, str] = {}
        self._told = False
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def keep(self, key: str, value: str) -> None:
        """Store a value in place of the previous one."""
        self._kept[key] = value
        self._add(Keep(key, value))

    def kept(self, key: str) -> str | None:
        """Return a value stored by this program or another; None if there is none.

        If values are `lost`, it is unknown whether there was one.
        """
        self._ready.wait(_ASKING_S)
        return self._kept.get(key, self._writer.kept.get(key))

    def kept_values(self) -> dict[str, str]:
        """Return all stored values by their keys; see `kept`."""
        self._ready.wait(_ASKING_S)
        return self._writer.kept | self._kept

    @property
    def lost(self) -> bool:
        """Whether there may be stored values that cannot be read."""
        return not self._ready.is_set() or LOST in self._writer.kept

    def say(self, entry: BeginEntry | EventEntry | End) -> None:
        """Add an entry about a run."""
        self._add(entry)

    def add_picture(self, uid: str, number: int, camera: int, frame: "Frame | str") -> None:
        """Add a picture to a run, unless too many are waiting.

        Args:
            uid: The run.
            number: Its index among the run's pictures.
            camera: Number of the camera.
            frame: The picture, or why there is none.
        """
        if self._jobs.qsize() < _MOST_PICTURES:
            self._jobs.put(Taken(uid, number, camera, frame))

    def trouble(self) -> str:
        """Return a message for the user; empty if there is none, or it was already shown."""
        if self._told or not self._writer.trouble:
            return ""
        self._told = True
        return self._writer.trouble

    def close(self) -> None:
        """Write the remaining entries; the next program writes those that a slow disk delays."""
        self._jobs.put(None)
        self._thread.join(_CLOSING_S)

    def _following(self) -> int:
        self._said = self._said + 1 if self._order is None else self._order.following()
        return self._said

    def _add(self, entry: Entry) -> None:
        self._ready.wait(_OPENING_S)
        with self._lock:
            if isinstance(entry, Keep):
                entry = msgspec.structs.replace(entry, order=self._following())
            number = -1
            if self._tail is not None:
                with contextlib.suppress(OSError):  # the database, on the same disk, reports it
                    number = self._put(self._tail, entry)
            self._jobs.put((number, entry))

    def _put(self, tail: OwnedTail, entry: Entry) -> int:
        """Add an entry to the tail; stored values displace events if there is too little room."""
        content = encode(entry)
        try:
            return tail.add(content)
        except TailFullError:
            if not isinstance(entry, Keep):
                return -1
        newest = {}
        for number, each in tail.entries.items():
            if each.startswith(b'{"type":"keep"'):
                newest[each.partition(b',"value"')[0]] = number
        tail.keep_only(newest.values())
        return tail.add(content)

    def _work(self) -> None:
        """Write until the journal is closed; the body of the thread."""
        try:
            self._begin()
        finally:
            self._ready.set()  # the machine waits for this
        with contextlib.suppress(OSError, AttributeError):  # only Linux has thread priorities
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        job: tuple[int, Entry] | Taken | None = self._jobs.get()
        while job is not None:
            if isinstance(job, Taken):
                self._writer.add_picture(job)
            else:
                self._writer.take(*job)
                self._settle(flush=isinstance(job[1], Keep))
            job = self._jobs.get()
        self._settle(at_once=True)
        self._writer.close()
        with self._lock:
            if self._tail is not None:
                self._tail.close()
                self._tail = None
            if self._order is not None:
                self._order.close()
                self._order = None

    def _begin(self) -> None:
        """Open everything, and take over the data of programs that were killed."""
        tails: list[OwnedTail] = []
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            tails = take_tails(self._folder)
            self._order = SaidOrder(self._folder / "order")
        except (OSError, sqlite3.Error):
            pass  # the database, in the same folder, reports the reason
        self._writer.open()
        for which, tail in enumerate(tails[1:], start=1):
            left = {which * _APART + number: each for number, each in tail.entries.items()}
            self._writer.recover(left.items())
            if left.keys() <= self._writer.write():
                with contextlib.suppress(OSError):  # the next program finds the same entries
                    tail.keep_only(())
            tail.close()
        if tails:
            self._tail = tails[0]
            self._writer.recover(tails[0].entries.items())
            self._settle()
        self._said = self._writer.order
        if self._order is not None:
            self._order.after(self._said)

    def _settle(self, *, flush: bool = False, at_once: bool = False) -> None:
        """Write complete entries, and remove them from the tail."""
        if self._tail is not None and not self._tail.stands():
            with self._lock:
                self._tail = self._restored(self._tail)
        if flush and self._tail is not None:
            with contextlib.suppress(OSError):
                self._tail.flush()
        written = self._writer.write(at_once=at_once)
        if written:
            with self._lock, contextlib.suppress(OSError):  # then they are written once more
                if self._tail is not None:
                    self._tail.keep_only(self._tail.entries.keys() - written)

    def _restored(self, old: OwnedTail) -> OwnedTail:
        """Return a tail with the same entries, because somebody deleted the folder."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            first, *others = take_tails(self._folder)
            self._order = SaidOrder(self._folder / "order")
            self._order.after(self._said)
        except (OSError, sqlite3.Error):
            return old  # the database reports the reason
        for each in others:
            each.close()
        first.replace(old)
        old.close()
        return first


class Recording:
    """A listener that writes every run into the journal.

    Args:
        journal: The journal.
        context: Returns the context of a run that begins.
        note: Called once with a message about the journal, if there is one.
    """

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
        self._journal.say(EventEntry(self._uid, passed_s, msgspec.Raw(encode_event(event))))
        if isinstance(event, Ended) or event == Entered(Phase.DONE):
            self._journal.say(End(self._uid))
            self._uid = ""
        if trouble := self._journal.trouble():
            self._note(trouble)

    def take_picture(self, camera: int, frame: "Frame | str") -> None:
        """Write a picture; pictures between two runs are dropped.

        Args:
            camera: Number of the camera.
            frame: The picture, or why there is none.
        """
        if self._uid:
            self._journal.add_picture(self._uid, self._pictures, camera, frame)
            self._pictures += 1

    def _begin(self) -> None:
        self._uid = secrets.token_hex(8)
        self._began_s = time.monotonic()
        self._pictures = 0
        context = msgspec.Raw(msgspec.json.encode(self._context()))
        self._journal.say(BeginEntry(self._uid, time.time(), context))


def versions() -> dict[str, str]:
    """Return the versions of this program and of the libraries that affect decisions."""
    return {name: _version(name) for name in _DECIDING}


def _version(name: str) -> str:
    """Return the version of a library; `metadata.version` parses its whole description, too."""
    text = metadata.distribution(name).read_text("METADATA") or ""
    return text.partition("\nVersion:")[2].partition("\n")[0].strip()
