"""The journal's database: SQLite with a write-ahead log, limited in size.

The events of a run are rows until it has ended; then it is summed up, and they are packed. A run
whose program was killed is summed up by the next program.
"""

import contextlib
import hashlib
import os
import sqlite3
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from documents.files import make_private
from thistlebot.errors import UsageError
from thistlebot.journal.database_file import APPLICATION, FILE, require_own, without_index
from thistlebot.journal.program_lock import is_alive
from thistlebot.journal.rows import (
    EVERY_RUN,
    SOLVING_VERBS,
    Outcome,
    Picture,
    RunRow,
    StoredRun,
    Wanted,
)
from thistlebot.journal.run_row import row_of

DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""Errors of a database that is busy, full or damaged; damage may be in a message of SQLite."""
LARGEST_RECORD = 4_000_000
"""Maximum size in bytes of the context or the events of a run."""
_VERSION = 2
_BUSY_S = 1.0
_LOG_BYTES = 4_000_000
"""Size to which the write-ahead log is truncated; part of the limit."""
_SPARE = 1_000_000
_BATCHES = {"pictures": 4, "details": 64, "runs": 64}
"""How many rows of each table are deleted at a time, in the order of deletion."""
_COLUMNS = RunRow.__struct_fields__
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS runs (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  began REAL NOT NULL,
  verb TEXT NOT NULL,
  virtual INTEGER NOT NULL,
  rig TEXT NOT NULL,
  outcome TEXT NOT NULL,
  seconds REAL,
  turns INTEGER,
  facelets TEXT NOT NULL,
  moves TEXT NOT NULL,
  first_right INTEGER,
  told TEXT NOT NULL,
  imported INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS runs_by_began ON runs (began);
CREATE TABLE IF NOT EXISTS contexts (hash TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS details (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  context TEXT NOT NULL,
  ended INTEGER NOT NULL,
  events BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS details_by_context ON details (context);
CREATE TABLE IF NOT EXISTS pictures (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL,
  number INTEGER NOT NULL,
  camera INTEGER NOT NULL,
  source TEXT NOT NULL,
  time_s REAL NOT NULL,
  png BLOB NOT NULL,
  UNIQUE (uid, number)
) STRICT;
CREATE TABLE IF NOT EXISTS running (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  began REAL NOT NULL,
  context BLOB NOT NULL,
  program INTEGER NOT NULL,
  ended INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS said (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL,
  time_s REAL NOT NULL,
  event BLOB NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS said_by_uid ON said (uid);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {_VERSION};
"""


class Store:
    """The database of one journal, for one thread at a time.

    It survives a kill and a power loss at any time: a transaction is stored completely or not at
    all. After a kill, every transaction is there; a power loss may take those since the last
    `sum_up`.

    Args:
        folder: Its folder; created if missing.
        limit: Maximum size of the file in bytes, including its log.

    Attributes:
        damaged: Where an unreadable database was moved to; None if there was none.

    Raises:
        OSError: The folder cannot be created.
        sqlite3.Error: The database cannot be created or opened.
        UsageError: It comes from a newer version of this program, or from another program.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self._limit = limit
        self.file = folder / FILE
        require_own(self.file)
        make_private(self.file)
        self.damaged: Path | None = None
        self._logged = 0
        try:
            self._db = self._opened()
        except sqlite3.OperationalError:
            raise  # busy, full or not permitted: the data may be intact
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            self.damaged = self.file.with_name(f"journal-damaged-{time.time_ns()}.sqlite")
            self.file.rename(self.damaged)
            for suffix in ("-wal", "-shm"):
                self.file.with_name(self.file.name + suffix).unlink(missing_ok=True)
            self._db = self._opened()
        self._status = self.file.stat()

    @classmethod
    def for_reading(cls, folder: Path) -> Self:
        """Open a journal on a disk that is full or read-only.

        Raises:
            sqlite3.Error: It cannot be read.
            UsageError: See `Store`.
        """
        store = cls.__new__(cls)
        store._limit, store.file, store.damaged = 0, folder / FILE, None
        require_own(store.file)
        store._db = without_index(store.file)
        return store

    @property
    def damaged_text(self) -> str:
        """A message about a damaged journal; empty if there was none."""
        if self.damaged is None:
            return ""
        return f"the journal was damaged, so a new one was started; the old one is {self.damaged}"

    def stands(self) -> bool:
        """Return whether the file is still there; somebody may have deleted it."""
        try:
            return os.path.samestat(self.file.stat(), self._status)
        except OSError:
            return False

    def _opened(self) -> sqlite3.Connection:
        db = sqlite3.connect(
            self.file, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
        )
        try:
            self._set_up(db)
        except BaseException:
            db.close()
            raise
        return db

    def _set_up(self, db: sqlite3.Connection) -> None:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > _VERSION:
            raise UsageError(
                f"{self.file} was created by a newer version of this program: install that "
                "version, or set another folder with THISTLEBOT_DATA_DIR"
            )
        if version == 0:
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            db.execute(
                f"PRAGMA application_id = {APPLICATION}"
            )  # at once in the file, not in its log
            db.execute("PRAGMA journal_mode = WAL")
        if version < _VERSION:
            with _transaction(db):
                for statement in _SCHEMA.split(";")[:-1]:
                    db.execute(statement)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        db.execute("PRAGMA wal_autocheckpoint = 0")  # whoever comes by chance would wait for it
        db.execute("SELECT count(*) FROM running").fetchone()

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def sum_up(self) -> None:
        """Sum up the runs that ended, or whose program was killed, and write all to the disk.

        Raises:
            sqlite3.Error: It cannot be written.
        """
        found = self._db.execute("SELECT uid, program FROM running ORDER BY id").fetchall()
        done = False
        for uid, program in found:
            alive = is_alive(self.file.parent, program)  # asked before its last word is read
            run = self._told(uid)
            if run is not None and (run.ended or not alive):
                self.add_run(row_of(run), run)
                done = True
        if done:
            self._write_to_disk()

    def _told(self, uid: str) -> StoredRun | None:
        """Return a run that is not summed up; None if another program has just done it."""
        query = "SELECT began, context, ended FROM running WHERE uid = ?"
        found = self._db.execute(query, (uid,)).fetchone()
        if found is None:
            return None
        began, context, ended = found
        told = self._db.execute("SELECT time_s, event FROM said WHERE uid = ? ORDER BY id", (uid,))
        return StoredRun(
            uid=uid,
            began=began,
            context=msgspec.Raw(context),
            events=tuple((time_s, msgspec.Raw(event)) for time_s, event in told),
            ended=bool(ended),
        )

    def _write_to_disk(self) -> None:
        """Write the log to the file; other connections may write meanwhile."""
        self._logged = 0
        self._db.execute("PRAGMA wal_checkpoint").fetchone()
        # The next change waits for the disk, because it begins the log again: let it be this one.
        self._db.execute(f"PRAGMA user_version = {_VERSION}")

    def add_run(self, row: RunRow, run: StoredRun) -> None:
        """Add a run, unless it is there: another program may have summed it up meanwhile.

        Raises:
            sqlite3.Error: It cannot be written.
        """
        events = zlib.compress(msgspec.json.encode(run.events))
        digest = hashlib.sha256(run.context).hexdigest()
        self._make_room(len(events) + len(run.context))
        with _transaction(self._db):
            self._db.execute(
                f"INSERT OR IGNORE INTO runs ({', '.join(_COLUMNS)}) "  # noqa: S608 - our names
                f"VALUES ({', '.join('?' * len(_COLUMNS))})",
                msgspec.structs.astuple(row),
            )
            self._db.execute(
                "INSERT OR IGNORE INTO contexts VALUES (?, ?)",
                (digest, zlib.compress(bytes(run.context))),
            )
            self._db.execute(
                "INSERT OR IGNORE INTO details (uid, context, ended, events) VALUES (?, ?, ?, ?)",
                (run.uid, digest, run.ended, events),
            )
            self._db.execute("DELETE FROM said WHERE uid = ?", (run.uid,))
            self._db.execute("DELETE FROM running WHERE uid = ?", (run.uid,))

    def add_picture(self, uid: str, picture: Picture) -> None:
        """Add a picture of a run.

        Raises:
            sqlite3.Error: It cannot be written.
        """
        self._make_room(len(picture.png))
        self._db.execute(
            "INSERT OR REPLACE INTO pictures (uid, number, camera, source, time_s, png) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (uid, *msgspec.structs.astuple(picture)),
        )
        self._logged += len(picture.png)
        if self._logged > _LOG_BYTES // 2:
            self._write_to_disk()

    def require_room(self, bytes_: int) -> None:
        """Refuse data that would displace older runs.

        Raises:
            UsageError: There is not enough room.
        """
        room = self._limit - _LOG_BYTES - self._used() - _SPARE
        if bytes_ > room:
            raise UsageError(
                f"this needs {bytes_ / 1e6:.0f} MB, but the journal has only "
                f"{max(room, 0) / 1e6:.0f} MB left, and older runs are not deleted for an "
                "import: raise THISTLEBOT_JOURNAL_SIZE"
            )

    def latest(self, wanted: Wanted, most: int = -1) -> list[tuple[int, RunRow]]:
        """Return the latest runs with their numbers, the oldest first.

        They are in the order of storage, because times from a clock may be wrong.

        Args:
            wanted: The filter.
            most: Maximum number; negative for all.
        """
        where, values = _where(wanted)
        found = self._db.execute(
            f"SELECT id, {', '.join(_COLUMNS)} FROM runs {where} "  # noqa: S608 - our names
            "ORDER BY id DESC LIMIT ?",
            (*values, most),
        )
        return [(number, _row(values)) for number, *values in found][::-1]

    def columns(self, *names: str, wanted: Wanted = EVERY_RUN) -> list[tuple[Any, ...]]:
        """Return some columns of runs, in any order: much faster than whole rows.

        Args:
            names: Fields of `RunRow`, or ``id`` for the number.
            wanted: The filter.
        """
        where, values = _where(wanted)
        return self._db.execute(f"SELECT {', '.join(names)} FROM runs {where}", values).fetchall()  # noqa: S608

    def row(self, number: int) -> RunRow | None:
        """Return a run by its number; None if there is none."""
        query = f"SELECT {', '.join(_COLUMNS)} FROM runs WHERE id = ?"  # noqa: S608 - our names
        values = self._db.execute(query, (number,)).fetchone()
        return None if values is None else _row(values)

    def number_of(self, uid: str) -> int | None:
        """Return the number of a run; None if there is no such run."""
        found = self._db.execute("SELECT id FROM runs WHERE uid = ?", (uid,)).fetchone()
        return None if found is None else int(found[0])

    def run(self, uid: str) -> StoredRun | None:
        """Return the events of a run; None if they were deleted to free space, or are damaged."""
        found = self._db.execute(
            "SELECT content, ended, events, began FROM details JOIN contexts ON context = hash "
            "JOIN runs USING (uid) WHERE uid = ?",
            (uid,),
        ).fetchone()
        if found is None:
            return None
        context, ended, events, began = found
        try:
            content, told = msgspec.Raw(_unpacked(context)), _unpacked(events)
            msgspec.json.decode(content)
            msgspec.json.decode(told)  # the parts of raw JSON, too
            stored = msgspec.json.decode(told, type=_Events)
        except (zlib.error, ValueError, RecursionError):
            return None
        return StoredRun(uid=uid, began=began, context=content, events=stored, ended=bool(ended))

    def pictures(self, uid: str) -> tuple[Picture, ...]:
        """Return the stored pictures of a run, in the order of exposure."""
        found = self._db.execute(
            "SELECT number, camera, source, time_s, png FROM pictures WHERE uid = ? "
            "ORDER BY number",
            (uid,),
        )
        fields = Picture.__struct_fields__
        return tuple(Picture(**dict(zip(fields, each, strict=True))) for each in found)

    def picture_numbers(self, uid: str) -> tuple[tuple[int, int], ...]:
        """Return the numbers of the pictures of a run that were taken, with their cameras."""
        query = "SELECT number, camera FROM pictures WHERE uid = ? AND png != x'' ORDER BY number"
        return tuple(self._db.execute(query, (uid,)).fetchall())

    def picture(self, uid: str, number: int) -> bytes | None:
        """Return one picture of a run as PNG; None if there is no such picture."""
        query = "SELECT png FROM pictures WHERE uid = ? AND number = ?"
        found = self._db.execute(query, (uid, number)).fetchone()
        return found[0] or None if found else None

    def _make_room(self, bytes_: int) -> None:
        """Delete the oldest pictures, then the oldest events, then the oldest runs."""
        most = self._limit - _LOG_BYTES
        while self._used() + bytes_ > most:
            if not any(map(self._drop_oldest, _BATCHES)):
                break
        if self._pages("page_count") > most:
            self._db.executescript("PRAGMA incremental_vacuum")  # this takes many steps

    def _used(self) -> int:
        return self._pages("page_count") - self._pages("freelist_count")

    def _pages(self, which: str) -> int:
        (count,) = self._db.execute(f"PRAGMA {which}").fetchone()
        (size,) = self._db.execute("PRAGMA page_size").fetchone()
        return int(count * size)

    def _drop_oldest(self, table: str) -> int:
        """Delete the oldest rows of a table; return their number."""
        with _transaction(self._db):
            dropped = self._db.execute(
                f"DELETE FROM {table} WHERE id IN "  # noqa: S608 - our names
                f"(SELECT id FROM {table} ORDER BY id LIMIT {_BATCHES[table]})"
            ).rowcount
            if table == "details":
                self._db.execute(
                    "DELETE FROM contexts WHERE hash NOT IN (SELECT context FROM details)"
                )
        return int(dropped)


_Events = tuple[tuple[float, msgspec.Raw], ...]


def _unpacked(content: bytes) -> bytes:
    """Decompress a part of a run.

    Raises:
        zlib.error: It is damaged, or larger than that of any run.
    """
    unpacking = zlib.decompressobj()
    unpacked = unpacking.decompress(content, LARGEST_RECORD)
    if not unpacking.eof:
        raise zlib.error("incomplete, or too large")
    return unpacked


def _where(wanted: Wanted) -> tuple[str, list[object]]:
    """Return the SQL condition of a filter, and its values."""
    conditions: list[str] = []
    values: list[object] = []
    if wanted.since:
        conditions.append("began >= ?")
        values.append(wanted.since)
    for name in ("virtual", "rig", "imported"):
        if choice := getattr(wanted, name):
            conditions.append(f"{name} IN ({', '.join('?' * len(choice))})")
            values += choice
    if wanted.solves:
        verbs = ", ".join("?" * len(SOLVING_VERBS))
        conditions.append(f"verb IN ({verbs}) AND outcome != ? AND turns IS NOT 0")
        values += [*SOLVING_VERBS, Outcome.PLANNED]
    return " AND ".join(["WHERE 1", *conditions]), values


def _row(values: Sequence[object]) -> RunRow:
    named = dict(zip(_COLUMNS, values, strict=True))
    for flag in ("virtual", "first_right", "imported"):
        named[flag] = None if named[flag] is None else bool(named[flag])
    return RunRow(**{**named, "outcome": Outcome(str(named["outcome"]))})  # type: ignore[arg-type]


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
