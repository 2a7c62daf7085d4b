"""S2's evolutionary operator as printed, compiled: nothing keeps the population varied.

A population of 100 move sequences; the fittest tenth survives each generation, and the other places
are taken by survivors, drawn evenly, with one to five of the 18 turns appended, drawn evenly.
Fitness is the number of pieces placed for the stage, those of earlier stages included. Where S2 is
not specific, we chose the simplest rule. Of equally fit sequences, the one created first stays;
otherwise, sequences would grow by some moves in every generation that places nothing. No sequence
grows beyond `LONGEST` moves.

This module also contains S2's Fridrich with that operator, which often gets stuck.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64, uint8, uint64
from numpy.typing import NDArray

from cube.state import CubeState
from solver.errors import SolverError
from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, written
from teaching.methods.evolution import MOST_APPENDED, PIECES, POPULATION, SURVIVORS, below
from teaching.methods.fridrich import PLACED, STAGES, Codes, Fridrich, moved_codes
from teaching.methods.method import MethodStep

# ruff: noqa: PLR0917 - one loop in compiled code; arguments go by position
# numbers in compiled code have numba's types, not Python's:
# mypy: disable-error-code="no-any-return,assignment,arg-type"


TURNS = 18
LONGEST = 200
"""Maximum number of moves of a sequence."""


@inlined
def _choose(fitness: Ints, most: int, chosen: Ints) -> None:
    """Write the numbers of the fittest sequences, of equally fit ones the earliest first."""
    places, level = 0, most
    while places < len(chosen):
        for one in range(len(fitness)):
            if fitness[one] == level and places < len(chosen):
                chosen[places] = one
                places += 1
        level -= 1


@compiled(
    int64(
        *(written(uint8), written(uint8), int64, written(uint8, 2), written(uint64)),
        *(int64, int64, int64, written(uint8), written(int64)),
    )
)
def evolve_plainly(
    start: Bytes,
    goal: Bytes,
    count: int,
    moved: Bytes,
    generator: Any,
    population: int,
    survivors: int,
    most_appended: int,
    best: Bytes,
    fittest: Any,
) -> int:
    """Evolve sequences until one places all the pieces of a stage.

    Args:
        start: A code of place and turn for each of the twelve pieces.
        goal: Their codes when solved.
        count: Number of them, from the first on, that belong to the stage.
        moved: The code of each piece after each move, shape (12 * 18, 24).
        generator: State of the random generator, one number that is not 0.
        population: Number of sequences.
        survivors: Number of them that survive a generation.
        most_appended: Most moves appended to a survivor.
        best: Array for the sequence, `LONGEST` bytes.
        fittest: Array for the most pieces placed so far after each generation; its length is the
            maximum number of generations.

    Returns:
        Its length, or -1.
    """
    codes = np.zeros((population, PIECES), np.uint8)
    paths = np.zeros((population, LONGEST), np.uint8)
    lengths, fitness = np.zeros(population, np.int64), np.zeros(population, np.int64)
    chosen, most = np.zeros(survivors, np.int64), 0
    for one in range(survivors):
        codes[one] = start
        for i in range(count):
            fitness[one] += start[i] == goal[i]
    for generation in range(len(fittest)):
        for child in range(survivors, population):
            parent = np.int64(below(generator, np.uint64(survivors)))
            codes[child], length = codes[parent], lengths[parent]
            appended = 1 + np.int64(below(generator, np.uint64(most_appended)))
            if length + appended > LONGEST:
                fitness[child] = -1
                continue
            paths[child, :length] = paths[parent, :length]
            for step in range(length, length + appended):
                turn = np.int64(below(generator, np.uint64(TURNS)))
                paths[child, step] = turn
                for i in range(PIECES):
                    codes[child, i] = moved[i * TURNS + turn, codes[child, i]]
            lengths[child], home = length + appended, 0
            for i in range(count):
                home += codes[child, i] == goal[i]
            fitness[child] = home
            most = max(most, home)
            fittest[generation] = most
            if home == count:
                best[: lengths[child]] = paths[child, : lengths[child]]
                return lengths[child]
        _choose(fitness, count, chosen)
        kept, kept_paths = codes[chosen], paths[chosen]
        kept_lengths, kept_fitness = lengths[chosen], fitness[chosen]
        codes[:survivors], paths[:survivors] = kept, kept_paths
        lengths[:survivors], fitness[:survivors] = kept_lengths, kept_fitness
    return -1


_MOST = 1_000_000
GENERATIONS = 20_000
"""Number of generations per stage, which takes about as long as the 0.36 s of S2.

After that, the run counts as stuck.
"""


CURVE_AT = tuple(step * 10**power for power in range(7) for step in (1, 2, 5))
"""The generations of the curve of fitness, counted from the start of the first stage."""


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
