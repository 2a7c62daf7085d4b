"""Which programs that write into a journal are still alive."""

import sqlite3
from pathlib import Path

from documents.files import make_private

_MOST = 64
"""Maximum number of programs that use one journal at a time."""


class ProgramLock:
    """A lock that a program holds until it ends in any way; after a kill, the system releases it.

    SQLite's functions take it, because they are portable.

    Attributes:
        number: Identifies this program as long as it is alive; programs before it had the same.

    Raises:
        OSError: No lock can be created.
        sqlite3.Error: No lock can be taken.
    """

    def __init__(self, folder: Path) -> None:
        for self.number in range(_MOST):
            file = _file(folder, self.number)
            make_private(file)
            if (lock := _locked(file)) is not None:
                self._lock = lock
                return
        raise sqlite3.OperationalError(f"{_MOST} programs use it")

    def close(self) -> None:
        """Release the lock."""
        self._lock.close()


def is_alive(folder: Path, number: int) -> bool:
    """Return whether a program holds the lock with this number.

    Raises:
        sqlite3.Error: It is unknown.
    """
    file = _file(folder, number)
    if not file.exists():
        return False
    lock = _locked(file)
    if lock is not None:
        lock.close()
    return lock is None


def _locked(file: Path) -> sqlite3.Connection | None:
    """Lock a file; return None if another program, or this one, holds its lock."""
    db = sqlite3.connect(file, timeout=0.0, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        db.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return None
    return db


def _file(folder: Path, number: int) -> Path:
    return folder / f"program-{number}.lock"
