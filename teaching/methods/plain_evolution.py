"""S2's evolutionary operator as printed, compiled: nothing keeps the population varied.

A population of 100 move sequences; the fittest tenth survives each generation, and the other places
are taken by survivors, drawn evenly, with one to five of the 18 turns appended, drawn evenly.
Fitness is the number of pieces placed for the stage, those of earlier stages included. Where S2 is
not specific, we chose the simplest rule. Of equally fit sequences, the one created first stays;
otherwise, sequences would grow by some moves in every generation that places nothing. No sequence
grows beyond `LONGEST` moves.
"""
# ruff: noqa: PLR0917 - one loop in compiled code; arguments go by position
# numbers in compiled code have numba's types, not Python's:
# mypy: disable-error-code="no-any-return,assignment,arg-type"

from typing import Any

import numpy as np
from numba import int64, uint8, uint64

from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, written
from teaching.methods.breeding import LONGEST, PIECES
from teaching.methods.evolution import below

TURNS = 18


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
