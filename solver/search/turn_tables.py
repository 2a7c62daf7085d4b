"""Tables of how turns and symmetries move the coordinates, which every search shares."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.cubies import (
    conjugate_moves,
    move_cubies,
    symmetries,
    symmetry_inverses,
    symmetry_products,
)
from solver.search import symmetry_coordinates as classes
from solver.search.premoves import SIDE_TURNS
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

Table = NDArray[Any]


def _names() -> tuple[Table, Table]:
    """Corner permutations (4, 40320) and slice orders (4, 24) renamed by R2, F2, L2, B2."""
    eight, four = coordinates.all_permutations(8), coordinates.all_permutations(4)
    halves = [move_cubies()[turn + 1] for turn in SIDE_TURNS]
    corners = [coordinates.rank_permutations(half.corners[eight]) for half in halves]
    slices = [coordinates.rank_permutations(half.edges[four + 8] - 8) for half in halves]
    return np.stack(corners).astype(np.uint16), np.stack(slices).astype(np.uint8)


@cache
def turn_arrays() -> Arrays:
    """Make the tables; a second or two."""
    inverses = symmetry_inverses()[: classes.SYMMETRIES]
    rotations = [symmetries()[number] for number in (0, 16, 32)]
    corner_names, slice_names = _names()
    turns = conjugate_moves()
    return {
        "twist_moves": coordinates.twist_moves().astype(np.uint16),
        "twist_conjugates": classes.twist_conjugates(),
        "symmetry_products": symmetry_products()[:16, :16].astype(np.uint8),
        "frame_turns": turns[:16].astype(np.uint8),
        "raw_turns": turns[inverses].astype(np.uint8),
        "corner_moves": coordinates.corner_permutation_moves(),
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
        "axis_turns": turns[[0, 16, 32]].astype(np.uint8),
    }


def _build(_progress: Progress) -> Arrays:
    return turn_arrays()


TURN_TABLE_SET = TableSet("turns", 1, _build)
