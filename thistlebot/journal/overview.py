"""The past at a glance: the last runs, and statistics of all solves."""

from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from thistlebot.config import Folders
from thistlebot.journal.past_runs import past_runs, solves_by_rig
from thistlebot.journal.rows import Outcome, RunRow, Wanted
from thistlebot.journal.run_record import events_of
from thistlebot.journal.run_times import RunTimes, times_of
from thistlebot.journal.statistics import Solves, Summary
from thistlebot.journal.store import Store

_LISTED = 200
_TIMED = 20


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """The past of real machines, or of virtual ones.

    Attributes:
        rows: The last runs with their numbers, the newest first.
        rigs: The rigs that solved; that of the last solve is the first.
        rig: The rig of the statistics; empty if nothing was solved.
        solves: Its solves that count, the oldest first.
        summary: Their statistics.
        times: Number of a verified run, and its times; the oldest first.
        note: A message about the journal; usually empty.
    """

    rows: tuple[tuple[int, RunRow], ...] = ()
    rigs: tuple[str, ...] = ()
    rig: str = ""
    solves: Solves = field(default_factory=lambda: Solves.of(()))
    summary: Summary = field(default_factory=lambda: Summary.of(Solves.of(())))
    times: tuple[tuple[int, RunTimes], ...] = ()
    note: str = ""


def overview_of(folders: Folders, *, virtual: bool, rig: str = "") -> Overview:
    """Read the journal.

    Args:
        folders: The folders of the program.
        virtual: Runs of virtual machines, instead of real ones.
        rig: Only runs of the rig with this name; by default all are listed, and the statistics are
            of the rig of the last solve.

    Raises:
        ComputerError: The journal cannot be read.
        UsageError: See `past_runs`.
    """
    notes: list[str] = []
    wanted = _wanted(virtual=virtual)
    with past_runs(folders, notes.append) as store:
        by_rig = solves_by_rig(store, wanted)
        counted = rig or next(iter(by_rig), "")
        of_rig = msgspec.structs.replace(wanted, rig=(counted,))
        rows = store.latest(of_rig if rig else wanted, _LISTED)
        solves = by_rig.get(counted, Solves.of(()))
        times = _times(store, of_rig)
    newest_first = tuple(sorted(rows, key=lambda each: (each[1].began, each[0]), reverse=True))
    summary = Summary.of(solves)
    told = " ".join(notes)
    return Overview(newest_first, tuple(by_rig), counted, solves, summary, times, told)


def latest_runs(folders: Folders, most: int, *, virtual: bool) -> list[tuple[int, RunRow]]:
    """Return the last runs with their numbers, the newest first.

    Raises:
        ThistlebotError: As for `overview_of`.
    """
    with past_runs(folders) as store:
        return store.latest(_wanted(virtual=virtual), most)[::-1]


def best_since(folders: Folders, since: datetime, rig: str, *, virtual: bool) -> float | None:
    """Return a rig's shortest time in seconds of a verified solve since then, if there is one.

    Raises:
        ThistlebotError: See `overview_of`.
    """
    wanted = _wanted(virtual=virtual, since=since.timestamp(), rig=(rig,))
    with past_runs(folders) as store:
        return Summary.of(solves_by_rig(store, wanted).get(rig, Solves.of(()))).best_s


def solving_rows(folders: Folders, *, virtual: bool) -> tuple[RunRow, ...]:
    """Return the runs that count as solves, the oldest first.

    Raises:
        ThistlebotError: See `overview_of`.
    """
    with past_runs(folders) as store:
        rows = store.latest(_solving(_wanted(virtual=virtual)))
    return tuple(row for _, row in sorted(rows, key=lambda each: (each[1].began, each[0])))


def _wanted(*, virtual: bool, since: float = 0.0, rig: tuple[str, ...] = ()) -> Wanted:
    return Wanted(virtual=(virtual,), imported=(False,), since=since, rig=rig)


def _solving(wanted: Wanted) -> Wanted:
    return msgspec.structs.replace(wanted, solves=True)


def _times(store: Store, wanted: Wanted) -> tuple[tuple[int, RunTimes], ...]:
    rows = store.latest(_solving(wanted), 3 * _TIMED)
    rows = sorted(rows, key=lambda each: (each[1].began, each[0]))
    verified = [each for each in rows if each[1].outcome is Outcome.VERIFIED][-_TIMED:]
    found = []
    for number, row in verified:
        run = store.run(row.uid)
        if run is not None:
            found.append((number, times_of(events_of(run))))
    return tuple(found)
