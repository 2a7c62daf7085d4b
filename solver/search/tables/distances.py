"""Distances of states by breadth, and the forms in which the search keeps them."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.errors import TableError
from solver.kernels import slots
from solver.table_files import Arrays
from solver.tables import Progress

_UNREACHED, _RANGES, _BLOCK = 255, 64, 1 << 18

Table = NDArray[Any]
Spread = Callable[..., int]
Moves = tuple[Table, Table, Table, Table]
"""Move tables of the classes and of the values, the values' conjugates, the classes' symmetries."""


def distances_within(
    moves: Moves, costs: Table, most: int, progress: Progress, back_above: float = 1.0
) -> Table:
    """Return distances from (class 0, value 0) up to most, a byte for each entry, 255 beyond.

    The passes over all classes run on all cores. Once a pass reaches more than the share
    ``back_above`` of all entries, the next ones search backwards from the unreached entries instead
    of forwards from the reached ones.
    """
    from solver.kernels.building.fill import spread_backward, spread_forward

    by_class, by_value, conjugates, selves = moves
    moved_values = np.ascontiguousarray(conjugates[by_value].T)
    distances = np.full(len(by_class) * len(by_value), _UNREACHED, dtype=np.uint8)
    distances[0] = 0
    cuts = np.linspace(0, len(by_class), _RANGES + 1).astype(int).tolist()
    spread: Spread = spread_forward
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for goal in range(1, most + 1):
            passes = [
                pool.submit(
                    spread,
                    *(distances, goal, first, last),
                    *(by_class, moved_values, conjugates, selves, costs),
                )
                for first, last in pairwise(cuts)
            ]
            reached = sum(done.result() for done in passes)
            if reached > back_above * len(distances):
                spread = spread_backward
            progress(goal / most)
    return distances


def states_within(distances: Table, most: int) -> Table:
    """Return the states up to a distance, int64; of a few at a time, to need little memory."""
    parts = [
        np.flatnonzero(distances[first : first + _BLOCK] <= most) + first
        for first in range(0, len(distances), _BLOCK)
    ]
    return np.concatenate(parts)


def filter_of(states: Table, size: int) -> Table:
    """Return a filter of 2**size bits that contains the states."""
    from solver.kernels.building.near import fill_filter

    bits = np.zeros(1 << size >> 3, dtype=np.uint8)
    fill_filter(states, bits, size)
    return bits


def graded(distances: Table, near: int) -> Table:
    """Return phase one's table: two bits per state, each class on separate bytes."""
    from solver.kernels.building.fill import pack_phase_one

    row = -(-coordinates.TWISTS // 4)
    phase_one = np.zeros(len(distances) // coordinates.TWISTS * row, dtype=np.uint8)
    pack_phase_one(distances, coordinates.TWISTS, phase_one, near)
    return phase_one


def pair_hash(name: str, distances: Table, radius: int) -> Arrays:
    """Return the states of corners and U-D edges within a radius, in the kernels' form.

    Raises:
        TableError: They would fill the hash beyond three quarters.
    """
    from solver.kernels.building.fill import fill_pair_hash

    near = states_within(distances, radius)
    require_room(name, len(near), slots.PAIR_BITS)
    keys, values = (
        np.zeros(1 << slots.PAIR_BITS, dtype=np.uint32),
        np.zeros(1 << slots.PAIR_BITS, dtype=np.uint8),
    )
    fill_pair_hash(near, distances, keys, values, slots.PAIR_BITS)
    return {"pair_keys": keys, "pair_values": values}


def require_room(name: str, count: int, bits: int) -> None:
    """Refuse to fill a hash beyond three quarters.

    Raises:
        TableError: There are too many states.
    """
    if 4 * count > 3 << bits:
        raise TableError(
            f"{count} states do not fit into the hash table of {name}, 2**{bits} places"
        )
