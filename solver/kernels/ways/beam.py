"""The compiled heart of the beam search: what each macro would make of each state of a level.

A candidate is one number: score, noise, the state's index and the macro's, highest first.
"""
# ruff: noqa: PLR0917 - compiled functions take their arrays by position
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

import numpy as np
from numba import int64, uint8, void

from solver.kernels.arrays import Bytes, Ints, read, written
from solver.kernels.compiled import compiled

MACRO_BITS, STATE_BITS, NOISE_BITS = 20, 16, 8
SCORE_AT = MACRO_BITS + STATE_BITS + NOISE_BITS


@compiled(
    void(
        *(read(uint8, 2), int64, read(int64, 2), read(uint8)),
        *(read(int64), read(int64, 2), read(int64), read(int64), read(int64)),
        *(written(int64, 2), written(int64), written(int64)),
    )
)
def expand(
    states: Bytes,
    level: int,
    checks: Ints,
    mates: Bytes,
    gains_at: Ints,
    gains: Ints,
    losses_at: Ints,
    losses: Ints,
    costs: Ints,
    buckets: Ints,
    counts: Ints,
    least: Ints,
) -> None:
    """Put what macros make of states into the buckets of the levels that it costs.

    Args:
        states: Labels by slot, a row a state.
        level: What these states cost.
        checks: Pairs of slots whose labels should be mates, shape (checks, 2).
        mates: The mate of each label.
        gains_at: Where the gains of each macro begin.
        gains: Slots whose contents a check will compare, and the check that does; shape
            (gains, 3).
        losses_at: Where the losses of each macro begin.
        losses: Checks whose pairs a macro parts.
        costs: Of the macros, in turns.
        buckets: Candidates by level modulo the number of rows.
        counts: How many there are in each.
        least: What a candidate has to exceed to be kept.
    """
    rows, room = buckets.shape
    good = np.zeros(len(checks), np.int64)
    for state in range(len(states)):
        x = states[state]
        score = 0
        for check in range(len(checks)):
            fits = mates[x[checks[check, 0]]] == x[checks[check, 1]]
            good[check] = 1 if fits else 0
            score += good[check]
        noise = state * 40503 + level * 9973
        for macro in range(len(costs)):
            made = score
            for i in range(losses_at[macro], losses_at[macro + 1]):
                made -= good[losses[i]]
            for i in range(gains_at[macro], gains_at[macro + 1]):
                if mates[x[gains[i, 0]]] == x[gains[i, 1]]:
                    made += 1
            row = (level + costs[macro]) % rows
            if made < least[row]:
                continue
            noise = (noise * 1103515245 + 12345) & 0x7FFFFFFF
            key = made << SCORE_AT | (noise >> 16 & 255) << (MACRO_BITS + STATE_BITS)
            key |= state << MACRO_BITS | macro
            buckets[row, counts[row]] = key
            counts[row] += 1
            if counts[row] == room:
                buckets[row].sort()
                half = room // 2
                buckets[row, :half] = buckets[row, room - half :].copy()
                counts[row] = half
                least[row] = buckets[row, 0] >> SCORE_AT
