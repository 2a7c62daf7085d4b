"""Everything that a page shows of one run, and the files that it hands out."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.history.bundle import bundle_name, write_bundle
from thistlebot.history.overview import PhaseTimes
from thistlebot.history.past_runs import find_run, past_runs
from thistlebot.history.phase_times import phase_times
from thistlebot.history.run_steps import RunStep, scheme_of, steps_of, steps_of_row
from thistlebot.journal.rows import RunRow
from thistlebot.runs.run_record import events_of


@dataclass(frozen=True, slots=True)
class OneRun:
    """One run.

    Attributes:
        number: In the journal.
        row: What it came to.
        steps: Its cube, move by move.
        scheme: Face letter to colour name.
        phases: What each phase took, seconds.
        pictures: Numbers of the pictures that are there, with their cameras.
        whole: Whether its events are still kept; else there is no bundle of it.
    """

    number: int
    row: RunRow
    steps: tuple[RunStep, ...]
    scheme: dict[str, str]
    phases: PhaseTimes
    pictures: tuple[tuple[int, int], ...]
    whole: bool


def one_run(folders: Folders, name: str) -> OneRun:
    """Read a run.

    Args:
        folders: Where the journal lies.
        name: As of `find_run`.

    Raises:
        UsageError: There is no such run.
        ComputerError: The journal cannot be read.
    """
    with past_runs(folders) as store:
        number = find_run(store, name)
        row = store.row(number)
        assert row is not None, "it was found a moment ago"
        run = store.run(row.uid)
        taken = store.pictures(row.uid)
    timed = () if run is None else events_of(run)
    events = [event for _, event in timed]
    return OneRun(
        number,
        row,
        steps_of(events) or steps_of_row(row),
        scheme_of(events),
        tuple(phase_times(timed)),
        tuple((picture.number, picture.camera) for picture in taken if picture.png),
        run is not None,
    )


def picture_of(folders: Folders, name: str, number: int) -> bytes | None:
    """Return a picture of a run as PNG; None when it is not there.

    Raises:
        ThistlebotError: As of `one_run`.
    """
    with past_runs(folders) as store:
        row = store.row(find_run(store, name))
        pictures = () if row is None else store.pictures(row.uid)
    return next((each.png for each in pictures if each.number == number and each.png), None)


def bundle_of(folders: Folders, name: str) -> tuple[str, bytes]:
    """Return the bundle of a run: its name and its bytes.

    Raises:
        UsageError: There is no such run, or too little of it is kept.
        ComputerError: The journal cannot be read.
    """
    with past_runs(folders) as store:
        number = find_run(store, name)
        row = store.row(number)
        run = None if row is None else store.run(row.uid)
        if row is None or run is None:
            raise UsageError(
                f"run {number} was given up for want of room in the journal: there is no bundle of "
                "it; set THISTLEBOT_JOURNAL_SIZE to keep more"
            )
        pictures = store.pictures(row.uid)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / bundle_name(run)
        write_bundle(file, run, pictures)
        return file.name, file.read_bytes()
