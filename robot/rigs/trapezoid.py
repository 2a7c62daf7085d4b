"""The duration of a turn: the speed rises, holds, and falls as it rose."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trapezoid:
    """The motion of one motor through some steps, from rest to rest.

    A trapezoid with a speed limit is better than an S-curve on these motors: a cycloid takes a
    quarter longer at equal peak acceleration.

    Attributes:
        steps: Step pulses, at least one.
        rate_steps_s: Maximum speed.
        acceleration_steps_s2: Acceleration and deceleration.
    """

    steps: int
    rate_steps_s: float
    acceleration_steps_s2: float

    def __post_init__(self) -> None:
        if self.steps < 1 or self.rate_steps_s <= 0 or self.acceleration_steps_s2 <= 0:
            raise ValueError(f"a motion needs steps, a rate and an acceleration above zero: {self}")

    @property
    def ramp_s(self) -> float:
        """Time from the first pulse to the highest speed of this motion."""
        return self._time_s(self._ramp_way)

    @property
    def ramp_steps(self) -> int:
        """Step pulses of one ramp."""
        return int(self._ramp_way / self._way(1))

    @property
    def duration_s(self) -> float:
        """Time from the first pulse to rest."""
        return 2 * self.ramp_s + (self.steps - 2 * self._ramp_way) / self.rate_steps_s

    @property
    def braking_from_s(self) -> float:
        """Time at which the speed begins to fall."""
        return self.duration_s - self.ramp_s

    def last_steps_s(self, count: int) -> float:
        """Return the duration of the last pulses, as long as the motor does not accelerate.

        Args:
            count: Number of pulses; larger numbers are limited to the pulses after the
                acceleration.
        """
        way, ramp_way = self._way(count), self._ramp_way
        if way <= ramp_way:
            return self._time_s(way)
        return self.ramp_s + (min(way, self.steps - ramp_way) - ramp_way) / self.rate_steps_s

    def pulse_times_s(self) -> list[float]:
        """Return the time of each pulse of the firmware, with the first one at 0."""
        ramp_way, ramp_s, duration_s = self._ramp_way, self.ramp_s, self.duration_s
        times = []
        for way in map(self._way, range(self.steps)):
            if way <= ramp_way:
                times.append(self._time_s(way))
            elif way <= self.steps - ramp_way:
                times.append(ramp_s + (way - ramp_way) / self.rate_steps_s)
            else:
                times.append(duration_s - self._time_s(max(0.0, self.steps - way)))
        return times

    @property
    def _ramp_way(self) -> float:
        """Steps from rest to the highest speed."""
        return min(self.rate_steps_s**2 / (2 * self.acceleration_steps_s2), self.steps / 2)

    def _way(self, number: int) -> float:
        """Return the position of a pulse.

        A turn of N pulses has N - 1 intervals. Stretched by N / (N - 1) they take the time of N
        steps.
        """
        return number * self.steps / max(1, self.steps - 1)

    def _time_s(self, way_steps: float) -> float:
        """Return the time from rest to a position on the ramp."""
        return math.sqrt(2 * way_steps / self.acceleration_steps_s2)
