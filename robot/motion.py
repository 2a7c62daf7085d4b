"""How long a turn takes: speed rises evenly, holds, and falls evenly."""

import math
from dataclasses import dataclass


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
    def duration_s(self) -> float:
        """Time from the first step to rest."""
        peak_steps_s = self.acceleration_steps_s2 * self.ramp_s
        return self.steps / peak_steps_s + self.ramp_s

    @property
    def braking_from_s(self) -> float:
        """Moment at which the speed begins to fall."""
        return self.duration_s - self.ramp_s
