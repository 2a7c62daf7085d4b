"""Permutations of the corners packed into one word each, which the compiled searches multiply."""

from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.cubies import Cubies, move_cubies
from solver.kernels import packed
from solver.search.tables.axial_turns import AXIAL_TURNS
from solver.table_files import Arrays


def packed_corners(symmetries: Sequence[Cubies]) -> Arrays:
    """Return the search's tables of packed permutations: of numbers, of turns, of symmetries."""
    fours = np.array(list(permutations(range(8), 4)))
    words = packed.pack_corners(fours.T)
    ranks = np.zeros((2, 4096), dtype=np.uint16)
    ranks[0, words] = 24 * np.arange(len(fours))
    ranks[1, words] = coordinates.rank_permutations(np.argsort(np.argsort(fours)))
    seen = [(one, one.inverse()) for one in symmetries]
    return {
        "corner_ranks": ranks,
        "turned_corners": packed_permutations(move_cubies()),
        "seen_corners": packed_permutations([one for both in seen for one in both]),
    }


def packed_permutations(cubies: Sequence[Cubies]) -> NDArray[np.uint32]:
    """Return the packed permutations of some cubes' corners, uint32."""
    corners = np.array([one.corners for one in cubies])
    return np.asarray(packed.pack_corners(corners.T), dtype=np.uint32)


def axial_turned_corners() -> NDArray[np.uint32]:
    """Return the packed permutations of the axial turns, uint32 (45,)."""
    single = packed_permutations(move_cubies()).astype(np.int64)
    still = packed.pack_corners(range(8))
    found = []
    for axis, a, b in AXIAL_TURNS:
        first = int(single[3 * axis + a - 1]) if a else still
        second = int(single[3 * (axis + 3) + b - 1]) if b else still
        found.append(packed.product(first, second))
    return np.array(found, dtype=np.uint32)
