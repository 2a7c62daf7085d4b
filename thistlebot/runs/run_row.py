"""Sums runs up in a line each, and opens the journal that holds these lines."""

import os

import msgspec

from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.journal import Journal
from thistlebot.journal.rows import Outcome, RunRow, StoredRun
from thistlebot.runs.events import Diagnosed, Ended, Event, Executed, Planned, Read, Verified
from thistlebot.sizes import megabytes
from vision.reading import ReadingState

_SIZE = "THISTLEBOT_JOURNAL_SIZE"
_USUAL_SIZE = "1GB"
_SMALLEST = 20_000_000


def open_journal(folders: Folders) -> Journal:
    """Open the user's journal, within the size that ``THISTLEBOT_JOURNAL_SIZE`` says.

    Raises:
        UsageError: That is no size, or too small for a journal.
    """
    return Journal(folders.data, journal_size(), row_of)


def journal_size() -> int:
    """Return the bytes that the journal may have.

    Raises:
        UsageError: As of `open_journal`.
    """
    size = int(megabytes(os.environ.get(_SIZE, _USUAL_SIZE), _SIZE) * 1e6)
    if size < _SMALLEST:
        raise UsageError(f"{_SIZE}: a journal needs at least {_SMALLEST // 10**6} MB")
    return size


def row_of(run: StoredRun) -> RunRow:
    """Sum a run up."""
    from thistlebot.runs.run_record import context_of, events_of

    try:
        context = context_of(run)
        verb, virtual, rig = context.verb, context.virtual, str(context.rig.get("name", ""))
        given = context.moves
    except msgspec.DecodeError:
        verb, virtual, rig, given = "", False, "", ""
    timed = events_of(run)
    events = tuple(event for _, event in timed)
    plan = next((event.solution for event in events if isinstance(event, Planned)), None)
    first = next((event.reading for event in events if isinstance(event, Read)), None)
    error = next((event.error for event in events if isinstance(event, Ended)), None)
    went_wrong = [event.text for event in events if isinstance(event, Diagnosed)]
    return RunRow(
        uid=run.uid,
        began=run.began,
        verb=verb,
        virtual=virtual,
        rig=rig,
        outcome=_outcome(events, ended=run.ended),
        seconds=timed[-1][0] if timed and run.ended else None,
        turns=None if plan is None else int(plan["htm"]),
        facelets=str((first or plan or {}).get("facelets") or ""),
        moves=str((plan or {}).get("moves", given)),
        first_right=_first_right(events),
        told="; ".join([*went_wrong, *([str(error["text"])] if error else [])]),
    )


def _outcome(events: tuple[Event, ...], *, ended: bool) -> Outcome:
    if not ended:
        return Outcome.CUT_OFF
    for event in reversed(events):
        match event:
            case Ended(error):
                return _BY_EXIT_CODE.get(ExitCode(error["exit_code"]), Outcome.FAILED)
            case Verified(reached=True):
                return Outcome.VERIFIED
            case Executed():
                return Outcome.TURNED
    return Outcome.PLANNED


_BY_EXIT_CODE = {
    ExitCode.MISREAD: Outcome.REFUSED,
    ExitCode.UNSOLVABLE: Outcome.REFUSED,
    ExitCode.STOPPED: Outcome.STOPPED,
    ExitCode.NOT_VERIFIED: Outcome.UNVERIFIED,
}


def _first_right(events: tuple[Event, ...]) -> bool | None:
    """Whether the first reading was right: the cube was what it said, as the turns have shown.

    A cube that was seen otherwise after the turns does not tell, because a turn may have failed.
    """
    for event in events:
        match event:
            case Read(reading=reading) if not reading["accepted"]:
                return None if reading["state"] == ReadingState.MISASSEMBLED.value else False
            case Verified(reading=reading, reached=reached) if reading["accepted"]:
                seen_before = any(isinstance(each, Read) for each in events)
                return True if reached and seen_before else None
    return None
