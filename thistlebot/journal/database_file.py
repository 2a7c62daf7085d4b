"""The file of the journal's database: whose it is, and reading it where nothing can be written."""

import sqlite3
from contextlib import closing
from pathlib import Path

from documents.errors import ConfigError
from documents.files import there_is
from thistlebot.errors import UsageError

FILE = "journal.sqlite"
APPLICATION = 0x54424A4E
"""SQLite's id of the application that owns a database."""
_PAGE = 4096


def require_own(file: Path) -> None:
    """Refuse a file of another program, without changing it.

    Raises:
        UsageError: The file belongs to another program.
        sqlite3.OperationalError: It cannot be read, or is not a file.
    """
    try:
        if not there_is(file):
            return
    except ConfigError as error:
        raise sqlite3.OperationalError(str(error)) from None
    # Not by opening the file: to close it again would release the locks of this whole process.
    try:
        with closing(sqlite3.connect(_uri(file, "mode=ro&immutable=1"), uri=True)) as db:
            (application,) = db.execute("PRAGMA application_id").fetchone()
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return  # damaged: it will be put aside
    begun = not application and file.stat().st_size <= _PAGE  # by the first versions
    if application != APPLICATION and not begun:
        raise UsageError(
            f"{file} is the database of another program: move it away, or set another folder "
            "with THISTLEBOT_DATA_DIR"
        )


def without_index(file: Path) -> sqlite3.Connection:
    """Open a database where SQLite's shared-memory file cannot be created.

    With exclusive locking, SQLite keeps the index of its log in private memory. On a read-only
    disk, which allows no locks, it reads the file without its log.

    Raises:
        sqlite3.Error: It cannot be read, or another program uses it.
    """
    for mode in ("mode=rw", "mode=ro&immutable=1"):
        db = sqlite3.connect(_uri(file, mode), uri=True, timeout=0.0, isolation_level=None)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("SELECT count(*) FROM runs").fetchone()
        except sqlite3.OperationalError as error:
            db.close()
            failure = error
        else:
            return db
    raise failure


def _uri(file: Path, how: str) -> str:
    return f"{file.absolute().as_uri()}?{how}"
