"""The machine's state after a kill: the unfinished program."""

from pathlib import Path

import msgspec

from robot.ports.serial_port import NUMBERED, port_names
from robot.protocol.messages import Status
from robot.running.journal import JournalRecord, leaves_askew, may_stand_askew
from thistlebot.errors import UsageError
from thistlebot.journal.journal import Journal

_KEY = "unfinished"


class ProgramJournal:
    """Implements `robot.running.journal.ProgramStore` with a value in the journal for each board.

    Args:
        journal: The journal.
        board: The board, as in `robot.ports.serial_port.board_identity`; empty if it is unknown,
            which stands for all boards.
    """

    def __init__(self, journal: Journal, board: str = "") -> None:
        self._journal = journal
        self._board = board
        self._key = f"{_KEY} {board}" if board else _KEY

    def begin(self, record: JournalRecord) -> None:
        """Store a record in place of any other."""
        self._journal.keep(self._key, msgspec.json.encode(record).decode())

    def end(self, why: Exception | str = "") -> None:
        """Delete the record; if its program was not completed, store the reason."""
        try:
            record = self.last() if why else None
        except UsageError:
            return  # the earlier doubt remains
        if record is None:
            self._journal.keep(self._key, "")
        else:
            askew = leaves_askew(why)
            self.begin(msgspec.structs.replace(record, ended=str(why), askew=askew))

    def why_askew(self, boot_id: int, status: Status) -> str:
        """Return why a face may be between detents; empty if none is, as far as known.

        Args:
            boot_id: The board's current boot id.
            status: The board's status.
        """
        try:
            record = self.last()
        except UsageError as error:  # from another version
            return str(error)
        if record is None or not may_stand_askew(record, boot_id, status):
            return ""
        return record.ended or "the board restarted during a program"

    def aligned(self) -> None:
        """Note that every face is at a detent; the interrupted program will not be finished."""
        self._journal.keep(self._key, "")

    def unfinished(self) -> JournalRecord | None:
        """Return the record of an interrupted program that can be finished, if one is known."""
        try:
            record = self.last()
        except UsageError:
            return None
        return None if record is None or record.ended else record

    def last(self) -> JournalRecord | None:
        """Return the record of the last program; None if it was completed.

        Raises:
            UsageError: The stored value is not a record, or it is lost.
        """
        text = self._journal.kept(self._key)
        if text is None or not self._board:
            kept = self._journal.kept_values().items()
            text = next((value for key, value in kept if value and self._may_be_ours(key)), text)
        if text is None and self._journal.lost:
            raise UsageError(
                "the journal cannot be read, so it is unknown whether the last program was "
                "interrupted: read the cube with `thistlebot solve`"
            )
        if not text:
            return None
        try:
            return msgspec.json.decode(text, type=JournalRecord)
        except (ValueError, RecursionError) as error:
            raise UsageError(
                "a different version of this program was interrupted, and its record cannot "
                f"be read ({error}): read the cube with `thistlebot solve`"
            ) from None

    def _may_be_ours(self, key: str) -> bool:
        """Return whether the record of another board, or of an unknown one, may be of this one.

        A board without a serial number may have moved to another port.
        """
        name, _, board = key.partition(" ")
        if name != _KEY or not self._board or not board:
            return name == _KEY
        there = Path(board).exists() or board in port_names()
        return not (there or board.startswith(NUMBERED) or self._board.startswith(NUMBERED))
