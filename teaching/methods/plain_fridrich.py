"""S2's evolutionary operator as printed, compiled: nothing keeps the population varied.

A population of 100 move sequences; the fittest tenth survives each generation, and the other places
are taken by survivors, drawn evenly, with one to five of the 18 turns appended, drawn evenly.
Fitness is the number of pieces placed for the stage, those of earlier stages included. Where S2 is
not specific, we chose the simplest rule. Of equally fit sequences, the one created first stays;
otherwise, sequences would grow by some moves in every generation that places nothing. No sequence
grows beyond `LONGEST` moves.

This module also contains S2's Fridrich with that operator, which often gets stuck.
"""

from typing import Any

import numpy as np
from numba import int64, uint8, uint64
from numpy.typing import NDArray

from solver.errors import SolverError
from solver.kernels.compiled import compiled
from solver.kernels.memory import Bytes, written
from teaching.methods.evolution import MOST_APPENDED, PIECES, POPULATION, SURVIVORS, below
from teaching.methods.fridrich import PLACED, STAGES, Codes, Fridrich, moved_codes

# ruff: noqa: PLR0912, PLR0917 - one loop in compiled code; arguments go by position
# numbers in compiled code have numba's types, not Python's:
# mypy: disable-error-code="no-any-return,assignment,arg-type"


TURNS = 18
LONGEST = 200
"""Maximum number of moves of a sequence."""


@compiled(
    int64(
        *(written(uint8), written(uint8), int64, written(uint8, 2), written(uint64), int64),
        *(written(uint8), written(int64)),
    )
)
def evolve_plainly(
    start: Bytes,
    goal: Bytes,
    count: int,
    moved: Bytes,
    generator: Any,
    generations: int,
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
        generations: Maximum number of generations.
        best: Array for the sequence, `LONGEST` bytes.
        fittest: Array for the highest number of placed pieces.

    Returns:
        Its length, or -1.
    """
    codes = np.zeros((POPULATION, PIECES), np.uint8)
    paths = np.zeros((POPULATION, LONGEST), np.uint8)
    lengths, fitness = np.zeros(POPULATION, np.int64), np.zeros(POPULATION, np.int64)
    kept, kept_paths = (
        np.zeros((SURVIVORS, PIECES), np.uint8),
        np.zeros((SURVIVORS, LONGEST), np.uint8),
    )
    kept_lengths, kept_fitness = np.zeros(SURVIVORS, np.int64), np.zeros(SURVIVORS, np.int64)
    for one in range(SURVIVORS):
        codes[one] = start
        for i in range(count):
            fitness[one] += start[i] == goal[i]
    for _ in range(generations):
        for child in range(SURVIVORS, POPULATION):
            parent = np.int64(below(generator, np.uint64(SURVIVORS)))
            codes[child], length = codes[parent], lengths[parent]
            appended = 1 + np.int64(below(generator, np.uint64(MOST_APPENDED)))
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
            fittest[0] = max(fittest[0], home)
            if home == count:
                best[: lengths[child]] = paths[child, : lengths[child]]
                return lengths[child]
        places, level = 0, count
        while places < SURVIVORS:  # the fittest first, of equals the earliest
            for one in range(POPULATION):
                if fitness[one] == level and places < SURVIVORS:
                    kept[places], kept_lengths[places] = codes[one], lengths[one]
                    kept_paths[places, : lengths[one]] = paths[one, : lengths[one]]
                    kept_fitness[places] = level
                    places += 1
            level -= 1
        codes[:SURVIVORS], lengths[:SURVIVORS] = kept, kept_lengths
        fitness[:SURVIVORS] = kept_fitness
        for one in range(SURVIVORS):
            length = lengths[one]
            paths[one, :length] = kept_paths[one, :length]
    return -1


GENERATIONS = 20_000
"""Number of generations per stage, which takes about as long as the 0.36 s of S2.

After that, the run counts as stuck.
"""


class PlainFridrich(Fridrich):
    """The evolutionary Fridrich method, each stage evolved once by S2's plain operator.

    Args:
        seed: Seed of the evolution; the same seed and state give the same result.
        generations: Maximum number per stage.
    """

    name = "fridrich-plain"

    def __init__(self, seed: int = 1, generations: int = GENERATIONS) -> None:
        super().__init__(seed)
        self._generations = generations

    def _evolved(self, codes: Codes, stage: int, generator: NDArray[np.uint64]) -> list[int]:
        """Return the sequence that one run finds.

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
                f"{count} pieces placed after {self._generations} generations of "
                f"{POPULATION}; the method fridrich does not get stuck"
            )
        turns: list[int] = path[:length].tolist()
        return turns
