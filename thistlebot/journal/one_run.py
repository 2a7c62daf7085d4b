"""Everything that a page shows of one run: its cube move by move, and the files that it offers."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cube.facelets import Facelets
from cube.moves import MoveSequence
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.events import Event, Executed, Planned, Read, Turned
from thistlebot.journal.past_runs import find_run, past_runs
from thistlebot.journal.rows import RunRow, StoredRun
from thistlebot.journal.run_record import context_of, events_of
from thistlebot.journal.run_times import RunTimes, times_of
from thistlebot.journal.sharing.bundle import bundle_name, write_bundle
from thistlebot.journal.store import Store
from thistlebot.records import SolutionRecord


@dataclass(frozen=True, slots=True)
class RunStep:
    """The cube after a move.

    Attributes:
        facelets: The stickers.
        move: The move; None if nothing was turned, as at the beginning and where the run looked and
            planned again.
        stage: Name of the stage that begins with the move; usually empty.
        turned: Whether the board acknowledged the move.
    """

    facelets: str
    move: str | None = None
    stage: str = ""
    turned: bool = True


def steps_of(events: Sequence[Event]) -> tuple[RunStep, ...]:
    """Return the cube before the first move, and after each; empty if nothing was planned."""
    found: list[RunStep] = []
    for number, event in enumerate(events):
        if isinstance(event, Planned):
            found += _plan(event.solution, _done(events[number + 1 :]))
    return tuple(found)


def steps_of_row(row: RunRow) -> tuple[RunStep, ...]:
    """Return the same from a run's row, which is kept longest; the moves made are unknown."""
    if not row.facelets or not row.moves:
        return ()
    moves = [str(move) for move in MoveSequence.parse(row.moves)]
    return tuple(_turn(row.facelets, moves, {}, len(moves)))


def scheme_of(events: Sequence[Event], run: StoredRun | None = None) -> dict[str, str]:
    """Return the colours of the faces in the run's reading, or of its typed cube."""
    for event in events:
        if isinstance(event, Read) and event.reading.scheme:
            return event.reading.scheme
    return (run and _typed_scheme(run)) or dict(WESTERN_SCHEME)


def _typed_scheme(run: StoredRun) -> dict[str, str] | None:
    try:
        return context_of(run).typed_scheme
    except ValueError:  # from another version
        return None


def _done(events: Sequence[Event]) -> int | None:
    """Return how many steps of a plan the board acknowledged; None for all of them."""
    done = 0
    for event in events:
        match event:
            case Planned():
                return done
            case Executed():
                return None
            case Turned(done=now):
                done = now
            case _:
                pass
    return done


def _plan(solution: SolutionRecord, done: int | None) -> list[RunStep]:
    steps = [step.split() for step in solution.steps or solution.moves.split()]
    moves = [move for step in steps for move in step]
    made = sum(len(step) for step in (steps if done is None else steps[:done]))
    stages: dict[int, str] = {}
    named = [(stage.name, stage.moves.split()) for stage in solution.stages]
    if [move for _, those in named for move in those] == moves:
        place = 0
        for name, those in named:
            if those:
                stages[place] = name
            place += len(those)
    return _turn(solution.facelets, moves, stages, made)


def _turn(facelets: str, moves: Sequence[str], stages: dict[int, str], made: int) -> list[RunStep]:
    state = CubeState.from_facelets(Facelets(facelets))
    found = [RunStep(facelets)]
    for number, move in enumerate(moves):
        state = state.apply(MoveSequence.parse(move))
        shown = state.to_facelets().text
        found.append(RunStep(shown, move, stages.get(number, ""), number < made))
    return found


@dataclass(frozen=True, slots=True)
class OneRun:
    """One run.

    Attributes:
        number: Its number in the journal.
        row: Its summary.
        steps: Its cube, move by move.
        scheme: Colour name of each face.
        times: Its times; all 0 if its events were deleted.
        pictures: Numbers of the stored pictures, with their cameras.
        whole: Whether its events are still stored; otherwise it has no bundle.
    """

    number: int
    row: RunRow
    steps: tuple[RunStep, ...]
    scheme: dict[str, str]
    times: RunTimes
    pictures: tuple[tuple[int, int], ...]
    whole: bool


def one_run(folders: Folders, name: str) -> OneRun:
    """Read a run.

    Raises:
        UsageError: There is no such run.
        ComputerError: The journal cannot be read.
    """
    number, row, run, pictures = stored_run(folders, name)
    timed = () if run is None else events_of(run)
    events = [event for _, event in timed]
    return OneRun(
        number,
        row,
        steps_of(events) or steps_of_row(row),
        scheme_of(events, run),
        times_of(timed),
        pictures,
        run is not None,
    )


def _found(store: Store, name: str) -> tuple[int, RunRow]:
    number = find_run(store, name)
    row = store.row(number)
    assert row is not None, "it was found a moment ago"
    return number, row


def stored_run(
    folders: Folders, name: str
) -> tuple[int, RunRow, StoredRun | None, tuple[tuple[int, int], ...]]:
    """Return a run's number, its row, its events if they are kept, and `Store.picture_numbers`.

    Raises:
        ThistlebotError: As for `one_run`.
    """
    with past_runs(folders) as store:
        number, row = _found(store, name)
        return number, row, store.run(row.uid), store.picture_numbers(row.uid)


def picture_of(folders: Folders, name: str, number: int) -> bytes | None:
    """Return a picture of a run as PNG; None if there is no such picture.

    Raises:
        ThistlebotError: See `one_run`.
    """
    with past_runs(folders) as store:
        _, row = _found(store, name)
        return store.picture(row.uid, number)


def bundle_of(folders: Folders, name: str) -> tuple[str, bytes]:
    """Return the bundle of a run: its name and its bytes.

    Raises:
        UsageError: There is no such run, or too little of it is stored.
        ComputerError: The journal cannot be read.
    """
    with past_runs(folders) as store:
        number, row = _found(store, name)
        run, pictures = store.run(row.uid), store.pictures(row.uid)
    if run is None:
        raise UsageError(
            f"there is no bundle of run {number}: its record was deleted to free space in "
            "the journal; set THISTLEBOT_JOURNAL_SIZE to keep more runs"
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / bundle_name(run)
        write_bundle(file, run, pictures)
        return file.name, file.read_bytes()
