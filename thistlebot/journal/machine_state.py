"""What the journal keeps of each board's machine: its pose, and whether a face may stand askew."""

from pathlib import Path

import msgspec

from robot.ports.serial_port import NUMBERED, port_names
from robot.running.machine_record import MachineRecord
from thistlebot.errors import UsageError
from thistlebot.journal.journal import Journal

_KEY = "unfinished"


class MachineState:
    """The record of a machine, as a value in the journal for each board.

    Args:
        journal: The journal.
        board: The board, as in `robot.ports.serial_port.board_identity`; empty if it is unknown,
            which stands for all boards.
    """

    def __init__(self, journal: Journal, board: str = "") -> None:
        self._journal = journal
        self._board = board
        self._key = f"{_KEY} {board}" if board else _KEY

    def keep(self, record: MachineRecord) -> None:
        """Keep a record in place of any other."""
        self._journal.keep(self._key, msgspec.json.encode(record).decode())

    def forget(self) -> None:
        """Forget the record, because a person has aligned the machine."""
        self._journal.keep(self._key, "")

    def last(self) -> MachineRecord | None:
        """Return the record, the one that leaves a doubt if it may be one of several.

        Raises:
            UsageError: The stored value is not a record, or it is lost.
        """
        own = self._journal.kept(self._key)
        found = [own]
        if own is None or not self._board:
            kept = self._journal.kept_values().items()
            found = [value for key, value in kept if self._may_be_ours(key)]
        if not found and self._journal.lost:
            raise UsageError(
                "the journal cannot be read, so it is unknown whether the last program was "
                "interrupted"
            )
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
