"""Compiled code that turns whole sets of packed states.

A packed state has a few bits for each of some stickers, with the sticker's position.
"""
# numbers have numba's types here, not numpy's:
# mypy: disable-error-code="no-any-return"

import numpy as np
from numba import int64, uint8, uint64, void

from solver.kernels.arrays import Bytes, Ints, Quads, read, written
from solver.kernels.compiled import compiled


@compiled(void(read(uint64), read(uint8, 3), read(int64), read(int64), written(uint64)))
def turn_all(states: Quads, places_by: Bytes, offsets: Ints, masks: Ints, turned: Quads) -> None:
    """Write every state after every turn, grouped by turn.

    ``places_by`` gives, for each turn and sticker, the new position for each position.
    """
    at = 0
    for turn in range(places_by.shape[0]):
        for state in states:
            made = np.uint64(0)
            for sticker in range(len(offsets)):
                shift = np.uint64(offsets[sticker])
                place = (state >> shift) & np.uint64(masks[sticker])
                made |= np.uint64(places_by[turn, sticker, place]) << shift
            turned[at] = made
            at += 1
