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
PHASE_ONE_DEPTH = 10
_UNREACHED, _RANGES = 255, 64

Table = NDArray[Any]
Spread = Callable[..., int]


def _spread(
    spread: Spread,
    distances: Table,
    depth: int,
    moves: tuple[Table, Table, Table, Table],
    turns: Table,
) -> int:
    """One pass of a compiled spread over all classes, on every core."""
    cuts = np.linspace(0, len(moves[0]), _RANGES + 1).astype(int).tolist()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passes = [
            pool.submit(spread, distances, depth, first, last, *moves, turns)
            for first, last in pairwise(cuts)
        ]
        return sum(done.result() for done in passes)


def _phase_one(moves: tuple[Table, Table, Table, Table], progress: Progress) -> Table:
    """Distances to G2 up to 10, 255 beyond, a byte for each (class, twist)."""
    from solver.kernels.fill import spread_backward, spread_forward  # noqa: PLC0415 - numba

    distances = np.full(len(moves[0]) * coordinates.TWISTS, _UNREACHED, dtype=np.uint8)
    distances[0] = 0
    turns = np.arange(18)
    for depth in range(PHASE_ONE_DEPTH):
        spread = spread_forward if depth < PHASE_ONE_DEPTH - 1 else spread_backward
        _spread(spread, distances, depth, moves, turns)
        progress(depth / PHASE_ONE_DEPTH)
    return distances


def _phase_two(moves: tuple[Table, Table, Table, Table], progress: Progress) -> Table:
    """Distances of corners and U-D edges in G2, a byte for each (class, permutation)."""
    from solver.kernels.fill import spread_backward, spread_forward  # noqa: PLC0415 - numba

    distances = np.full(len(moves[0]) * coordinates.CORNER_PERMUTATIONS, _UNREACHED, dtype=np.uint8)
    distances[0] = 0
    turns = np.array(STAGE_TURNS[2])
    spread: Spread = spread_forward
    depth, reached = 0, 1
    while reached:
        reached = _spread(spread, distances, depth, moves, turns)
        if reached > len(distances) // 8:
            spread = spread_backward
        depth += 1
        progress(depth / 20)
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


def _near(distances: Table, moves: tuple[Table, Table, Table, Table], small: Arrays) -> Arrays:
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
    bits = np.zeros(1 << near.FILTER_BITS >> 3, dtype=np.uint8)
    near.fill_filter(np.flatnonzero(distances <= NEAR_FILTER), bits)
    return {
        "near_filter": bits,
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
    distances = _phase_one(moves, lambda share: progress(0.05 + 0.45 * share))
    arrays.update(_near(distances, moves, arrays))
    row = -(-coordinates.TWISTS // 4)
    arrays["phase_one"] = np.zeros(len(class_moves) * row, dtype=np.uint8)
    fill.pack_phase_one(distances, coordinates.TWISTS, arrays["phase_one"], PHASE_ONE_NEAR)
    del distances
    arrays["corner_classes"], corner_moves, selves = classes.corner_classes()
    moves = (corner_moves, arrays["edge_moves"], arrays["edge_conjugates"], selves)
    distances = _phase_two(moves, lambda share: progress(0.5 + 0.45 * share))
    arrays["phase_two"] = np.empty(len(distances) // 2, dtype=np.uint8)
    fill.pack_nibbles(distances, arrays["phase_two"])
    progress(1.0)
    return arrays


TWO_PHASE_TABLE_SET = TableSet("two-phase", 2, _build)
