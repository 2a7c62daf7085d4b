"""A clock from the press to the cube seen solved, which says what each part of a run took."""

from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, replace

from thistlebot.runs.events import (
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
    """What each part of a run took, seconds.

    Attributes:
        look_s: The cameras took their pictures; on a rig that moves the cube for them, that too.
        read_s: The pictures were read.
        solve_s: A solution was searched, and laid out in time.
        turn_s: The program was sent and turned.
        rest_s: The faces were given time to come to rest.
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
        """From the press to the end: the cube seen solved, or whatever came last."""
        return float(sum(astuple(self)))

    @property
    def idle_s(self) -> float:
        """How much of it the machine neither turned nor exposed a picture."""
        return self.total_s - self.turn_s - self.look_s - self.look_again_s

    def plus(self, part: str, time_s: float) -> "RunTimes":
        """Return the same with more time in one part, which is named as its attribute."""
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
    """A listener that stops the time of one session's runs.

    Args:
        now_s: Tells the time, seconds; that of the machine.

    Attributes:
        times: Of the run under way, or the last one.
    """

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self.press()

    def press(self) -> None:
        """Begin anew: somebody pressed the button."""
        self.times = RunTimes()
        self._part = _BETWEEN
        self._since_s = self._now_s()
        self._running = True

    def __call__(self, event: Event) -> None:
        """Take note of one event."""
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
