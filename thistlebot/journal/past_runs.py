"""Reading the journal: opening it, and finding runs by the names that people use."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from operator import itemgetter
from typing import Any

import msgspec

from thistlebot.config import Folders
from thistlebot.errors import ComputerError, UsageError
from thistlebot.journal.journal import journal_size
from thistlebot.journal.rows import EVERY_RUN, Wanted
from thistlebot.journal.statistics import COLUMNS, Solves
from thistlebot.journal.store import DATABASE_ERRORS, Store

LAST = "last"
"""The name of the latest run."""
SHORTEST = 4
"""Minimum length of a uid's beginning as a name; shorter ones could be numbers."""
MOST_TOLD = 5
"""Number of runs that are listed if a name fits several."""


@contextmanager
def past_runs(folders: Folders, note: Callable[[str], None] = lambda _: None) -> Iterator[Store]:
    """Open the user's journal for reading, after summing up the runs of killed programs.

    Raises:
        ComputerError: It cannot be read.
        UsageError: It comes from a newer version of this program, or its size setting is wrong.
    """
    try:
        try:
            store = Store(folders.data, journal_size())
        except (OSError, sqlite3.OperationalError):  # the disk is full or read-only
            store = Store.for_reading(folders.data)
        else:
            with suppress(sqlite3.OperationalError):  # it is read-only, or another program writes
                store.sum_up()
        try:
            if store.damaged_text:
                note(store.damaged_text)
            yield store
        finally:
            store.close()
    except DATABASE_ERRORS as error:
        raise ComputerError(
            f"cannot read the journal in {folders.data} ({error}): check the permissions and "
            "the free space there, or set another folder with THISTLEBOT_DATA_DIR"
        ) from error


def solves_by_rig(store: Store, wanted: Wanted) -> dict[str, Solves]:
    """Return the solves of each rig; that of the last solve is the first.

    Times of different rigs say nothing about each other, so no average goes over two rigs.
    """
    wanted = msgspec.structs.replace(wanted, solves=True)
    found: dict[str, list[tuple[Any, ...]]] = {}
    for rig, *columns in sorted(
        store.columns("rig", *COLUMNS, wanted=wanted), key=itemgetter(1), reverse=True
    ):
        found.setdefault(rig, []).append(tuple(columns))
    return {rig: Solves.of(rows) for rig, rows in found.items()}


def find_run(store: Store, name: str) -> int:
    """Return the number of a run.

    A number or a whole uid names its run even if other uids begin in the same way. The beginning of
    a uid has `SHORTEST` characters, so it is not confused with a number.

    Args:
        store: The journal.
        name: Its number, `LAST`, or the beginning of its uid.

    Raises:
        UsageError: There is no such run, or several; the message lists them.
    """
    known = store.columns("id", "uid")
    if not known:
        raise UsageError("there are no runs yet; the first solve creates one")
    if name == LAST:
        ((number, _),) = store.latest(EVERY_RUN, 1)
        return number
    wanted = name.lower()
    exact = [number for number, uid in known if name == str(number) or wanted == uid]
    if exact:
        return int(exact[0])
    begin = [each for each in known if len(name) >= SHORTEST and each[1].startswith(wanted)]
    if len(begin) == 1:
        return int(begin[0][0])
    if begin:
        several = ", ".join(f"{number} ({uid})" for number, uid in begin[:MOST_TOLD])
        more = f" and {len(begin) - MOST_TOLD} more" if len(begin) > MOST_TOLD else ""
        raise UsageError(
            f"several runs begin with {name!r}: {several}{more}; give the number of the run, "
            "or more of its uid"
        )
    numbers = [number for number, _ in known]
    raise UsageError(
        f"there is no run {name!r}: give a number from {min(numbers)} to {max(numbers)} (see "
        f"`thistlebot history`), {LAST}, or at least the first {SHORTEST} characters of a uid"
    )
