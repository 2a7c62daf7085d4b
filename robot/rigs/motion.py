"""How long a turn takes: speed rises evenly, holds, and falls evenly."""

import math
from dataclasses import dataclass

OVERLAP_LEAD_S = 70e-6
"""From the step at which an overlap begins to the next turn's first one: 25 µs until the board gets
to it, and 45 µs in which it makes the turn ready."""
PAIR_LEAD_S = 30e-6
"""So much more where a pair ends or begins: its second lane follows 11 µs after the first, and four
lanes keep the board busy. Measured on the Mega's firmware in the simulator."""


@dataclass(frozen=True, slots=True)
class Trapezoid:
    """The motion of one motor through some steps, from rest to rest.

    Capping the speed beats an S-curve on these motors: a cycloid needs a quarter more time at equal
    peak acceleration.

    Attributes:
        steps: Step pulses, at least one.
        rate_steps_s: Speed that is not exceeded.
        acceleration_steps_s2: Rise and fall of the speed.
    """

    steps: int
    rate_steps_s: float
    acceleration_steps_s2: float

    def __post_init__(self) -> None:
        if self.steps < 1 or self.rate_steps_s <= 0 or self.acceleration_steps_s2 <= 0:
            raise ValueError(f"a motion has steps, a rate and an acceleration above zero: {self}")

    @property
    def ramp_s(self) -> float:
        """Time from rest to the highest speed that this motion reaches."""
        return min(
            self.rate_steps_s / self.acceleration_steps_s2,
            math.sqrt(self.steps / self.acceleration_steps_s2),
        )

    @property
    def ramp_steps(self) -> int:
        """Step pulses of one ramp."""
        return int(self.acceleration_steps_s2 * self.ramp_s**2 / 2)

    @property
    def duration_s(self) -> float:
        """Time from the first step to rest."""
        peak_steps_s = self.acceleration_steps_s2 * self.ramp_s
        return self.steps / peak_steps_s + self.ramp_s

    @property
    def braking_from_s(self) -> float:
        """Moment at which the speed begins to fall."""
        return self.duration_s - self.ramp_s

    def last_steps_s(self, count: int) -> float:
        """Return how long the last pulses take, as far as they slow down.

        Args:
            count: Pulses; more than the falling ramp has are as many as it has.
        """
        stretch = self.steps / max(1, self.steps - 1)
        taken_s = math.sqrt(2 * count * stretch / self.acceleration_steps_s2)
        return min(taken_s, self.ramp_s)

    def near_end_s(self, count: int) -> float:
        """Return when no more than some pulses are left, from the first one at 0."""
        return self.pulse_times_s()[self.steps - count - 1] if count < self.steps else 0.0

    def pulse_times_s(self) -> list[float]:
        """Return when each pulse comes, from the first one at 0, as the firmware makes them.

        A turn of N pulses has N - 1 intervals; stretched by N / (N - 1) they take the whole
        duration.
        """
        ramp_steps = self.acceleration_steps_s2 * self.ramp_s**2 / 2
        peak_steps_s = self.acceleration_steps_s2 * self.ramp_s
        stretch = self.steps / max(1, self.steps - 1)
        times = []
        for number in range(self.steps):
            way = number * stretch
            if way <= ramp_steps:
                times.append(math.sqrt(2 * way / self.acceleration_steps_s2))
            elif way <= self.steps - ramp_steps:
                times.append(self.ramp_s + (way - ramp_steps) / peak_steps_s)
            else:
                left = max(0.0, self.steps - way)
                times.append(self.duration_s - math.sqrt(2 * left / self.acceleration_steps_s2))
        return times
