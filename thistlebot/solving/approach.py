"""The user's options for solving: checked, without loading a solver."""

import os
from dataclasses import dataclass
from enum import StrEnum

from cube.moves import FACES
from solver.goal import Goal
from thistlebot.errors import UsageError

LONGEST_MS = 86_400_000.0
"""Longest budget, one day: deadlines are counted in nanoseconds of 64 bits."""
SIX_MB, FIVE_MB = 90.0, 220.0
"""Sizes of the tables of an objective, and with five faces."""
OPTIMAL_MB = 128.0
"""Size of the smallest table of the optimal search."""
_MEMORY = "--memory or THISTLEBOT_MEMORY"
MOST_THREADS = 256
"""Maximum number of threads: more than the number of cores of any such computer; each takes time to
start.
"""


class Method(StrEnum):
    """The methods of solving."""

    ANYTIME = "anytime"
    THISTLETHWAITE = "thistlethwaite"


@dataclass(frozen=True, slots=True)
class Approach:
    """The user's options for solving cubes.

    Attributes:
        method: The anytime search, or Thistlethwaite's four stages.
        goal: What the search minimises. None minimises time if a rig turns or handles the cube,
            where the number of turns says little about the time, and turns otherwise.
        budget_ms: Processor time a thread may spend on one cube.
        threads: How many threads search; None uses all cores if a rig turns or with `optimal`,
            otherwise one.
        strict: With Thistlethwaite's method: follow every stage-optimal chain for the budget, not
            only the first one.
        forbidden: Faces that must not turn, because a motor is broken.
        memory_mb: Memory limit of the solver's tables, in megabytes; None for no limit.
        optimal: Prove that no solution has fewer turns.
        every: Find every shortest solution.
        rig_turns: Whether a rig makes the turns, and not a person; set by the function that solves.
    """

    method: Method = Method.ANYTIME
    goal: str | None = None
    budget_ms: float = 100.0
    threads: int | None = None
    strict: bool = False
    forbidden: str = ""
    rig_turns: bool = False
    memory_mb: float | None = None
    optimal: bool = False
    every: bool = False

    def __post_init__(self) -> None:
        if self.optimal:
            self._require_turns()
        if self.forbidden and self.method is Method.THISTLETHWAITE:
            raise UsageError(
                "--forbidden needs the anytime method: the four stages use all six faces"
            )
        if self.strict and self.method is not Method.THISTLETHWAITE:
            raise UsageError("the strict search is one of Thistlethwaite's method")
        if not 0 < self.budget_ms <= LONGEST_MS:
            raise UsageError(
                f"--budget-ms {self.budget_ms:g}: the budget must be more than 0 ms and at "
                f"most {LONGEST_MS:g} ms, a day"
            )
        if self.threads is not None and not 1 <= self.threads <= MOST_THREADS:
            raise UsageError(
                f"--threads {self.threads}: use at least one and at most {MOST_THREADS}"
            )
        unknown = sorted(set(self.forbidden) - set(FACES))
        if unknown:
            raise UsageError(f"--forbidden {self.forbidden}: the faces are {' '.join(FACES)}")
        self._require_memory()

    def _require_turns(self) -> None:
        """Check that the optimal search can honour the other options."""
        if self.method is not Method.ANYTIME or self.forbidden:
            raise UsageError("the optimal search needs the anytime method and all six faces")
        if self.goal not in (None, Goal.HTM):
            raise UsageError(f"--method optimal minimises turns (htm), not {self.goal}")

    def _require_memory(self) -> None:
        if self.memory_mb is None or self.method is Method.THISTLETHWAITE:
            return
        if self.optimal and self.memory_mb < OPTIMAL_MB:
            raise UsageError(
                f"{_MEMORY} {self.memory_mb:g}MB: the smallest table of the optimal search needs "
                f"{OPTIMAL_MB:g}MB"
            )
        least = FIVE_MB if self.forbidden else SIX_MB
        if self.memory_mb < least:
            instead = "leave --forbidden out" if self.forbidden else "use --method thistlethwaite"
            raise UsageError(
                f"{_MEMORY} {self.memory_mb:g}MB: the tables need {least:g}MB; raise the "
                f"limit, or {instead}"
            )

    @property
    def default_goal(self) -> Goal:
        """The value to minimise if the user does not name one."""
        timed = self.rig_turns and not self.optimal
        return Goal.TIME if timed else Goal.HTM

    @property
    def searchers(self) -> int:
        """Number of threads."""
        if self.threads is not None:
            return self.threads
        return all_cores() if self.rig_turns or self.optimal else 1


def all_cores() -> int:
    """Return the number of cores that this process may use, at most `MOST_THREADS`."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_THREADS)
    return min(os.cpu_count() or 1, MOST_THREADS)


QUICK = Approach(Method.THISTLETHWAITE)
"""The four stages: at most 45 moves, found at once with tables that are built quickly."""
