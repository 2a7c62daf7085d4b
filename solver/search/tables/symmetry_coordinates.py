"""Coordinates seen through the sixteen symmetries that keep the U-D axis, and their classes."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from solver import coordinates
from solver.cubies import (
    Cubies,
    conjugate_moves,
    move_cubies,
    symmetries,
    symmetry_inverses,
    symmetry_products,
)
from solver.search.tables.packed_corners import packed_corners
from solver.search.tables.premoves import SIDE_TURNS
from solver.stages.stage_tables import STAGE_TURNS
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

Table = NDArray[Any]


SYMMETRIES = 16
DEAD_FACE = "B"
"""The face that the tables for five faces never turn, on the side of the axis that phase one keeps.

There, G2 keeps nine of its ten turns, two more than along the axis of the dead face itself.
"""


def symmetries_that_keep(face: str = "") -> tuple[int, ...]:
    """Return those of the sixteen symmetries that keep a face and the U-D axis; by default all."""
    if not face:
        return tuple(range(SYMMETRIES))
    turn = 3 * FACES.index(face)
    return tuple(s for s in range(SYMMETRIES) if conjugate_moves()[s, turn] // 3 == turn // 3)


def flip_slice_classes(kept: tuple[int, ...]) -> tuple[Table, Table, Table]:
    """Return classes of the flip-slice states under a group of the sixteen symmetries.

    Returns:
        ``class << 4 | symmetry`` of each state slice * 2048 + flip, uint32 (1013760,); the move
        table of the classes, uint32 (64430, 18) in the same form; each class's own symmetries as
        a bit set, uint16 (64430,). With fewer symmetries there are more classes.
    """
    from solver.kernels.building.fill import classify_flip_slices

    sixteen = symmetries()[:SYMMETRIES]
    masks = coordinates.subset_masks(12, coordinates.E_EDGES)
    states = np.empty(coordinates.SLICES * coordinates.FLIPS, dtype=np.uint32)
    most = 2 * states.size // len(kept)
    representatives = np.empty(most, dtype=np.uint32)
    selves = np.empty(most, dtype=np.uint16)
    classes = classify_flip_slices(
        np.stack([s.edges for s in sixteen]),
        np.stack([s.flips for s in sixteen]),
        symmetry_inverses()[:SYMMETRIES].astype(np.int64),
        masks,
        states,
        representatives,
        selves,
        np.array(kept),
    )
    representatives, selves = representatives[:classes], selves[:classes]
    slices = coordinates.slice_moves()[representatives >> 11].astype(np.int64)
    flips = coordinates.flip_moves()[representatives & 2047]
    return states, np.ascontiguousarray(states[slices * coordinates.FLIPS + flips]), selves


def twist_conjugates() -> Table:
    """Return the twist coordinate seen through each of the symmetries, uint16 (2187, 16)."""
    still, columns = symmetries()[0], []
    twisted = replace(still, twists=coordinates.orientation_rows(3, 8))
    for number, symmetry in enumerate(symmetries()[:SYMMETRIES]):
        seen = symmetry * twisted * symmetries()[symmetry_inverses()[number]]
        columns.append(coordinates.rank_orientations(seen.twists, 3))
    return np.stack(columns, axis=1).astype(np.uint16)


def _permutation_conjugates(pieces: Callable[[Cubies], NDArray[np.int64]]) -> Table:
    """Return permutations of eight pieces seen through the symmetries, uint16 (40320, 16)."""
    rows = coordinates.all_permutations(8)
    columns = []
    for number, symmetry in enumerate(symmetries()[:SYMMETRIES]):
        back = pieces(symmetries()[symmetry_inverses()[number]])
        columns.append(coordinates.rank_permutations(pieces(symmetry)[rows[:, back]]))
    return np.stack(columns, axis=1).astype(np.uint16)


def edge_conjugates() -> Table:
    """Return the U-D edges' permutation seen through the symmetries, uint16 (40320, 16)."""
    return _permutation_conjugates(lambda cubies: cubies.edges[:8])


def corner_classes(kept: tuple[int, ...]) -> tuple[Table, Table, Table]:
    """Return classes of the corner permutations under a group of the sixteen symmetries.

    Returns:
        ``class << 4 | symmetry`` of each permutation, uint32 (40320,); the move table of the
        classes, uint32 (2768, 18) in the same form; own symmetries, uint16 (2768,).
    """
    numbers = np.array(kept)
    seen = _permutation_conjugates(lambda cubies: cubies.corners)[:, numbers]
    representatives, classes = np.unique(seen.min(axis=1), return_inverse=True)
    states = (classes << 4 | numbers[seen.argmin(axis=1)]).astype(np.uint32)
    own = seen[representatives] == representatives[:, None]
    selves = (own << numbers).sum(axis=1).astype(np.uint16)
    moves = states[coordinates.corner_permutation_moves()[representatives]]
    return states, np.ascontiguousarray(moves), selves


def phase_two_edge_moves() -> Table:
    """Return the effect of turns of G2 on the U-D edges, uint16 (40320, 18); other turns: 0."""
    rows = coordinates.all_permutations(8)
    table = np.zeros((coordinates.CORNER_PERMUTATIONS, 18), dtype=np.uint16)
    for turn in STAGE_TURNS[2]:
        table[:, turn] = coordinates.rank_permutations(rows[:, move_cubies()[turn].edges[:8]])
    return table


def slice_permutation_moves() -> Table:
    """Return the effect of turns on the four slice edges with their order, uint16 (11880, 18).

    The coordinate is slice number * 24 + rank of the edges' order over their places.
    """
    numbers = coordinates.subset_numbers(12, coordinates.E_EDGES)
    masks = coordinates.subset_masks(12, coordinates.E_EDGES)
    orders = coordinates.all_permutations(4)
    held = np.array([[p for p in range(12) if mask >> p & 1] for mask in masks])
    pieces = np.full((len(masks), len(orders), 12), -1, dtype=np.int64)
    for place in range(4):
        pieces[np.arange(len(masks))[:, None], np.arange(24)[None], held[:, place, None]] = orders[
            None, :, place
        ]
    flat = pieces.reshape(-1, 12)
    columns = []
    for cubies in move_cubies():
        turned = flat[:, cubies.edges]
        mask = ((turned >= 0) << np.arange(12)).sum(axis=1)
        order = turned[turned >= 0].reshape(-1, 4)
        columns.append(numbers[mask] * 24 + coordinates.rank_permutations(order))
    return np.stack(columns, axis=1).astype(np.uint16)


def _slice_names() -> Table:
    """Return slice orders renamed by R2, F2, L2, B2, uint8 (4, 24)."""
    four = coordinates.all_permutations(4)
    halves = [move_cubies()[turn + 1] for turn in SIDE_TURNS]
    slices = [coordinates.rank_permutations(half.edges[four + 8] - 8) for half in halves]
    return np.stack(slices).astype(np.uint8)


@cache
def turn_arrays() -> Arrays:
    """Return the tables; takes a second or two."""
    rotations = [symmetries()[number] for number in (0, 16, 32)]
    turns = conjugate_moves()
    return {
        "twist_moves": coordinates.twist_moves().astype(np.uint16),
        "twist_conjugates": twist_conjugates(),
        "symmetry_products": symmetry_products()[:16, :16].astype(np.uint8),
        "corner_moves": coordinates.corner_permutation_moves(),
        "edge_conjugates": edge_conjugates(),
        "edge_moves": phase_two_edge_moves(),
        "slice_moves": slice_permutation_moves(),
        "slice_names": _slice_names(),
        "slice_numbers": coordinates.subset_numbers(12, coordinates.E_EDGES).astype(np.uint16),
        "move_rows": np.stack([cubies.row() for cubies in move_cubies()]),
        "rotations": np.stack([row for r in rotations for row in (r.row(), r.inverse().row())]),
        "symmetry_rows": np.stack(
            [row for s in symmetries()[:16] for row in (s.row(), s.inverse().row())]
        ),
        "axis_turns": turns[[0, 16, 32]].astype(np.uint8),
        **packed_corners(symmetries()[:SYMMETRIES]),
    }


def _build(_progress: Progress) -> Arrays:
    return turn_arrays()


TURN_TABLE_SET = TableSet("turns", 3, _build)
