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
from solver.search.tables import symmetry_coordinates as classes
from solver.search.tables.packed_corners import packed_corners
from solver.search.tables.premoves import SIDE_TURNS
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

Table = NDArray[Any]


def _slice_names() -> Table:
    """Slice orders renamed by R2, F2, L2, B2, uint8 (4, 24)."""
    four = coordinates.all_permutations(4)
    halves = [move_cubies()[turn + 1] for turn in SIDE_TURNS]
    slices = [coordinates.rank_permutations(half.edges[four + 8] - 8) for half in halves]
    return np.stack(slices).astype(np.uint8)


@cache
def turn_arrays() -> Arrays:
    """Make the tables; a second or two."""
    inverses = symmetry_inverses()[: classes.SYMMETRIES]
    rotations = [symmetries()[number] for number in (0, 16, 32)]
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
        "slice_names": _slice_names(),
        "slice_numbers": coordinates.subset_numbers(12, coordinates.E_EDGES).astype(np.uint16),
        "move_rows": np.stack([cubies.row() for cubies in move_cubies()]),
        "rotations": np.stack([row for r in rotations for row in (r.row(), r.inverse().row())]),
        "symmetry_rows": np.stack(
            [row for s in symmetries()[:16] for row in (s.row(), s.inverse().row())]
        ),
        "axis_turns": turns[[0, 16, 32]].astype(np.uint8),
        **packed_corners(),
    }


def _build(_progress: Progress) -> Arrays:
    return turn_arrays()


TURN_TABLE_SET = TableSet("turns", 2, _build)
