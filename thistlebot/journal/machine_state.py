"""What outlives the programs of each board: its machine's pose, and whether a face may be askew."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec

from documents.files import make_private
from robot.ports.serial_port import NUMBERED, port_names
from robot.running.machine_record import MachineRecord
from thistlebot.errors import UsageError
from thistlebot.journal.database_file import APPLICATION, require_own

FILE = "machine.sqlite"
_KEY = "unfinished"
_BUSY_S = 5.0
_RESERVED = 32_000
"""Bytes that are reserved on the disk for records."""


class MachineState:
    """The record of a machine, for each board, in a small database beside the journal.

    A record is on the disk when the call returns. Its room on the disk is reserved when the
    database is created, and the database writes into the same room again and again, so that a disk
    that fills up later does no harm.

    Args:
        folder: Folder of the journal.
        board: The board, as in `robot.ports.serial_port.board_identity`; empty if it is unknown,
            which stands for all boards.
        note: Called once if records cannot be written.
    """

    def __init__(
        self, folder: Path, board: str = "", note: Callable[[str], None] = lambda _: None
    ) -> None:
        self._file = folder / FILE
        self._board = board
        self._key = f"{_KEY} {board}" if board else _KEY
        self._note: Callable[[str], None] | None = note

    def keep(self, record: MachineRecord) -> None:
        """Keep a record in place of any other; a record that cannot be written stops nothing."""
        self._put(msgspec.json.encode(record).decode())

    def forget(self) -> None:
        """Forget the record, because a person has aligned the machine."""
        self._put("")

    def last(self) -> MachineRecord | None:
        """Return the record, the one that leaves a doubt if it may be one of several.

        Raises:
            UsageError: The stored value is not a record, or it cannot be read.
        """
        known = self._records()
        found = [known[self._key]] if self._key in known else []
        if not found or not self._board:
            found = [value for key, value in known.items() if self._may_be_ours(key)]
        try:
            records = [msgspec.json.decode(text, type=MachineRecord) for text in found if text]
        except (ValueError, RecursionError) as error:
            raise UsageError(
                "a different version of this program was interrupted, and its record cannot "
                f"be read: {error}"
            ) from None
        return max(records, key=lambda each: bool(each.steps or each.askew), default=None)

    def _may_be_ours(self, key: str) -> bool:
        """Return whether the record of another board, or of an unknown one, may be of this one.

        A board without a serial number may have moved to another port.
        """
        name, _, board = key.partition(" ")
        if name != _KEY or not self._board or not board:
            return name == _KEY
        there = Path(board).exists() or board in port_names()
        return not (there or board.startswith(NUMBERED) or self._board.startswith(NUMBERED))

    def _records(self) -> dict[str, str]:
        try:
            with closing(self._opened()) as db:
                return dict(db.execute("SELECT key, value FROM records"))
        except (OSError, sqlite3.Error, UnicodeDecodeError, UsageError) as error:
            if not os.path.lexists(self._file) or not self._file.stat().st_size:
                return {}  # there was never room for one, or no permission
            raise UsageError(
                f"{self._file} cannot be read ({error}), so it is unknown whether the last "
                "program was interrupted"
            ) from None

    def _put(self, value: str) -> None:
        try:
            try:
                self._write(value)
            except sqlite3.OperationalError:
                raise  # busy, full or not permitted
            except (sqlite3.DatabaseError, UsageError):  # damaged, or of another program
                aside = self._file.with_name(f"machine-damaged-{time.time_ns()}.sqlite")
                self._file.rename(aside)
                self._file.with_name(f"{FILE}-journal").unlink(missing_ok=True)
                self._write(value)
        except (OSError, sqlite3.Error) as error:
            if self._note is not None:
                self._note(
                    f"cannot write {self._file} ({error}): the machine keeps working, but if this "
                    "program is killed, the next one does not know whether every face is aligned; "
                    "free some space there, or set another folder with THISTLEBOT_DATA_DIR"
                )
            self._note = None

    def _write(self, value: str) -> None:
        with closing(self._opened()) as db:
            db.execute("INSERT OR REPLACE INTO records VALUES (?, ?)", (self._key, value))

    def _opened(self) -> sqlite3.Connection:
        """Open the database; create it if missing.

        Its journal stays on the disk, so changes need no more room. With such a journal, NORMAL
        is enough to have a change on the disk when it is committed.
        """
        require_own(self._file)
        make_private(self._file)
        db = sqlite3.connect(self._file, timeout=_BUSY_S, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = PERSIST")
            db.execute("PRAGMA synchronous = NORMAL")
            if db.execute("PRAGMA application_id").fetchone() == (0,):
                self._create(db)
        except BaseException:
            db.close()
            raise
        return db

    def _create(self, db: sqlite3.Connection) -> None:
        """Create the table, and reserve its room on the disk."""
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE IF NOT EXISTS records (key TEXT PRIMARY KEY, value TEXT) STRICT")
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute("COMMIT")
        for filling in "xy":  # the second one is also written to the database's journal
            content = filling * _RESERVED
            db.execute("INSERT OR REPLACE INTO records VALUES ('', ?)", (content,))
        db.execute("DELETE FROM records WHERE key = ''")
