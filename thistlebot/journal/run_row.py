"""Summarises runs in rows."""

from collections.abc import Sequence

from thistlebot.events import Diagnosed, Ended, Event, Executed, Planned, Read, Verified
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.rows import Outcome, RunRow, StoredRun
from vision.reading import ReadingState


def row_of(run: StoredRun) -> RunRow:
    """Summarise a run."""
    from thistlebot.journal.run_record import context_of, events_of

    try:
        context = context_of(run)
        verb, virtual, rig = context.verb, context.virtual, str(context.rig.get("name", ""))
        given = context.moves
    except ValueError:
        verb, virtual, rig, given = "", False, "", ""
    timed = events_of(run)
    events = tuple(event for _, event in timed)
    plan = next((event.solution for event in events if isinstance(event, Planned)), None)
    first = next((event.reading for event in events if isinstance(event, Read)), None)
    seen = first or plan
    error = next((event.error for event in events if isinstance(event, Ended)), None)
    went_wrong = [event.text for event in events if isinstance(event, Diagnosed)]
    return RunRow(
        uid=run.uid,
        began=run.began,
        verb=verb,
        virtual=virtual,
        rig=rig,
        outcome=_outcome(events, ended=run.ended),
        seconds=_seconds(timed) if run.ended else None,
        turns=None if plan is None else plan.htm,
        facelets=(seen.facelets or "") if seen else "",
        moves=given if plan is None else plan.moves,
        first_right=_first_right(events),
        told="; ".join([*went_wrong, *([error.text] if error else [])]),
    )


def _seconds(timed: Sequence[tuple[float, Event]]) -> float | None:
    """Return when the cube was last seen at its target, or when the last event came."""
    seen = [time_s for time_s, event in timed if isinstance(event, Verified) and event.reached]
    ends = seen or [time_s for time_s, _ in timed]
    return ends[-1] if ends else None


def _outcome(events: tuple[Event, ...], *, ended: bool) -> Outcome:
    if not ended:
        return Outcome.CUT_OFF
    for event in reversed(events):
        match event:
            case Ended(error):
                return _BY_EXIT_CODE.get(error.exit_code, Outcome.FAILED)
            case Verified(reached=True):
                return Outcome.VERIFIED
            case Executed():
                return Outcome.TURNED
    return Outcome.PLANNED


_BY_EXIT_CODE: dict[int, Outcome] = {
    ExitCode.MISREAD: Outcome.REFUSED,
    ExitCode.UNSOLVABLE: Outcome.REFUSED,
    ExitCode.STOPPED: Outcome.STOPPED,
    ExitCode.NOT_VERIFIED: Outcome.UNVERIFIED,
}


def _first_right(events: tuple[Event, ...]) -> bool | None:
    """Return whether the first reading was right, judged by the result of the turns.

    If another cube was seen after the turns, this is unknown, because a turn may have failed.
    """
    for event in events:
        match event:
            case Read(reading=reading) if not reading.accepted:
                return None if reading.state == ReadingState.MISASSEMBLED else False
            case Verified(reading=reading, reached=reached) if reading.accepted:
                seen_before = any(isinstance(each, Read) for each in events)
                return True if reached and seen_before else None
    return None
