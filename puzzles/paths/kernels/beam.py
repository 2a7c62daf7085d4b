"""The compiled core of the beam search: the effect of each macro on each state of a level.

A candidate is one number: score, noise, the state's index and the macro's, highest first.
"""
# ruff: noqa: PLR0912, PLR0917 - compiled functions branch, and take arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

import numpy as np
from numba import int16, int32, int64, uint8, uint16, void
from numpy.typing import NDArray

from solver.kernels.arrays import Bytes, Ints, Words, read, written
from solver.kernels.compiled import compiled, inlined

MACRO_BITS, STATE_BITS, NOISE_BITS = 20, 16, 8
SCORE_AT = MACRO_BITS + STATE_BITS + NOISE_BITS


@inlined
def _lead(keys: Ints, count: int) -> int:
    """Put the largest keys, so many of them, first; return the least of these.

    Quickselect (Hoare 1961); numba takes six seconds to compile a sort.
    """
    low, high = 0, len(keys) - 1
    while low < high:
        middle, i, j = keys[(low + high) // 2], low, high
        while i <= j:
            while keys[i] > middle:
                i += 1
            while keys[j] < middle:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                i, j = i + 1, j - 1
        if j < count - 1 < i:
            break
        low, high = (low, j) if count - 1 <= j else (i, high)
    least = keys[0]
    for i in range(1, count):
        least = min(least, keys[i])
    return least


@inlined
def keep(key: int, row: int, buckets: Ints, counts: Ints, least: Ints) -> None:
    """Put a candidate into a bucket; if it is full, keep the better half."""
    buckets[row, counts[row]] = key
    counts[row] += 1
    if counts[row] == buckets.shape[1]:
        counts[row] //= 2
        least[row] = _lead(buckets[row], counts[row])


@compiled(
    void(
        *(read(uint8, 2), read(uint8, 2), int64, read(int64, 2)),
        *(read(int32), read(uint16, 2), read(int32), read(uint16), read(int32)),
        *(written(int64, 2), written(int64), written(int64)),
    )
)
def expand(
    states: Bytes,
    wanted: Bytes,
    level: int,
    checks: Ints,
    gains_at: NDArray[np.int32],
    gains: Words,
    losses_at: NDArray[np.int32],
    losses: Words,
    costs: NDArray[np.int32],
    buckets: Ints,
    counts: Ints,
    least: Ints,
) -> None:
    """Put the results of macros on states into the buckets of their levels.

    A macro is tried on all states at once, so the processor compares many in one step.

    Args:
        states: Contents of the slots, shape (slots, states).
        wanted: Mates of the contents.
        level: Cost of these states.
        checks: Pairs of slots whose labels must be mates, shape (checks, 2).
        gains_at: Index of each macro's first gain.
        gains: Slots whose contents a check will compare, shape (gains, 2).
        losses_at: Index of each macro's first loss.
        losses: Checks whose pairs a macro separates.
        costs: Costs of the macros, in turns.
        buckets: Candidates by level modulo the number of rows.
        counts: Number of candidates in each.
        least: The last candidate kept in each.
    """
    rows, count = len(buckets), states.shape[1]
    good, scores = np.empty((len(checks), count), np.uint8), np.zeros(count, np.uint8)
    for check in range(len(checks)):
        for state in range(count):
            fits = wanted[checks[check, 0], state] == states[checks[check, 1], state]
            good[check, state] = fits
            scores[state] += fits
    made, noise, highest = np.empty(count, np.uint8), level * 9973, int64(scores[0])
    for state in range(1, count):  # numba compiles `scores.max()` for half a second
        highest = max(highest, int64(scores[state]))
    for macro in range(len(costs)):
        row, first, last = (level + costs[macro]) % rows, gains_at[macro], gains_at[macro + 1]
        if highest + last - first < least[row] >> SCORE_AT:  # even with all gains
            continue
        for state in range(count):
            made[state] = scores[state]
        for i in range(losses_at[macro], losses_at[macro + 1]):
            check = losses[i]
            for state in range(count):
                made[state] -= good[check, state]
        for i in range(first, last):
            one, other = gains[i, 0], gains[i, 1]
            for state in range(count):
                made[state] += wanted[one, state] == states[other, state]
        enough, most = least[row] >> SCORE_AT, made[0]
        for state in range(count):
            most = max(most, made[state])
        if most < enough:
            continue
        for state in range(count):
            if made[state] < enough:
                continue
            noise = (noise * 1103515245 + 12345) & 0x7FFFFFFF
            key = int64(made[state]) << SCORE_AT | (noise >> 16 & 255) << MACRO_BITS + STATE_BITS
            key |= state << MACRO_BITS | macro
            if key >= least[row]:
                keep(key, row, buckets, counts, least)
                enough = least[row] >> SCORE_AT


@inlined
def add_key(key: int, seen: Ints) -> bool:
    """Add a hash to a table whose length is a power of two; return whether it is new."""
    key |= 1
    at = (key >> 1) & (len(seen) - 1)
    while seen[at] != 0 and seen[at] != key:
        at = (at + 1) & (len(seen) - 1)
    if seen[at] == key:
        return False
    seen[at] = key
    return True


@inlined
def score_of(labels: Bytes, checks: Ints, mates: Bytes) -> int:
    """Return how many checks a state fulfils."""
    score = 0
    for check in range(len(checks)):
        score += mates[labels[checks[check, 0]]] == labels[checks[check, 1]]
    return score


@compiled(
    int64(
        *(read(uint8, 2), read(uint8, 2), read(int64), read(int64), read(int16, 2)),
        *(read(int64, 2), read(uint8), read(int64), int64),
        *(written(int64), written(uint8, 2), written(int64), written(int64)),
    )
)
def enter(
    starts: Bytes,
    states: Bytes,
    parents: Ints,
    macros: Ints,
    effects: NDArray[np.int16],
    checks: Ints,
    mates: Bytes,
    salt: Ints,
    width: int,
    seen: Ints,
    made: Bytes,
    rows: Ints,
    scores: Ints,
) -> int:
    """Write starts, then states after macros, that are new or fulfil all checks.

    What fulfils all checks is always new: what the frame does not contain differs.

    Args:
        starts: The contents of the slots of starts, shape (starts, slots).
        states: Those of the states before.
        parents: The number of the state before each candidate, the best candidate first.
        macros: The macro of each.
        effects: The origin of each slot's content, shape (macros, slots).
        checks: Pairs of slots whose labels must be mates, shape (checks, 2).
        mates: For each label its mate.
        salt: A factor for each slot, for hashes.
        width: Maximum number of states that do not fulfil all checks.
        seen: A hash table of all states so far; its length is a power of two.
        made: The contents of the slots of the states written.
        rows: The number of each: that of a start, or of a candidate after all starts.
        scores: How many checks each fulfils.

    Returns:
        The number of states written.
    """
    count, slots = 0, len(salt)
    for row in range(len(starts) + len(parents)):
        key, at = 0, row - len(starts)
        before = starts[row] if at < 0 else states[parents[at]]
        for slot in range(slots):
            label = before[slot if at < 0 else effects[macros[at], slot]]
            made[count, slot] = label
            key += label * salt[slot]
        score = score_of(made[count], checks, mates)
        if score < len(checks):
            if not width or not add_key(key, seen):
                continue
            width -= 1
        rows[count], scores[count] = row, score
        count += 1
    return count
