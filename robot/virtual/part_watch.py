"""Observes the movements of a machine's parts from outside: which part, where, and when."""

from collections.abc import Sequence
from dataclasses import dataclass

from robot.rigs.action_machine.rig_file import Variable
from robot.rigs.motor import Motor
from robot.virtual.servos import FRAME_S, ServoArm

_NEAR_US = 60.0
"""About 5 degrees of a small servo; less if places are close together."""
_NEAR_QUARTERS = 1 / 9
"""10 degrees."""
_AT_REST_US = 1.0
_STEADY_S = 1.05 * FRAME_S
"""A pulse that changed later than this may be on its way to another place."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A movement of a part from rest to rest.

    Attributes:
        part: Its number in the rig file.
        way: By how many places, negative for back; 0 if it left its place and came back, None if it
            came to rest between places.
        begun_s: Start time.
        ended_s: End time.
    """

    part: int
    way: int | None
    begun_s: float
    ended_s: float


class ServoWatch:
    """Observes the arm of a servo.

    Args:
        part: Number of the part that it moves.
        variable: The places of that part.
        arm: The arm.
    """

    def __init__(self, part: int, variable: Variable, arm: ServoArm) -> None:
        self._part = part
        self._pulses = variable.pulse_us
        gaps = (abs(a - b) for a in self._pulses for b in self._pulses if a != b)
        self._near_us = min(_NEAR_US, *(gap / 4 for gap in gaps))
        self._arm = arm
        self._looked_s = self._there_s = 0.0
        self.place = self._place()
        self.moving_since_s: float | None = None
        self._left = False

    @property
    def limp(self) -> bool:
        """Whether the servo has no pulses."""
        return not self._arm.pulse_us

    def look(self, now_s: float) -> Motion | None:
        """Advance the time, and return the motion that has ended since the last look."""
        arm = self._arm
        left_us = abs(arm.pulse_us - arm.at_us) if arm.pulse_us else 0.0
        if left_us:
            self._there_s = min(now_s, self._looked_s + left_us / arm.speed_us_s)
        arm.live(now_s)
        self._looked_s = now_s
        there = abs(arm.pulse_us - arm.at_us) < _AT_REST_US
        rests = self.limp or (there and now_s - arm.since_s > _STEADY_S)
        if not rests:
            self.moving_since_s = now_s if self.moving_since_s is None else self.moving_since_s
            self._left = self._left or self._place() != self.place
            return None
        if self.moving_since_s is None:
            return None
        begun_s, self.moving_since_s = self.moving_since_s, None
        before, self.place = self.place, self._place()
        left, self._left = self._left, False
        if before == self.place is not None and not left:
            return None
        return Motion(self._part, _way(before, self.place), begun_s, self._there_s)

    def _place(self) -> int | None:
        away = [abs(self._arm.at_us - pulse_us) for pulse_us in self._pulses]
        return away.index(min(away)) if min(away) <= self._near_us else None


class StepperWatch:
    """Counts the steps of a motor's rotor.

    A small turn there and back, as the assistant makes, does not count as a motion.

    Args:
        part: Number of the part that it moves.
        variable: The places of that part.
        motor: The motor.

    Attributes:
        part: The same.
        away_since_s: When the part left its place, if it rests between places now; else None.
    """

    def __init__(self, part: int, variable: Variable, motor: Motor) -> None:
        self.part = part
        self._variable = variable
        self._motor = motor
        begin = variable.steps[variable.start_place] if variable.steps else 0
        self._steps = begin
        self._first = variable.start_place
        self._at = self._left = self._places()
        self.away_since_s: float | None = None

    @property
    def place(self) -> int | None:
        """The number of its place; None between two places."""
        if self._at is None or not self._variable.places:
            return None if self._at is None else 0
        return self._at % self._variable.count if self._variable.cyclic else self._at

    def made(self, steps: int, begun_s: float, ended_s: float) -> Motion | None:
        """Process steps of the rotor, forward positive, and return the motion to another place."""
        self._steps += steps
        self._at = self._places()
        if self._at is None:
            self.away_since_s = begun_s if self.away_since_s is None else self.away_since_s
            return None
        self.away_since_s = None
        before, self._left = self._left, self._at
        way = _way(before, self._at)
        return None if way == 0 else Motion(self.part, way, begun_s, ended_s)

    def _places(self) -> int | None:
        """Return its position in places; a shaft that turns without limit keeps counting."""
        variable = self._variable
        if variable.steps:
            away = [abs(self._steps - each) for each in variable.steps]
            near = 2 * self._motor.microsteps
            return away.index(min(away)) if min(away) <= near else None
        quarters = self._steps / self._motor.steps_per_quarter
        if abs(quarters - round(quarters)) > _NEAR_QUARTERS:
            return None
        at = self._first + round(quarters)
        bound = bool(variable.places) and not variable.cyclic
        return at if not bound or 0 <= at < variable.count else None


class OutputWatch:
    """Observes an output, which moves its part at once.

    Args:
        part: Number of the part that it moves.
        modes: The mode of each output.
        output: The number of this output.
    """

    limp = False
    moving_since_s = None

    def __init__(self, part: int, modes: Sequence[int], output: int) -> None:
        self._part = part
        self._modes = modes
        self._output = output
        self.place: int | None = int(modes[output])

    def look(self, now_s: float) -> Motion | None:
        """Return the change since the last look."""
        before, self.place = self.place, int(self._modes[self._output])
        if before is None or before == self.place:
            return None
        return Motion(self._part, self.place - before, now_s, now_s)


def _way(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before
