"""The journal on disk: which program was under way when this program was killed."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from documents.errors import ConfigError, MissingDocumentError
from documents.files import seal, unseal, write_atomically
from robot.running.journal import JournalRecord
from thistlebot.errors import UsageError

FILE = "unfinished.json"
_STALE_S = 3600.0
"""Nobody takes that long to write: an older temporary file is nobody's."""


class FileJournal:
    """Implements `robot.running.journal.Journal` by one small file, written all or nothing.

    A folder that cannot be written costs the safety net, not the solve: it is said, once.

    Args:
        folder: The state folder of the program.
        note: Told what a person should know.
    """

    def __init__(self, folder: Path, note: Callable[[str], None] = lambda _: None) -> None:
        self._file = folder / FILE
        self._note = note
        self._told = False

    def begin(self, record: JournalRecord) -> None:
        """Keep a record, in place of any other."""
        self._keep(record)

    def _keep(self, record: JournalRecord) -> bool:
        """Write a record; whether that was possible."""
        self._sweep()
        try:
            write_atomically(self._file, seal(msgspec.json.encode(record).decode()))
        except ConfigError as error:
            if not self._told:
                self._note(f"a solve that is cut off could not be finished later: {error}")
            self._told = True
            return False
        return True

    def _sweep(self) -> None:
        """Remove what programs left behind that were killed while they wrote."""
        for path in self._file.parent.glob(f".{FILE}.*"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _STALE_S:
                    path.unlink()

    def end(self, why: str = "") -> None:
        """Forget the record; when its program was not turned to its end, keep why.

        An interrupt may come at any moment: there is always the record of before or the new one.
        """
        record = None
        with contextlib.suppress(UsageError):
            record = self.last() if why else None
        if record is not None and self._keep(msgspec.structs.replace(record, ended=why)):
            return
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            self._note(f"{self._file} cannot be removed ({error.strerror}): remove it by hand")

    def unfinished(self) -> JournalRecord | None:
        """Return the record of a program that was cut off and may be finished, or None.

        Raises:
            UsageError: The file is there but is no record.
        """
        record = self.last()
        return None if record is None or record.ended else record

    def last(self) -> JournalRecord | None:
        """Return the record of the last program; None when it was turned to its end.

        Raises:
            UsageError: The file is there but is no record.
        """
        try:
            return msgspec.json.decode(unseal(self._file), type=JournalRecord)
        except MissingDocumentError:
            return None
        except (ConfigError, msgspec.DecodeError) as error:
            raise UsageError(
                f"{self._file} is no record of a program ({error}): remove it and scan again"
            ) from None
