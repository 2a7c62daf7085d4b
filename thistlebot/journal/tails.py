"""Which programs have a tail of the journal, and which tails nobody owns any more."""

import sqlite3
from pathlib import Path

from thistlebot.journal.tail import Tail

_MOST = 64
"""Programs that write into one journal at a time."""


class OwnedTail(Tail):
    """A tail that belongs to this program until it ends, however it ends.

    The owner holds a lock of the system on a file beside the tail, by SQLite's means, which are the
    same everywhere. The system takes it from a program that was killed.

    Args:
        file: The tail.

    Raises:
        sqlite3.OperationalError: It belongs to another program, or the folder cannot be written.
        OSError: As of `Tail`.
    """

    def __init__(self, file: Path) -> None:
        self._owner = sqlite3.connect(
            file.with_suffix(".lock"), timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            self._owner.execute("BEGIN EXCLUSIVE")
            super().__init__(file)
        except BaseException:
            self._owner.close()
            raise

    def close(self) -> None:
        """Give the tail to whoever comes next."""
        super().close()
        self._owner.close()


def take_tails(folder: Path) -> list[OwnedTail]:
    """Take all tails that nobody owns, or make one; the first is for this program to write.

    Args:
        folder: Of the journal.

    Raises:
        OSError: None can be made.
        sqlite3.OperationalError: Likewise.
    """
    taken: list[OwnedTail] = []
    for number in range(_MOST):
        file = folder / f"tail-{number}.log"
        if taken and not file.exists():
            continue
        try:
            taken.append(OwnedTail(file))
        except sqlite3.OperationalError:
            if not file.exists() or number == _MOST - 1:
                raise
    return taken
