"""The parameters of S2's evolution."""

from dataclasses import dataclass

from solver.errors import SolverError

POPULATION, SURVIVORS, MOST_APPENDED = 100, 10, 5
LONGEST = 200
"""Maximum number of moves of a sequence."""
_MOST = 1_000_000
GENERATIONS = 20_000
"""Number of generations per stage, which takes about as long as the 0.36 s of S2.

After that, the run counts as stuck.
"""


@dataclass(frozen=True, slots=True)
class Breeding:
    """The parameters of S2's evolution.

    Attributes:
        population: Number of sequences.
        survivors: Number of them that survive a generation.
        appended: Most moves appended to a survivor.
        generations: Maximum number of generations per stage.

    Raises:
        SolverError: They do not fit together.
    """

    population: int = POPULATION
    survivors: int = SURVIVORS
    appended: int = MOST_APPENDED
    generations: int = GENERATIONS

    def __post_init__(self) -> None:
        fits = 1 <= self.survivors < self.population <= _MOST and 1 <= self.appended <= LONGEST
        if not (fits and 1 <= self.generations <= _MOST):
            raise SolverError(
                f"{self.survivors} of {self.population} sequences cannot survive "
                f"{self.generations} generations with up to {self.appended} moves appended: use 1 "
                f"to {_MOST} sequences and generations, fewer survivors, and 1 to {LONGEST} moves"
            )
