"""The parameters of S2's evolution."""

from dataclasses import dataclass

from solver.errors import SolverError

LONGEST = 200
"""Maximum number of moves of a sequence."""
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Breeding:
    """The parameters of S2's evolution.

    Attributes:
        population: Number of sequences.
        survivors: Number of them that survive a generation.
        appended: Most moves appended to a survivor.
        generations: Maximum number of generations per stage; after that, the run counts as stuck.
            By default they take about as long as the 0.36 s of S2.

    Raises:
        SolverError: They do not fit together.
    """

    population: int = 100
    survivors: int = 10
    appended: int = 5
    generations: int = 20_000

    def __post_init__(self) -> None:
        fits = 1 <= self.survivors < self.population <= _MOST and 1 <= self.appended <= LONGEST
        if not (fits and 1 <= self.generations <= _MOST):
            raise SolverError(
                f"{self.survivors} of {self.population} sequences cannot survive "
                f"{self.generations} generations with up to {self.appended} moves appended: use 1 "
                f"to {_MOST} sequences and generations, fewer survivors, and 1 to {LONGEST} moves"
            )
