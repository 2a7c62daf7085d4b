"""S2's Fridrich with its evolution as printed, which often gets stuck."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cube.state import CubeState
from solver.errors import SolverError
from teaching.methods.breeding import CURVE_AT, LONGEST, PIECES, Breeding
from teaching.methods.fridrich import PLACED, STAGES, Codes, Fridrich, moved_codes
from teaching.methods.method import MethodStep


class PlainFridrich(Fridrich):
    """The evolutionary Fridrich method, each stage evolved once by S2's plain operator.

    Args:
        seed: Seed of the evolution; the same seed and state give the same result.
        breeding: The parameters; by default those of S2.

    Attributes:
        curve: The most pieces placed after each generation of the last solve, stage after stage.
    """

    name = "fridrich-plain"

    def __init__(self, seed: int = 1, breeding: Breeding | None = None) -> None:
        super().__init__(seed)
        self._breeding = breeding or Breeding()
        self.curve: list[int] = []

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """Return the stages; the curve begins again."""
        self.curve.clear()
        yield from super().steps(state)

    def curve_at(self) -> tuple[int | None, ...]:
        """Return the curve after the generations `CURVE_AT`.

        Once all pieces are placed, they stay so; a run that got stuck has None for generations
        that it did not reach.
        """
        known = np.maximum.accumulate(self.curve).tolist() if self.curve else [0]
        later = PIECES if known[-1] == PIECES else None
        return tuple(known[at - 1] if at <= len(known) else later for at in CURVE_AT)

    def _evolved(self, codes: Codes, stage: int, generator: NDArray[np.uint64]) -> list[int]:
        """Return the sequence that one run finds.

        Raises:
            SolverError: It is stuck.
        """
        from teaching.methods.plain_evolution import evolve_plainly

        bred, count = self._breeding, PLACED[stage]
        path = np.zeros(LONGEST, dtype=np.uint8)
        fittest = np.full(bred.generations, -1, dtype=np.int64)
        sizes = bred.population, bred.survivors, bred.appended
        given = (codes, self._goal, count, moved_codes(), generator, *sizes)
        length = evolve_plainly(*given, path, fittest)
        self.curve += fittest[fittest >= 0].tolist()
        if length < 0:
            raise SolverError(
                f"{STAGES[stage]}: the plain evolution is stuck with at most {fittest.max()} of "
                f"{count} pieces placed after {bred.generations} generations of "
                f"{bred.population}; the method fridrich does not get stuck"
            )
        turns: list[int] = path[:length].tolist()
        return turns
