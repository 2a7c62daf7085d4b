"""S2's Fridrich with the evolutionary operator as it is printed, which often gets stuck."""

import numpy as np
from numpy.typing import NDArray

from solver.errors import SolverError
from teaching.methods.evolution import POPULATION
from teaching.methods.fridrich import PLACED, STAGES, Codes, Fridrich, moved_codes
from teaching.methods.s2.plain_evolution import LONGEST, evolve_plainly

GENERATIONS = 20_000
"""Of each stage, chosen to take about as long as the 0.36 s of S2. Then the run counts as stuck."""


class PlainFridrich(Fridrich):
    """The evolutionary Fridrich method, each stage evolved once by S2's plain operator.

    Args:
        seed: Of the evolution; the same seed and state give the same outcome.
        generations: Of each stage; then it gives up.
    """

    name = "fridrich-plain"

    def __init__(self, seed: int = 1, generations: int = GENERATIONS) -> None:
        super().__init__(seed)
        self._generations = generations

    def _evolved(self, codes: Codes, stage: int, generator: NDArray[np.uint64]) -> list[int]:
        """The sequence that one run finds.

        Raises:
            SolverError: It is stuck.
        """
        path, fittest = np.zeros(LONGEST, dtype=np.uint8), np.zeros(1, dtype=np.int64)
        count = PLACED[stage]
        given = (codes, self._goal, count, moved_codes(), generator, self._generations)
        length = evolve_plainly(*given, path, fittest)
        if length < 0:
            raise SolverError(
                f"{STAGES[stage]}: the plain evolution is stuck with at most {fittest[0]} of "
                f"{count} pieces placed after {self._generations} generations of {POPULATION}; "
                "the method fridrich goes on"
            )
        turns: list[int] = path[:length].tolist()
        return turns
