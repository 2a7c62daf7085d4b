"""The events of the runs in progress, each of which is committed at once."""

from pathlib import Path

from thistlebot.journal.program_lock import ProgramLock
from thistlebot.journal.rows import StoredRun
from thistlebot.journal.store import Store

_GONE = -1
"""The number of programs whose number another one has."""


class EventLog(Store):
    """A connection to the journal's database for the events of one program; see `Store`.

    It never waits for the disk; the connection that sums up runs does.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self._alive = ProgramLock(folder)
        try:
            super().__init__(folder, limit)
            self._db.execute(
                "UPDATE running SET program = ? WHERE program = ?", (_GONE, self._alive.number)
            )
        except BaseException:
            self._alive.close()
            raise

    def close(self) -> None:
        """Close the database; runs in progress count as interrupted from now on."""
        super().close()
        self._alive.close()

    def begin_run(self, run: StoredRun) -> None:
        """Begin a run, which has no events yet.

        Raises:
            sqlite3.Error: It cannot be written.
        """
        self._db.execute(
            "INSERT INTO running (uid, began, context, program, ended) VALUES (?, ?, ?, ?, 0)",
            (run.uid, run.began, bytes(run.context), self._alive.number),
        )

    def add_event(self, uid: str, time_s: float, event: bytes) -> None:
        """Add an event to a run.

        Raises:
            sqlite3.Error: It cannot be written.
        """
        self._db.execute(
            "INSERT INTO said (uid, time_s, event) VALUES (?, ?, ?)", (uid, time_s, event)
        )

    def end_run(self, uid: str) -> None:
        """Note that a run came to its end.

        Raises:
            sqlite3.Error: It cannot be written.
        """
        self._db.execute("UPDATE running SET ended = 1 WHERE uid = ?", (uid,))
