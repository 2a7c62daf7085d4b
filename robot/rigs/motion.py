"""How long a turn takes: speed rises, holds, and falls as it rose."""

import math
from dataclasses import dataclass

OVERLAP_LEAD_S = 70e-6
"""From the step at which an overlap begins to the next turn's first one: 25 µs until the board gets
to it, and 45 µs in which it makes the turn ready."""
PAIR_LEAD_S = 30e-6
"""So much more where a pair ends or begins: its second lane follows 11 µs after the first, and four
lanes keep the board busy. Measured on the Mega's firmware in the simulator."""
SOFT_BEGIN_STEPS = 0.5
"""Where on the way of a soft start the first pulse comes, the others a step apart: they are the
places of the motion, rounded. So nobody waits for the first half step, which takes long."""


@dataclass(frozen=True, slots=True)
class Ramp:
    """Speeding up from rest, without end.

    Attributes:
        acceleration_steps_s2: Rise of the speed.
        soft_steps: Way over which that acceleration builds up, evenly in time; 0 for at once.
    """

    acceleration_steps_s2: float
    soft_steps: int = 0

    def time_s(self, way_steps: float) -> float:
        """Return how long a way from rest takes."""
        if way_steps < self.soft_steps:
            return self._soft_s * math.cbrt(way_steps / self.soft_steps)
        even_steps = way_steps - self.soft_steps / 4
        return math.sqrt(2 * even_steps / self.acceleration_steps_s2) + self._soft_s / 2

    def way_steps(self, rate_steps_s: float) -> float:
        """Return the way from rest to a speed."""
        even_steps = rate_steps_s**2 / (2 * self.acceleration_steps_s2)
        full_steps = 3 * self.soft_steps / 4
        if even_steps >= full_steps:
            return even_steps + self.soft_steps / 4
        return float(self.soft_steps * (even_steps / full_steps) ** 0.75)

    @property
    def _soft_s(self) -> float:
        """How long the acceleration builds up."""
        return math.sqrt(6 * self.soft_steps / self.acceleration_steps_s2)


@dataclass(frozen=True, slots=True)
class Trapezoid:
    """The motion of one motor through some steps, from rest to rest.

    Capping the speed beats an S-curve on these motors: a cycloid needs a quarter more time at equal
    peak acceleration.

    Attributes:
        steps: Step pulses, at least one.
        rate_steps_s: Speed that is not exceeded.
        acceleration_steps_s2: Rise and fall of the speed.
        soft_start_steps: Way over which the acceleration builds up, and ends; 0 for at once.
    """

    steps: int
    rate_steps_s: float
    acceleration_steps_s2: float
    soft_start_steps: int = 0

    def __post_init__(self) -> None:
        if self.steps < 1 or self.rate_steps_s <= 0 or self.acceleration_steps_s2 <= 0:
            raise ValueError(f"a motion has steps, a rate and an acceleration above zero: {self}")

    @property
    def ramp_s(self) -> float:
        """Time from the first pulse to the highest speed that this motion reaches."""
        return self._after_first_s(self._ramp_way)

    @property
    def ramp_steps(self) -> int:
        """Step pulses of one ramp."""
        return int((self._ramp_way - self._way(0)) / (self._way(1) - self._way(0)))

    @property
    def duration_s(self) -> float:
        """Time from the first pulse to rest."""
        return 2 * self.ramp_s + (self.steps - 2 * self._ramp_way) / self.rate_steps_s

    @property
    def braking_from_s(self) -> float:
        """Moment at which the speed begins to fall."""
        return self.duration_s - self.ramp_s

    def last_steps_s(self, count: int) -> float:
        """Return how long the last pulses take, as far as the motor does not speed up.

        Args:
            count: Pulses; more than come after speeding up are as many as come then.
        """
        way, ramp_way = self._way(count), self._ramp_way
        if way <= ramp_way:
            return self._after_first_s(way)
        return self.ramp_s + (min(way, self.steps - ramp_way) - ramp_way) / self.rate_steps_s

    def near_end_s(self, count: int) -> float:
        """Return when no more than some pulses are left, from the first one at 0."""
        return self.pulse_times_s()[self.steps - count - 1] if count < self.steps else 0.0

    def pulse_times_s(self) -> list[float]:
        """Return when each pulse comes, from the first one at 0, as the firmware makes them."""
        ramp_way, ramp_s, duration_s = self._ramp_way, self.ramp_s, self.duration_s
        times = []
        for way in map(self._way, range(self.steps)):
            if way <= ramp_way:
                times.append(self._after_first_s(way))
            elif way <= self.steps - ramp_way:
                times.append(ramp_s + (way - ramp_way) / self.rate_steps_s)
            else:
                left = max(self._way(0), self.steps - way)
                times.append(duration_s - self._after_first_s(left))
        return times

    @property
    def _ramp(self) -> Ramp:
        return Ramp(self.acceleration_steps_s2, self.soft_start_steps)

    @property
    def _ramp_way(self) -> float:
        """Steps from rest to the highest speed; at least to the first pulse."""
        reached = min(self._ramp.way_steps(self.rate_steps_s), self.steps / 2)
        return max(reached, self._way(0))

    def _way(self, number: int) -> float:
        """Return where on the way a pulse comes.

        A turn of N pulses has N - 1 intervals. Stretched by N / (N - 1) they take the time of N
        steps; with a soft start they take what is between the halves of the first and the last.
        """
        if self.soft_start_steps:
            return number + SOFT_BEGIN_STEPS
        return number * self.steps / max(1, self.steps - 1)

    def _after_first_s(self, way_steps: float) -> float:
        """Return how long after the first pulse a place on the ramp is reached."""
        return self._ramp.time_s(way_steps) - self._ramp.time_s(self._way(0))
