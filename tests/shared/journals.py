"""The journal of a test, as another program finds it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from robot.running.journal import JournalRecord
from thistlebot.journal.journal import Journal
from thistlebot.journal.machine_state import ProgramJournal
from thistlebot.journal.run_row import row_of

SIZE = 100_000_000


@contextmanager
def opened_journal(folder: Path, limit: int = SIZE) -> Iterator[Journal]:
    """Open a journal, and write all of it at the end."""
    with Journal(folder, limit, row_of) as journal:
        yield journal


def begin_program(folder: Path, record: JournalRecord) -> None:
    """Write down a program as one that was killed while it was turned."""
    with opened_journal(folder) as journal:
        ProgramJournal(journal).begin(record)


def unfinished_program(folder: Path) -> JournalRecord | None:
    """Return the program that was cut off and may be finished, or None."""
    with opened_journal(folder) as journal:
        return ProgramJournal(journal).unfinished()


def forked(work: Callable[[int], object]) -> tuple[int, int]:
    """Do some work in a process of its own, a copy of this one that ends with the work.

    Args:
        work: Given a pipe to write into.

    Returns:
        The number of the process, and the pipe to read from.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            work(writing)
        finally:
            os._exit(1)
    os.close(writing)
    return child, reading
