"""Distance tables for solving cubes whose centres have to stand straight, too (S3.12).

Phase one ends in G2 with the four side centres turned by half turns; phase two settles the rest.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.cubies import MOVES, move_cubies
from solver.distances import pair_distances
from solver.kernels.slots import PHASE_TWO_TURNS
from solver.search.tables.symmetry_coordinates import phase_two_edge_moves
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

PARITIES, ANGLES = 16, 256
PHASE_TWO = tuple(turn for turn in range(MOVES) if PHASE_TWO_TURNS >> turn & 1)
SIDES = (1, 2, 4, 5)  # R, F, L, B in the order of the faces

Table = NDArray[Any]


def parity_moves() -> NDArray[np.uint16]:
    """How turns change which side centres are turned by quarter turns, shape (16, 18)."""
    table = np.empty((PARITIES, MOVES), dtype=np.uint16)
    for turn in range(MOVES):
        face, quarters = turn // 3, turn % 3 + 1
        odd = face in SIDES and quarters % 2 == 1
        table[:, turn] = np.arange(PARITIES) ^ (1 << SIDES.index(face) if odd else 0)
    return table


def angle_moves() -> NDArray[np.uint16]:
    """How turns of phase two turn the centres, shape (256, 18).

    A value is U | D << 2 | sides << 4: quarter turns of U and D, half turns of R, F, L and B.
    """
    values = np.arange(ANGLES)
    table = np.zeros((ANGLES, MOVES), dtype=np.uint16)
    for turn in PHASE_TWO:
        face, quarters = turn // 3, turn % 3 + 1
        if face == 0:
            table[:, turn] = values & ~3 | (values + quarters) & 3
        elif face == 3:
            table[:, turn] = values & ~12 | ((values >> 2) + quarters & 3) << 2
        else:
            table[:, turn] = values ^ 16 << SIDES.index(face)
    return table


def order_moves() -> NDArray[np.uint16]:
    """How turns of phase two permute the four edges of the slice between, shape (24, 18)."""
    rows = coordinates.all_permutations(4)
    table = np.zeros((len(rows), MOVES), dtype=np.uint16)
    for turn in PHASE_TWO:
        table[:, turn] = coordinates.rank_permutations(rows[:, move_cubies()[turn].edges[8:] - 8])
    return table


def _build(progress: Progress) -> Arrays:
    progress(0.0)
    every = tuple(range(MOVES))
    moves: dict[str, Table] = {
        "twist_moves": coordinates.twist_moves().astype(np.uint16),
        "flip_moves": coordinates.flip_moves().astype(np.uint16),
        "slice_moves": coordinates.slice_moves().astype(np.uint16),
        "parity_moves": parity_moves(),
        "corner_moves": coordinates.corner_permutation_moves(),
        "edge_moves": phase_two_edge_moves(),
        "order_moves": order_moves(),
        "angle_moves": angle_moves(),
    }
    pairs = (
        ("twist", "slice", every),
        ("flip", "slice", every),
        ("twist", "parity", every),
        ("flip", "parity", every),
        ("corner", "order", PHASE_TWO),
        ("edge", "order", PHASE_TWO),
        ("corner", "angle", PHASE_TWO),
        ("edge", "angle", PHASE_TWO),
    )
    made = {}
    for number, (first, second, turns) in enumerate(pairs, start=1):
        made[f"{first}_{second}"] = pair_distances(
            moves[f"{first}_moves"], moves[f"{second}_moves"], turns
        )
        progress(number / len(pairs))
    return moves | made


CENTRE_TABLE_SET = TableSet("centres", 1, _build)
