"""The file of the journal's database: whose it is, and reading it where nothing can be written."""

import sqlite3
from pathlib import Path

from documents.errors import ConfigError
from documents.files import there_is
from thistlebot.errors import UsageError

FILE = "journal.sqlite"
APPLICATION = 0x54424A4E
"""SQLite's id of the application that owns a database."""
_MAGIC = b"SQLite format 3\0"
_HEADER = 72
"""Length of SQLite's header up to the id of the application, which ends it."""
_PAGE = 4096


def require_own(file: Path) -> None:
    """Refuse a file of another program, without changing it.

    Raises:
        UsageError: The file belongs to another program.
        OSError: It cannot be read.
        sqlite3.OperationalError: It is not a file.
    """
    try:
        if not there_is(file):
            return
    except ConfigError as error:
        raise sqlite3.OperationalError(str(error)) from None
    with file.open("rb") as handle:
        header = handle.read(_HEADER)
    foreign = header[_HEADER - 4 :] != APPLICATION.to_bytes(4, "big")
    begun = not any(header[_HEADER - 4 :]) and file.stat().st_size <= _PAGE  # by the first versions
    if header.startswith(_MAGIC) and foreign and not begun:
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
        db = sqlite3.connect(
            f"{file.absolute().as_uri()}?{mode}", uri=True, timeout=0.0, isolation_level=None
        )
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("SELECT count(*) FROM runs").fetchone()
        except sqlite3.OperationalError as error:
            db.close()
            failure = error
        else:
            return db
    raise failure
