"""S2's evolutionary search for the first two layers, compiled.

A population of 100 move sequences; of each generation the fittest tenth survives, and the other
places are filled with survivors with one to five random moves appended. There is no cross-over: the
second half of a sequence has another effect after another first half. Fitness is the number of
pieces placed for the stage, including those of earlier stages. Where S2 is not specific, we chose:

- survivors differ in the pieces that they have placed, otherwise the population soon becomes one
  sequence;
- of equally fit sequences, the shorter one is preferred, with a random tolerance of a few moves;
- the appended moves alternate between two neighbouring faces, as S1's commutators do;
- moves are appended until the child is fitter than its parent, so that it ends at its best.
"""
# ruff: noqa: PLR0917 - compiled functions take their arguments by position
# numbers in compiled code have numba's types, not Python's:
# mypy: disable-error-code="no-any-return,assignment,arg-type"

from typing import Any

import numpy as np
from numba import int64, uint8, uint64

from solver.kernels.compiled import compiled, inlined
from solver.kernels.memory import Bytes, Ints, written
from teaching.methods.breeding import MOST_APPENDED, PIECES, POPULATION, SURVIVORS

LONGEST = 96
"""Maximum number of moves of a sequence."""
_PLACED = 256


@inlined
def below(generator: Any, limit: Any) -> Any:
    """Return a random number below a limit, from an xorshift generator (G. Marsaglia)."""
    x = generator[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    generator[0] = x
    return ((x >> np.uint64(32)) * limit) >> np.uint64(32)


@inlined
def _select(number: int, placed: int, worth: Ints, sets: Ints, chosen: Ints, value: int) -> None:
    """Add an individual to the survivors of the next generation if it is fit enough.

    Args:
        number: The individual.
        placed: The set of pieces it has placed.
        worth: Worth of the survivors so far, -1 for a free place.
        sets: The sets of pieces that they have placed.
        chosen: The numbers of the survivors.
        value: Worth of the individual.
    """
    least = 0
    for i in range(SURVIVORS):
        if worth[i] >= 0 and sets[i] == placed:
            least = i
            break
        if worth[i] < worth[least]:
            least = i
    if value >= worth[least]:
        worth[least], sets[least], chosen[least] = value, placed, number


@inlined
def _grow(
    codes: Bytes,
    goal: Bytes,
    count: int,
    moved: Bytes,
    pairs: Bytes,
    generator: Any,
    last_face: int,
    placed: int,
    tail: Bytes,
) -> Any:
    """Append one to five moves to an individual; returns ``moves << 32 | set of pieces placed``."""
    pair = np.int64(below(generator, np.uint64(len(pairs))))
    one, two = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
    if last_face == one or (last_face != two and below(generator, np.uint64(2))):
        one, two = two, one
    appended, bits = 1 + np.int64(below(generator, np.uint64(MOST_APPENDED))), np.int64(0)
    for step in range(appended):
        turn = 3 * one + np.int64(below(generator, np.uint64(3)))
        one, two = two, one
        tail[step] = turn
        bits, home = np.int64(0), np.int64(0)
        for i in range(count):
            code = moved[i * 18 + turn, codes[i]]
            codes[i] = code
            at_home = np.int64(code == goal[i])
            bits |= at_home << i
            home += at_home
        if home > placed:
            return np.int64(step + 1) << 32 | bits
    return appended << 32 | bits


@inlined
def _bits(number: int) -> int:
    """Return how many bits are set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@compiled(
    int64(
        *(written(uint8), written(uint8), int64, written(uint8, 2), written(uint8, 2)),
        *(written(uint64), int64, int64, int64, int64, written(uint8)),
    )
)
def evolve(
    start: Bytes,
    goal: Bytes,
    count: int,
    moved: Bytes,
    pairs: Bytes,
    generator: Any,
    generations: int,
    limit: int,
    wanted: int,
    slack: int,
    best: Bytes,
) -> int:
    """Evolve sequences until one places enough pieces.

    Args:
        start: A code of place and turn for each of the twelve pieces.
        goal: Their codes when solved.
        count: Number of them, from the first on, that belong to the stage.
        moved: The code of each piece after each move, shape (12 * 18, 24).
        pairs: Pairs of faces between which the moves of a child alternate, shape (n, 2).
        generator: State of the random generator, one number that is not 0.
        generations: Maximum number of generations.
        limit: Only sequences shorter than this count.
        wanted: Number of pieces to place.
        slack: Number of moves by which a longer, equally fit sequence may still be preferred.
        best: Array for the sequence.

    Returns:
        Its length, or -1.
    """
    codes = np.zeros((POPULATION, PIECES), np.uint8)
    tails = np.zeros((POPULATION, MOST_APPENDED), np.uint8)
    added, parents = np.zeros(POPULATION, np.int64), np.zeros(POPULATION, np.int64)
    placed = np.zeros(POPULATION, np.int64)
    paths = np.zeros((2, SURVIVORS, LONGEST), np.uint8)
    lengths = np.zeros((2, SURVIVORS), np.int64)
    kept = np.zeros((SURVIVORS, PIECES), np.uint8)
    kept_sets, worth = np.zeros(SURVIVORS, np.int64), np.zeros(SURVIVORS, np.int64)
    sets, chosen = np.zeros(SURVIVORS, np.int64), np.zeros(SURVIVORS, np.int64)
    kept[0] = start
    for i in range(count):
        kept_sets[0] |= np.int64(start[i] == goal[i]) << i
    alive, now = 1, 0
    for _ in range(generations):
        worth[:] = -1
        for child in range(POPULATION):
            parent = child  # the survivors themselves come first
            if child >= alive:
                parent = np.int64(below(generator, np.uint64(alive)))
            codes[child], parents[child] = kept[parent], parent
            length, added[child], placed[child] = lengths[now, parent], 0, kept_sets[parent]
            if child >= alive:
                face = (
                    np.int64(99) if length == 0 else np.int64(paths[now, parent, length - 1] // 3)
                )
                before = _bits(kept_sets[parent])
                grown = _grow(
                    codes[child], goal, count, moved, pairs, generator, face, before, tails[child]
                )
                added[child], placed[child] = grown >> 32, grown & 0xFFFFFFFF
            length += added[child]
            if length >= limit:
                continue
            home = _bits(placed[child])
            if home >= wanted:
                best[: lengths[now, parent]] = paths[now, parent, : lengths[now, parent]]
                best[lengths[now, parent] : length] = tails[child, : added[child]]
                return length
            luck = np.int64(below(generator, np.uint64(slack)))
            value = _PLACED * (1 + home) - length + luck
            _select(child, placed[child], worth, sets, chosen, value)
        following, alive = 1 - now, 0
        for i in range(SURVIVORS):
            if worth[i] >= 0:
                one, parent = chosen[i], parents[chosen[i]]
                length = lengths[now, parent]
                paths[following, alive, :length] = paths[now, parent, :length]
                paths[following, alive, length : length + added[one]] = tails[one, : added[one]]
                lengths[following, alive] = length + added[one]
                kept[alive], kept_sets[alive] = codes[one], placed[one]
                alive += 1
        if alive == 0:
            break
        now = following
    return -1
