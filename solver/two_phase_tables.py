"""The full tier of tables: what the search along G0>G2>G4 looks up."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver import symmetry_coordinates as classes
from solver.cubies import (
    conjugate_moves,
    move_cubies,
    symmetries,
    symmetry_inverses,
    symmetry_products,
)
from solver.premoves import SIDE_TURNS, allowed_turns, premoves
from solver.stage_tables import STAGE_TURNS
from solver.tables import Arrays, Progress, TableSet

NEAR, NEAR_FILTER, PHASE_ONE_NEAR = 6, 7, 8
PHASE_ONE_DEPTH, PHASE_TWO_DEPTH = 10, 14
_UNREACHED, _RANGES = 255, 64

Table = NDArray[Any]
Spread = Callable[..., int]


Moves = tuple[Table, Table, Table, Table]
"""Move tables of the classes and of the values, the values' conjugates, the classes' symmetries."""


def distances_within(
    moves: Moves, costs: Table, most: int, progress: Progress, back_above: float = 1.0
) -> Table:
    """Distances from (class 0, value 0) up to most, a byte for each entry, 255 beyond.

    Passes over all classes run on every core. Once a pass reaches more than the share
    ``back_above`` of all entries, the next ones look back from the unreached entries instead of
    forward from the reached ones.
    """
    from solver.kernels.fill import spread_backward, spread_forward  # noqa: PLC0415 - numba

    distances = np.full(len(moves[0]) * len(moves[1]), _UNREACHED, dtype=np.uint8)
    distances[0] = 0
    cuts = np.linspace(0, len(moves[0]), _RANGES + 1).astype(int).tolist()
    spread: Spread = spread_forward
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for goal in range(1, most + 1):
            passes = [
                pool.submit(spread, distances, goal, first, last, *moves, costs)
                for first, last in pairwise(cuts)
            ]
            reached = sum(done.result() for done in passes)
            if reached > back_above * len(distances):
                spread = spread_backward
            progress(goal / most)
    return distances


def _breadth_first(moves: Table, turns: tuple[int, ...]) -> Table:
    """Distances from state 0 for one coordinate with its move table (states, 18)."""
    distances = np.full(len(moves), _UNREACHED, dtype=np.uint8)
    distances[0] = 0
    frontier, depth = np.zeros(1, dtype=np.int64), 0
    while len(frontier):
        depth += 1
        reached = np.unique(moves[frontier][:, list(turns)])
        frontier = reached[distances[reached] == _UNREACHED]
        distances[frontier] = depth
    return distances


def _corner_slice_distances() -> tuple[Table, Table]:
    """Phase-two distances of the corners alone, and of corners * 24 + slice order."""
    corners = coordinates.corner_permutation_moves().astype(np.int32)
    slices = classes.slice_permutation_moves()[:24].astype(np.int32)
    both = (corners[:, None, :] * 24 + slices[None]).reshape(-1, 18)
    return _breadth_first(corners, STAGE_TURNS[2]), _breadth_first(both, STAGE_TURNS[2])


def _names() -> tuple[Table, Table]:
    """Corner permutations (4, 40320) and slice orders (4, 24) renamed by R2, F2, L2, B2."""
    eight, four = coordinates.all_permutations(8), coordinates.all_permutations(4)
    halves = [move_cubies()[turn + 1] for turn in SIDE_TURNS]
    corners = [coordinates.rank_permutations(half.corners[eight]) for half in halves]
    slices = [coordinates.rank_permutations(half.edges[four + 8] - 8) for half in halves]
    return np.stack(corners).astype(np.uint16), np.stack(slices).astype(np.uint8)


def filter_of(states: Table, size: int) -> Table:
    """A filter of 2**size bits that holds the states."""
    from solver.kernels.near import fill_filter  # noqa: PLC0415 - numba

    bits = np.zeros(1 << size >> 3, dtype=np.uint8)
    fill_filter(states, bits, size)
    return bits


def _near(distances: Table, moves: Moves, small: Arrays) -> Arrays:
    """The hash of the states within 6 of G2, and the filter of those within 7."""
    from solver.kernels import near  # noqa: PLC0415 - numba

    states = np.flatnonzero(distances <= NEAR)
    keys = np.zeros(1 << near.HASH_BITS, dtype=np.uint32)
    values = np.zeros(1 << near.HASH_BITS, dtype=np.uint64)
    endings = np.zeros(16 * len(states), dtype=np.uint32)
    count = near.fill_near(
        distances,
        states,
        *moves[:3],
        small["symmetry_products"],
        small["frame_turns"],
        small["allowed"],
        keys,
        values,
        endings,
    )
    return {
        "near_filter": filter_of(np.flatnonzero(distances <= NEAR_FILTER), near.FILTER_BITS),
        "nearest_filter": filter_of(states, near.SMALL_FILTER_BITS),
        "near_keys": keys,
        "near_values": values,
        "endings": endings[:count].copy(),
    }


def _small() -> dict[str, Table]:
    """Everything that is quick to make."""
    inverses = symmetry_inverses()[: classes.SYMMETRIES]
    rotations = [symmetries()[number] for number in (0, 16, 32)]
    corner_distances, corner_slice_distances = _corner_slice_distances()
    corner_names, slice_names = _names()
    premove_rows, premove_words, counts = premoves()
    turns = conjugate_moves()
    return {
        "twist_moves": coordinates.twist_moves().astype(np.uint16),
        "twist_conjugates": classes.twist_conjugates(),
        "symmetry_products": symmetry_products()[:16, :16].astype(np.uint8),
        "frame_turns": turns[:16].astype(np.uint8),
        "raw_turns": turns[inverses].astype(np.uint8),
        "allowed": allowed_turns(),
        "corner_moves": coordinates.corner_permutation_moves(),
        "corner_distances": corner_distances,
        "corner_slice_distances": corner_slice_distances,
        "edge_conjugates": classes.edge_conjugates(),
        "edge_moves": classes.phase_two_edge_moves(),
        "slice_moves": classes.slice_permutation_moves(),
        "corner_names": corner_names,
        "slice_names": slice_names,
        "slice_numbers": coordinates.subset_numbers(12, coordinates.E_EDGES).astype(np.uint16),
        "move_rows": np.stack([cubies.row() for cubies in move_cubies()]),
        "rotations": np.stack([row for r in rotations for row in (r.row(), r.inverse().row())]),
        "symmetry_rows": np.stack(
            [row for s in symmetries()[:16] for row in (s.row(), s.inverse().row())]
        ),
        "premove_rows": premove_rows,
        "premoves": premove_words,
        "premove_counts": np.array(counts),
        "axis_turns": turns[[0, 16, 32]].astype(np.uint8),
    }


def _build(progress: Progress) -> Arrays:
    from solver.kernels import fill  # noqa: PLC0415 - numba

    arrays = _small()
    progress(0.03)
    arrays["flip_slices"], class_moves, selves = classes.flip_slice_classes()
    arrays["class_moves"] = class_moves
    moves = (class_moves, arrays["twist_moves"], arrays["twist_conjugates"], selves)
    distances = distances_within(
        moves,
        np.ones(18, dtype=np.int64),
        PHASE_ONE_DEPTH,
        lambda share: progress(0.05 + 0.45 * share),
        back_above=0.3,
    )
    arrays.update(_near(distances, moves, arrays))
    row = -(-coordinates.TWISTS // 4)
    arrays["phase_one"] = np.zeros(len(class_moves) * row, dtype=np.uint8)
    fill.pack_phase_one(distances, coordinates.TWISTS, arrays["phase_one"], PHASE_ONE_NEAR)
    del distances
    corner_classes, corner_moves, selves = classes.corner_classes()
    arrays["corner_classes"] = corner_classes.astype(np.uint16)
    turns = list(STAGE_TURNS[2])
    distances = distances_within(
        (
            np.ascontiguousarray(corner_moves[:, turns]),
            np.ascontiguousarray(arrays["edge_moves"][:, turns]),
            arrays["edge_conjugates"],
            selves,
        ),
        np.ones(len(turns), dtype=np.int64),
        PHASE_TWO_DEPTH,
        lambda share: progress(0.5 + 0.45 * share),
        back_above=0.12,
    )
    arrays["phase_two"] = np.empty(len(distances) // 2, dtype=np.uint8)
    fill.pack_nibbles(distances, arrays["phase_two"], 0)
    progress(1.0)
    return arrays


TWO_PHASE_TABLE_SET = TableSet("two-phase", 3, _build)
