"""Which program was under way when this program was killed, in the journal."""

import msgspec

from robot.running.journal import JournalRecord
from thistlebot.errors import UsageError
from thistlebot.journal.journal import Journal

_KEY = "unfinished"


class ProgramJournal:
    """Implements `robot.running.journal.ProgramStore`: a value that the journal keeps.

    Args:
        journal: Where it is kept.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def begin(self, record: JournalRecord) -> None:
        """Keep a record, in place of any other."""
        self._journal.keep(_KEY, msgspec.json.encode(record).decode())

    def end(self, why: str = "") -> None:
        """Forget the record; when its program was not turned to its end, keep why."""
        record = self.last() if why else None
        if record is None:
            self._journal.keep(_KEY, "")
        else:
            self.begin(msgspec.structs.replace(record, ended=why))

    def unfinished(self) -> JournalRecord | None:
        """Return the record of a program that was cut off and may be finished, or None.

        Raises:
            UsageError: As of `last`.
        """
        record = self.last()
        return None if record is None or record.ended else record

    def last(self) -> JournalRecord | None:
        """Return the record of the last program; None when it was turned to its end.

        Raises:
            UsageError: What is kept is no record.
        """
        text = self._journal.kept(_KEY)
        if not text:
            return None
        try:
            return msgspec.json.decode(text, type=JournalRecord)
        except msgspec.DecodeError as error:
            raise UsageError(
                f"another version of this program was cut off, and its record cannot be read "
                f"({error}): look at the cube with `thistlebot solve`"
            ) from None
