"""The six directions of a search: three axes of the cube and of its inverse."""

import numpy as np
from numpy.typing import NDArray

from solver.cubies import Cubies
from solver.kernels import packed

DIRECTIONS = 6
ALL = (1 << DIRECTIONS) - 1
"""All directions, as bits."""
_SETS = np.arange(16)[:, None] >> np.arange(4) & 1
_EDGE_BITS = np.array([1 << 10 - place if place < 11 else 0 for place in range(12)])
_PLACES = np.arange(8)
_AS_NUMBER = 12 ** np.arange(12)
_WEIGHTS = (np.arange(128)[:, None] >> np.arange(7) & 1) @ 3 ** np.arange(6, -1, -1)
"""See `slots.WEIGHTS`."""


def six_cubes(state: Cubies, rotations: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the cube and its inverse along the three axes, uint8 (6, 40).

    Args:
        state: The cube.
        rotations: Rows of the three rotations to the axes, each before its inverse, (6, 40).
    """
    cubes = Cubies.of_rows(rotations[::2]) * state * Cubies.of_rows(rotations[1::2])
    return np.concatenate([cubes.row(), cubes.inverse().row()])


def different(cubes: NDArray[np.uint8], symmetries: NDArray[np.uint8]) -> int:
    """Return the directions to search, as bits: of those alike by symmetry, the first.

    Args:
        cubes: Rows of the six cubes.
        symmetries: Rows of the sixteen symmetries, each before its inverse, (32, 40).
    """
    edges, number = cubes[:, 16:28], np.arange(len(symmetries) // 2)[None, :, None]
    seen = symmetries[::2, 16:28][number, edges[:, symmetries[1::2, 16:28]]]
    alike = ((seen @ _AS_NUMBER)[:, :, None] == edges @ _AS_NUMBER).any(axis=1)
    if np.count_nonzero(alike) > DIRECTIONS:  # rarely more than each and itself
        by, back = (Cubies.of_rows(symmetries[side::2, None]) for side in range(2))
        whole = (by * Cubies.of_rows(cubes[None]) * back).row()
        alike = (whole[:, :, None] == cubes).all(axis=3).any(axis=0)
    return sum(1 << cube for cube in range(DIRECTIONS) if not alike[:cube, cube].any())


def direction_tables(cubes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return where the pieces of the six cubes are, as `slots.DIRECTION_TABLES` needs it."""
    six = Cubies.of_rows(cubes)
    bits = _EDGE_BITS | 1 << 11 + np.arange(12)
    edges = bits[np.argsort(six.edges)].reshape(DIRECTIONS, 3, 4) @ _SETS.T
    corners = (1 << np.argsort(six.corners)).reshape(DIRECTIONS, 2, 4) @ _SETS.T
    words = [
        (six.flips * _EDGE_BITS).sum(axis=1),
        ((six.twists & 1) << _PLACES).sum(axis=1),
        ((six.twists >> 1) << _PLACES).sum(axis=1),
        packed.pack_corners(six.corners.T),
    ]
    tables = [edges.reshape(DIRECTIONS, -1), corners.reshape(DIRECTIONS, -1), np.stack(words, 1)]
    return np.concatenate([np.concatenate(tables, axis=1).reshape(-1), _WEIGHTS])
