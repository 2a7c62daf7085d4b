"""S2's evolutionary search for the first two layers, compiled: as printed, and with remedies.

A population of move sequences; of each generation the fittest survive, and the other places are
filled with survivors, drawn evenly, with some random moves appended. There is no cross-over: the
second half of a sequence has another effect after another first half. Fitness is the number of
pieces placed for the stage, including those of earlier stages.

As printed, moves are drawn evenly from the 18 turns. Where S2 is not specific, we chose the
simplest rule: of equally fit sequences, the one created first stays; otherwise, sequences would
grow by some moves in every generation that places nothing. Nothing keeps the population varied, so
that it soon becomes one sequence. Our remedies:

- survivors differ in the pieces that they have placed;
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

from solver.kernels.arrays import Bytes, Ints, written
from solver.kernels.compiled import compiled, inlined
from teaching.methods.breeding import LONGEST

TURNS = 18
_PLACED = 256


@inlined
def _below(generator: Any, limit: Any) -> Any:
    """Return a random number below a limit, from an xorshift generator (G. Marsaglia)."""
    x = generator[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    generator[0] = x
    return np.int64(((x >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


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
    """Append moves to an individual; returns ``moves << 32 | set of pieces placed``."""
    one, two, bits = 0, 0, np.int64(0)
    if len(pairs):
        pair = _below(generator, len(pairs))
        one, two = np.int64(pairs[pair, 0]), np.int64(pairs[pair, 1])
        if last_face == one or (last_face != two and _below(generator, 2)):
            one, two = two, one
    appended = 1 + _below(generator, len(tail))
    for step in range(appended):
        turn = 3 * one + _below(generator, 3) if len(pairs) else _below(generator, TURNS)
        one, two = two, one
        tail[step] = turn
        bits, home = np.int64(0), np.int64(0)
        for i in range(count):
            code = moved[i * TURNS + turn, codes[i]]
            codes[i] = code
            at_home = np.int64(code == goal[i])
            bits |= at_home << i
            home += at_home
        if home > placed and len(pairs):
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


@inlined
def _select(worth: Ints, placed: Ints, differ: bool, chosen: Ints) -> int:
    """Write the numbers of the fittest individuals, the earliest first; return their number.

    Args:
        worth: Their worth, -1 for those that do not count.
        placed: The sets of pieces that they have placed.
        differ: Whether these sets must differ.
        chosen: Array for the numbers.
    """
    alive = 0
    for number in range(len(worth)):
        value, place = worth[number], min(alive, len(chosen) - 1)
        if value < 0 or (alive == len(chosen) and value <= worth[chosen[place]]):
            continue
        for i in range(alive if differ else 0):
            if placed[chosen[i]] == placed[number]:
                place = i
        if place < alive and value <= worth[chosen[place]]:
            continue  # of one set, the fittest survives
        alive = max(alive, place + 1)
        while place > 0 and worth[chosen[place - 1]] < value:
            chosen[place] = chosen[place - 1]
            place -= 1
        chosen[place] = number
    return alive


@compiled(
    int64(
        *(written(uint8), written(uint8), int64, written(uint8, 2), written(uint8, 2)),
        *(written(uint64), written(int64), int64, int64, int64, written(uint8)),
    )
)
def evolve(
    start: Bytes,
    goal: Bytes,
    count: int,
    moved: Bytes,
    pairs: Bytes,
    generator: Any,
    sizes: Ints,
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
        pairs: Pairs of faces between which the moves of a child alternate, shape (n, 2); none for
            the operator as printed.
        generator: State of the random generator, one number that is not 0.
        sizes: Number of sequences, of those that survive, of moves appended at most, and of
            generations at most.
        limit: Only sequences shorter than this count; `LONGEST` + 1 at most.
        wanted: Number of pieces to place.
        slack: Number of moves by which a longer, equally fit sequence may still be preferred.
        best: Array for the sequence, `LONGEST` bytes.

    Returns:
        Its length; or -1 - n if none placed enough, where n is the most pieces placed.
    """
    population, survivors, most_appended, generations = sizes
    remedied, most = len(pairs) > 0, 0
    codes = np.zeros((population, len(start)), np.uint8)
    tails = np.zeros((population, most_appended), np.uint8)
    added, parents = np.zeros(population, np.int64), np.zeros(population, np.int64)
    placed, worth = np.zeros(population, np.int64), np.zeros(population, np.int64)
    paths = np.zeros((2, survivors, LONGEST), np.uint8)
    lengths = np.zeros((2, survivors), np.int64)
    kept, kept_sets = np.zeros((survivors, len(start)), np.uint8), np.zeros(survivors, np.int64)
    chosen = np.zeros(survivors, np.int64)
    kept[:] = start
    for i in range(count):
        kept_sets |= np.int64(start[i] == goal[i]) << i
    alive, now = 1 if remedied else survivors, 0
    for _ in range(generations):
        worth[:] = -1
        for child in range(population):
            parent = child if child < alive else _below(generator, alive)  # survivors come first
            codes[child], parents[child] = kept[parent], parent
            length, added[child], placed[child] = lengths[now, parent], 0, kept_sets[parent]
            if child >= alive:
                face = np.int64(paths[now, parent, length - 1] // 3) if length else np.int64(99)
                before = _bits(kept_sets[parent])
                grown = _grow(
                    codes[child], goal, count, moved, pairs, generator, face, before, tails[child]
                )
                added[child], placed[child] = grown >> 32, grown & 0xFFFFFFFF
            length += added[child]
            if length >= limit:
                continue
            home = _bits(placed[child])
            most = max(most, home)
            if home >= wanted:
                best[: lengths[now, parent]] = paths[now, parent, : lengths[now, parent]]
                best[lengths[now, parent] : length] = tails[child, : added[child]]
                return length
            worth[child] = home
            if remedied:
                worth[child] = _PLACED * (1 + home) - length + _below(generator, slack)
        following, alive = 1 - now, _select(worth, placed, remedied, chosen)
        for i in range(alive):
            one, parent = chosen[i], parents[chosen[i]]
            length = lengths[now, parent]
            paths[following, i, :length] = paths[now, parent, :length]
            paths[following, i, length : length + added[one]] = tails[one, : added[one]]
            lengths[following, i] = length + added[one]
            kept[i], kept_sets[i] = codes[one], placed[one]
        if alive == 0:
            break
        now = following
    return -1 - most
