"""The times of a run: from the press to the solved cube, with the time of each part."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, astuple, dataclass, replace

from thistlebot.events import (
    Check,
    Checking,
    Diagnosed,
    Entered,
    Event,
    Executed,
    Phase,
    Planned,
    Read,
    Verified,
)


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

    @property
    def by_phase(self) -> dict[Phase, float]:
        """The time in each phase of the session that takes time, in order."""
        return {
            Phase.SCAN: self.look_s,
            Phase.DECODE: self.read_s,
            Phase.PLAN: self.solve_s,
            Phase.EXECUTE: self.turn_s,
            Phase.VERIFY: self.rest_s + self.look_again_s + self.read_again_s,
        }

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


def times_of(events: Iterable[tuple[float, Event]]) -> RunTimes:
    """Return the times of a recorded run."""
    now_s = 0.0
    clock = RunClock(lambda: now_s)
    for time_s, event in events:
        now_s = time_s
        clock(event)
    return clock.times
