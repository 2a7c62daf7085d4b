"""Masks of orbits with 24 places: which of them hold some chosen pieces, and how far that is home.

Centres of two opposite colours on their axis, one colour on its face, wings in their half: each
is a coset of the group, and for one orbit so small that a table has the distance of every mask.
"""

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from puzzles.paths.kernels.masks import UNREACHED, MaskMaps, spread
from solver.kernels.memory import Bytes

PLACES = 24
_HALF = PLACES // 2


def mask_of(members: NDArray[np.bool_]) -> int:
    """Return the mask of up to 24 flags."""
    return int((members.astype(np.int64) << np.arange(len(members))).sum())


def mask_maps(permutations: NDArray[np.int64], odd: Sequence[bool]) -> MaskMaps:
    """Return the maps of an orbit.

    Args:
        permutations: The origin of each place's content, by turn, shape (turns, 24).
        odd: Whether each turn changes the parity.
    """
    values = np.arange(256)
    bytes_by = np.zeros((len(permutations), 3, 256), np.uint32)
    for made, origins in zip(bytes_by, permutations.tolist(), strict=True):
        for place, origin in enumerate(origins):
            made[origin // 8] |= ((values >> origin % 8 & 1) << place).astype(np.uint32)
    halves = np.arange(1 << _HALF)
    flags = halves[:, None] >> np.arange(_HALF) & 1
    before = np.cumsum(flags, axis=1)
    choose = np.array([[comb(n, k) for k in range(PLACES + 1)] for n in range(PLACES)])
    low = (flags * choose[np.arange(_HALF), before]).sum(axis=1)
    upper = np.arange(_HALF, PLACES)
    high = [(flags * choose[upper, before + count]).sum(axis=1) for count in range(_HALF + 1)]
    maps = (
        *(bytes_by, np.array(odd, np.uint8), before[:, -1].astype(np.uint8)),
        *(low.astype(np.uint32), np.array(high).astype(np.uint32)),
    )
    for array in maps:
        array.flags.writeable = False
    return MaskMaps(*maps)


def mask_distances(goals: Sequence[int], usable: int, maps: MaskMaps) -> Bytes:
    """Return the distance of each mask to the nearest goal, by its index; 255 if none is reached.

    Args:
        goals: Masks with equal numbers of bits, each with its parity in bit 24.
        usable: A bit for each turn that may be made.
        maps: The orbit's maps.
    """
    bits = (goals[0] & (1 << PLACES) - 1).bit_count()
    distances = np.full(2 * comb(PLACES, bits), UNREACHED, np.uint8)
    edge = np.array(sorted(set(goals)), np.int64)
    for goal in edge.tolist():
        distances[index_of(goal, maps)] = 0
    room, depth = np.empty(len(distances), np.int64), 0
    while len(edge):
        edge.flags.writeable = False
        count = spread(edge, usable, maps, depth, distances, room)
        edge, depth = room[:count].copy(), depth + 1
    return distances


def index_of(state: int, maps: MaskMaps) -> int:
    """Return the index of a mask with its parity in a table of distances."""
    low = state & 4095
    rank = int(maps.low[low]) + int(maps.high[maps.ones[low], state >> 12 & 4095])
    return rank << 1 | state >> 24
