"""What a page says of the past at a glance: the last runs, and what all solves come to."""

from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from thistlebot.config import Folders
from thistlebot.history.past_runs import past_runs, phase_times
from thistlebot.history.statistics import COLUMNS, SOLVING_VERBS, Solves, Summary
from thistlebot.journal.rows import Outcome, RunRow, Wanted
from thistlebot.journal.store import Store
from thistlebot.runs.events import Phase
from thistlebot.runs.run_record import events_of

PhaseTimes = tuple[tuple[Phase, float], ...]
_LISTED = 200
_TIMED = 20


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """The past of real machines, or of virtual ones.

    Attributes:
        rows: The last runs with their numbers, the newest first.
        solves: Those that count, the oldest first.
        summary: What they come to.
        phases: Number of a run that was verified, and what each phase took; the oldest first.
        note: What a person should know of the journal; mostly empty.
    """

    rows: tuple[tuple[int, RunRow], ...] = ()
    solves: Solves = field(default_factory=lambda: Solves.of(()))
    summary: Summary = field(default_factory=lambda: Summary.of(Solves.of(())))
    phases: tuple[tuple[int, PhaseTimes], ...] = ()
    note: str = ""


def overview_of(folders: Folders, *, virtual: bool) -> Overview:
    """Read the journal.

    Args:
        folders: Where it lies.
        virtual: Of virtual machines, instead of real ones.

    Raises:
        ComputerError: It cannot be read.
        UsageError: As of `past_runs`.
    """
    notes: list[str] = []
    wanted = _wanted(virtual=virtual)
    with past_runs(folders, notes.append) as store:
        rows = store.latest(wanted, _LISTED)
        solves = Solves.of(store.columns(*COLUMNS, wanted=_solving(wanted)))
        phases = _phases(store, wanted)
    newest_first = tuple(sorted(rows, key=lambda each: (each[1].began, each[0]), reverse=True))
    return Overview(newest_first, solves, Summary.of(solves), phases, " ".join(notes))


def best_since(folders: Folders, since: datetime, *, virtual: bool) -> float | None:
    """Return the least seconds of a verified solve since then; None when there is none.

    Raises:
        ThistlebotError: As of `overview_of`.
    """
    wanted = _solving(_wanted(virtual=virtual, since=since.timestamp()))
    with past_runs(folders) as store:
        return Summary.of(Solves.of(store.columns(*COLUMNS, wanted=wanted))).best_s


def solving_rows(folders: Folders, *, virtual: bool) -> tuple[RunRow, ...]:
    """Return the runs that count as solves, the oldest first.

    Raises:
        ThistlebotError: As of `overview_of`.
    """
    with past_runs(folders) as store:
        rows = store.latest(_solving(_wanted(virtual=virtual)))
    return tuple(row for _, row in sorted(rows, key=lambda each: (each[1].began, each[0])))


def _wanted(*, virtual: bool, since: float = 0.0) -> Wanted:
    return Wanted(virtual=(virtual,), imported=(False,), since=since)


def _solving(wanted: Wanted) -> Wanted:
    return msgspec.structs.replace(wanted, verb=SOLVING_VERBS)


def _phases(store: Store, wanted: Wanted) -> tuple[tuple[int, PhaseTimes], ...]:
    rows = store.latest(_solving(wanted), 3 * _TIMED)
    rows = sorted(rows, key=lambda each: (each[1].began, each[0]))
    verified = [each for each in rows if each[1].outcome is Outcome.VERIFIED][-_TIMED:]
    found = []
    for number, row in verified:
        run = store.run(row.uid)
        if run is not None:
            found.append((number, tuple(phase_times(events_of(run)))))
    return tuple(found)
