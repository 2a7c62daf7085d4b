"""The journal: data that must outlive the program, written without delaying the machine.

An event is committed to the database by the thread that tells it, without waiting for the disk:
the system keeps it even if the program is killed. What takes longer is done by a thread of low
priority: it writes pictures, sums up runs, deletes old ones, and waits for the disk.
"""

import contextlib
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from thistlebot.config import Folders, megabytes
from thistlebot.errors import UsageError
from thistlebot.journal.event_log import EventLog
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.journal.store import DATABASE_ERRORS, Store

if TYPE_CHECKING:
    from vision.frame import Frame

_SIZE = "THISTLEBOT_JOURNAL_SIZE"
_USUAL_SIZE = "1GB"
_SMALLEST = 20_000_000
_OPENING_S = 5.0
"""Time limit for a disk to answer."""
_CLOSING_S = 20.0
_AGAIN_S = 1.0
"""Time until a failed write to the database is repeated."""
_NICE = 10
_MOST_PICTURES = 48
"""Maximum number of pictures that wait to be written; further pictures are dropped."""
_MOST_WAITING = 5000
"""Maximum number of entries that wait for disk space; then the oldest are dropped."""
_ERRORS = (OSError, *DATABASE_ERRORS, UsageError)


class Journal:
    """One program's journal, in a folder that several programs may share."""

    def __init__(self, folder: Path, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        self._lock = threading.Lock()
        self._log: EventLog | None = None
        self._store: Store | None = None
        self._waiting: deque[Callable[[EventLog], None]] = deque(maxlen=_MOST_WAITING)
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._ready = threading.Event()
        self._closing = threading.Event()
        self._open_by_s = time.monotonic() + _OPENING_S
        self._trouble = ""
        self._told = False
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, run: StoredRun) -> None:
        """Begin a run, which has no events yet."""

        def begin(log: EventLog) -> None:
            if not log.stands():
                self._tell(
                    f"the journal in {self._folder} was deleted while this program used it: a new "
                    "one was started"
                )
                log.close()
                log = self._log = self._opened_log()
            log.begin_run(run)

        self._add(begin)

    def add_event(self, uid: str, time_s: float, event: bytes) -> None:
        """Add an event to a run.

        Args:
            uid: The run.
            time_s: Seconds since its beginning.
            event: The event as JSON.
        """
        self._add(lambda log: log.add_event(uid, time_s, event))

    def end(self, uid: str) -> None:
        """End a run."""

        def end(log: EventLog) -> None:
            log.end_run(uid)
            self._jobs.put(self._sum_up)

        self._add(end)

    def add_picture(self, uid: str, number: int, camera: int, frame: "Frame | str") -> None:
        """Add a picture to a run, unless too many are waiting.

        Args:
            uid: The run.
            number: Its index among the run's pictures.
            camera: Number of the camera.
            frame: The picture, or why there is none.
        """
        if self._jobs.qsize() < _MOST_PICTURES:
            self._jobs.put(partial(self._write_picture, uid, number, camera, frame))

    def trouble(self) -> str:
        """Return a message for the user; empty if there is none, or it was already shown."""
        if self._told or not self._trouble:
            return ""
        self._told = True
        return self._trouble

    def close(self) -> None:
        """Write the rest; what a slow disk delays longer is lost, or left to the next program."""
        self._closing.set()
        with self._lock:
            if self._ready.is_set():
                self._write_waiting()
        self._jobs.put(None)
        self._thread.join(_CLOSING_S)
        if self._log is not None:
            self._log.close()

    def _add(self, entry: Callable[[EventLog], None]) -> None:
        """Write an entry at once, unless others wait for the disk."""
        self._ready.wait(self._open_by_s - time.monotonic())
        with self._lock:
            self._waiting.append(entry)
            if len(self._waiting) == 1 and self._ready.is_set():
                self._write_waiting()

    def _write_waiting(self) -> None:
        """Write all entries; if that fails, the thread tries again."""
        try:
            while self._waiting:
                self._log = self._log or self._opened_log()
                self._waiting[0](self._log)
                self._waiting.popleft()
        except _ERRORS as error:
            self._complain(error)
            self._jobs.put(self._try_again)

    def _try_again(self) -> None:
        self._closing.wait(_AGAIN_S)
        with self._lock:
            self._write_waiting()

    def _opened_log(self) -> EventLog:
        log = EventLog(self._folder, self._limit)
        self._tell(log.damaged_text)
        return log

    def _work(self) -> None:
        """Do what takes longer until the journal is closed; the body of the thread."""
        try:
            self._log = self._opened_log()
        except _ERRORS as error:
            self._complain(error)
        finally:
            self._ready.set()  # the machine waits for this
        with contextlib.suppress(OSError, AttributeError):  # only Linux has thread priorities
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        with self._lock:
            self._write_waiting()
        job: Callable[[], None] | None = self._sum_up
        while job is not None:
            try:
                job()
            except _ERRORS as error:
                self._complain(error)
            job = self._jobs.get()
        if self._store is not None:
            self._store.close()

    def _sum_up(self) -> None:
        self._opened_store().sum_up()

    def _opened_store(self) -> Store:
        """Return the thread's own connection to the database."""
        if self._store is not None and not self._store.stands():
            self._store.close()
            self._store = None
        if self._store is None:
            self._store = Store(self._folder, self._limit)
        return self._store

    def _write_picture(self, uid: str, number: int, camera: int, frame: "Frame | str") -> None:
        self._opened_store().add_picture(uid, _picture(number, camera, frame))

    def _complain(self, error: Exception) -> None:
        why = error.strerror if isinstance(error, OSError) else str(error)
        self._tell(
            f"cannot write the journal in {self._folder} ({why}): the machine keeps working, "
            "but its runs are not recorded; free some space there, or set another folder with "
            "THISTLEBOT_DATA_DIR"
        )

    def _tell(self, trouble: str) -> None:
        self._trouble = self._trouble or trouble


def open_journal(folders: Folders) -> Journal:
    """Open the user's journal, with the size limit ``THISTLEBOT_JOURNAL_SIZE``.

    Raises:
        UsageError: The limit is not a size, or too small for a journal.
    """
    return Journal(folders.data, journal_size())


def journal_size() -> int:
    """Return the maximum size of the journal in bytes.

    Raises:
        UsageError: See `open_journal`.
    """
    size = int(megabytes(os.environ.get(_SIZE, _USUAL_SIZE), _SIZE) * 1e6)
    if size < _SMALLEST:
        raise UsageError(f"{_SIZE}: the journal needs at least {_SMALLEST // 10**6} MB")
    return size


def _picture(number: int, camera: int, frame: "Frame | str") -> Picture:
    import cv2

    if isinstance(frame, str):
        return Picture(number=number, camera=camera, source=frame, time_s=0.0, png=b"")
    # A third faster than the fastest level with OpenCV's own choice, and a tenth smaller.
    filtered = (cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_PAETH)
    packed = (cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE)
    fast = (cv2.IMWRITE_PNG_COMPRESSION, 1)
    _, png = cv2.imencode(".png", frame.image, [*fast, *filtered, *packed])
    return Picture(
        number=number,
        camera=camera,
        source=frame.source,
        time_s=frame.time_s,
        png=png.tobytes(),
    )
