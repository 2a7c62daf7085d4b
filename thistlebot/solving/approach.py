"""How the user wants cubes to be solved: checked options, which load no solver."""

from dataclasses import dataclass
from enum import StrEnum

from cube.moves import FACES
from solver.goal import Goal
from thistlebot.errors import UsageError

LONGEST_MS = 86_400_000.0
"""Longest budget, a day: ends of search are counted in nanoseconds of 64 bits."""
MOST_THREADS = 256
"""More threads than any machine of one cube has cores for; each has to be started."""


class Method(StrEnum):
    """How to solve."""

    ANYTIME = "anytime"
    THISTLETHWAITE = "thistlethwaite"


@dataclass(frozen=True, slots=True)
class Approach:
    """How the user wants cubes to be solved.

    Attributes:
        method: The anytime search, or Thistlethwaite's four stages.
        goal: What is minimised by the search; None for turns, or the time where a machine handles
            the cube, because turns tell little of it there.
        budget_ms: Processor time a thread may spend on one cube.
        threads: How many threads search.
        strict: With Thistlethwaite's method: follow every stage-optimal chain for the budget, not
            only the first one.
        forbidden: Faces that must not turn, because a motor is broken.
    """

    method: Method = Method.ANYTIME
    goal: Goal | None = None
    budget_ms: float = 100.0
    threads: int = 1
    strict: bool = False
    forbidden: str = ""

    def __post_init__(self) -> None:
        if self.forbidden and self.method is Method.THISTLETHWAITE:
            raise UsageError("--forbidden goes with the anytime method: four stages need six faces")
        if self.strict and self.method is not Method.THISTLETHWAITE:
            raise UsageError("--strict goes with --method thistlethwaite")
        if not 0 < self.budget_ms <= LONGEST_MS:
            raise UsageError(
                f"--budget-ms {self.budget_ms:g}: give the solver some time, above 0 and at most "
                f"{LONGEST_MS:g}, a day"
            )
        if not 1 <= self.threads <= MOST_THREADS:
            raise UsageError(
                f"--threads {self.threads}: at least one has to work, and at most {MOST_THREADS}"
            )
        unknown = sorted(set(self.forbidden) - set(FACES))
        if unknown:
            raise UsageError(f"--forbidden {self.forbidden}: the faces are {' '.join(FACES)}")


QUICK = Approach(Method.THISTLETHWAITE)
"""The four stages: at most 45 moves at once, from tables that take no time to build."""
