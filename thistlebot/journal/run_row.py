"""Summarises runs in rows.

This module also contains the clock of a run, from the press to the solved cube, with the time of
each part.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, replace

from thistlebot.events import (
    Check,
    Checking,
    Diagnosed,
    Ended,
    Entered,
    Event,
    Executed,
    Phase,
    Planned,
    Read,
    Verified,
)
from thistlebot.exit_codes import ExitCode
from thistlebot.journal.rows import Outcome, RunRow, StoredRun
from vision.reading import ReadingState


@dataclass(frozen=True, slots=True)
class RunTimes:
    """The time of each part of a run, in seconds.

    Attributes:
        look_s: Taking pictures, including the movements of a rig that moves the cube for them.
        read_s: Reading the pictures.
        solve_s: Searching a solution, and scheduling it.
        turn_s: Sending and turning the program.
        rest_s: Waiting for the faces to come to rest.
        look_again_s: As `look_s`, after the turns.
        read_again_s: As `read_s`, after the turns.
        between_s: Everything else.
    """

    look_s: float = 0.0
    read_s: float = 0.0
    solve_s: float = 0.0
    turn_s: float = 0.0
    rest_s: float = 0.0
    look_again_s: float = 0.0
    read_again_s: float = 0.0
    between_s: float = 0.0

    @property
    def total_s(self) -> float:
        """From the press to the end: the solved cube seen, or the last event."""
        return float(sum(astuple(self)))

    @property
    def idle_s(self) -> float:
        """The part of it in which the machine neither turned nor exposed a picture."""
        return self.total_s - self.turn_s - self.look_s - self.look_again_s

    def plus(self, part: str, time_s: float) -> "RunTimes":
        """Return the times with more time in one part, named by its attribute."""
        return replace(self, **{part: getattr(self, part) + time_s})

    def to_record(self) -> dict[str, float]:
        """Return it as plain JSON, to the microsecond; docs/formats.md lists the fields."""
        told = {"total_s": self.total_s, **asdict(self), "idle_s": self.idle_s}
        return {name: round(time_s, 6) for name, time_s in told.items()}


_BETWEEN = "between_s"
_PARTS = {
    Phase.SCAN: "look_s",
    Phase.DECODE: "read_s",
    Phase.PLAN: "solve_s",
    Phase.EXECUTE: "turn_s",
    Check.REST: "rest_s",
    Check.LOOK: "look_again_s",
    Check.READ: "read_again_s",
}


class RunClock:
    """A listener that measures the times of one session's runs.

    Args:
        now_s: Returns the machine's time, seconds.

    Attributes:
        times: Times of the current run, or of the last one.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self.press()

    def press(self) -> None:
        """Restart the clock, because the button was pressed."""
        self.times = RunTimes()
        self._part = _BETWEEN
        self._since_s = self._now_s()
        self._running = True

    def __call__(self, event: Event) -> None:
        """Process one event."""
        if not self._running:
            return
        now_s = self._now_s()
        self.times = self.times.plus(self._part, now_s - self._since_s)
        self._since_s = now_s
        match event:
            case Entered(phase):
                self._part = _PARTS.get(phase, _BETWEEN)
                self._running = phase not in (Phase.DONE, Phase.STOPPED, Phase.FAILED)
            case Checking(check):
                self._part = _PARTS[check]
            case Verified(reached=True):
                self._running = False
            case Read() | Planned() | Executed() | Verified() | Diagnosed():
                self._part = _BETWEEN
            case _:
                pass


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
