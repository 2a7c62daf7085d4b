"""The distance tables of Thistlethwaite's four stages, and the coordinates that they number.

Source: M. Thistlethwaite's 52-move algorithm as described in S3.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.breadth_first import pair_distances
from solver.cubies import Cubies, move_cubies
from solver.table_files import Arrays
from solver.tables import Obtained, Progress, TableSet, TableStore

STATES = (2048, 1_082_565, 29_400, 663_552)
MAX_DEPTHS = (7, 10, 13, 15)
STAGE_TURNS = (
    tuple(range(18)),
    (0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14, 16),
    (0, 1, 2, 4, 7, 9, 10, 11, 13, 16),
    coordinates.HALF_TURNS,
)

Pair = tuple[NDArray[np.int16], NDArray[np.int16]]
Lookups = tuple[NDArray[np.int16], ...]


@dataclass(frozen=True, slots=True)
class StageTables:
    """Distances (one byte per state) and move tables of the four stages, in the kernels' form.

    The frame is Kociemba's: stage one drops quarter turns of F and B, stage two those of R and L,
    stage three those of U and D. ``source`` tells whether the tables were stored or built.
    """

    distances: tuple[NDArray[np.uint8], ...]
    a_moves: tuple[NDArray[np.int16], ...]
    b_moves: tuple[NDArray[np.int16], ...]
    turns: tuple[NDArray[np.int64], ...]
    lookups: Lookups
    move_rows: NDArray[np.uint8]
    source: Obtained

    def distance(self, stage: int, a: int, b: int) -> int:
        """Return the number of turns from two coordinates to the end of a stage."""
        fold = stage == len(STATES) - 1
        return int(self.distances[stage][a * (len(self.b_moves[stage]) >> fold) + (b >> fold)])

    def turned(self, stage: int, a: int, b: int, turn: int) -> tuple[int, int]:
        """Return the two coordinates after a turn."""
        return int(self.a_moves[stage][a, turn]), int(self.b_moves[stage][b, turn])


def load_stage_tables(store: TableStore | None = None) -> StageTables:
    """Load the four tables from the store (by default the user's cache); build missing ones.

    Raises:
        TableError: The tables could not be built.
    """
    obtained = (store or TableStore()).obtain(STAGE_TABLE_SET)
    stored = obtained.arrays
    pairs = _move_pairs(stored["corner_coset_moves"], stored["square_corner_moves"])
    return StageTables(
        distances=tuple(obtained.arrays[f"stage{number}"] for number in range(1, 5)),
        a_moves=tuple(np.ascontiguousarray(a) for a, _ in pairs),
        b_moves=tuple(np.ascontiguousarray(b) for _, b in pairs),
        turns=tuple(np.array(turns, dtype=np.int64) for turns in STAGE_TURNS),
        lookups=(
            coordinates.subset_numbers(12, coordinates.E_EDGES),
            coordinates.subset_numbers(8, coordinates.M_EDGES),
            stored["corner_cosets"],
            stored["square_corners"],
        ),
        move_rows=np.stack([cubies.row() for cubies in move_cubies()]),
        source=obtained,
    )


def _product(a: NDArray[np.int16], b: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the move table of a pair, ``a * size_b + b``; undefined turns are -1."""
    both = a[:, None, :].astype(np.int64) * len(b) + b[None]
    both[:, :, (a[0] < 0) | (b[0] < 0)] = -1
    return np.ascontiguousarray(both.reshape(-1, a.shape[1]).astype(np.int16))


def _move_pairs(
    corner_coset_moves: NDArray[np.int16], square_corner_moves: NDArray[np.int16]
) -> tuple[Pair, ...]:
    """Return the two move tables of each stage; those of the corners come from the store."""
    single = np.zeros((1, 18), dtype=np.int16)
    permuted = coordinates.slice_permutation_moves
    return (
        (coordinates.flip_moves(), single),
        (coordinates.twist_moves(), coordinates.slice_moves()),
        (corner_coset_moves, coordinates.middle_moves()),
        (
            _product(square_corner_moves, permuted(coordinates.M_EDGES)),
            _product(permuted(coordinates.S_EDGES), permuted(coordinates.E_EDGES)),
        ),
    )


def _parities() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the parity of stage four's coordinates; the 96 corner permutations are even."""
    rows = coordinates.all_permutations(4)
    after = rows[:, None, :] < rows[:, :, None]
    odd = (np.triu(after, 1).sum(axis=(1, 2)) % 2).astype(np.uint8)
    return np.tile(odd, 96), (odd[:, None] ^ odd[None]).reshape(-1)


def _build(progress: Progress) -> Arrays:
    arrays: dict[str, NDArray[Any]] = {
        "corner_cosets": coordinates.corner_cosets(),
        "square_corners": coordinates.square_corners(),
        "corner_coset_moves": coordinates.corner_coset_moves(),
        "square_corner_moves": coordinates.square_corner_moves(),
    }
    pairs = _move_pairs(arrays["corner_coset_moves"], arrays["square_corner_moves"])
    for stage, moves in enumerate(pairs):
        parities = _parities() if stage == len(STATES) - 1 else None
        arrays[f"stage{stage + 1}"] = pair_distances(*moves, STAGE_TURNS[stage], parities)
        progress((stage + 1) / len(STATES))
    return arrays


STAGE_TABLE_SET = TableSet("stages", 3, _build)


def stage_coordinates(cubies: Cubies, stage: int, lookups: Lookups) -> tuple[int, int]:
    """Return the two coordinates of a cube in a stage."""
    by_slice, by_middle, corner_cosets, square_corners = lookups
    if stage == 0:
        return int(coordinates.rank_orientations(cubies.flips[None], 2)[0]), 0
    if stage == 1:
        twist = int(coordinates.rank_orientations(cubies.twists[None], 3)[0])
        return twist, int(by_slice[_mask(cubies.edges >= 8)])
    corners = _rank(cubies.corners)
    if stage == 2:
        return int(corner_cosets[corners]), int(by_middle[_mask(cubies.edges[:8] & 1)])
    middle, standing = cubies.edges[1:8:2], cubies.edges[0:8:2]
    first = int(square_corners[corners]) * 24 + _rank(middle)
    return first, _rank(standing) * 24 + _rank(cubies.edges[8:])


def _mask(bits: NDArray[Any]) -> int:
    return int((bits << np.arange(len(bits))).sum())


def _rank(pieces: NDArray[np.int64]) -> int:
    """Return the rank of the order of some pieces."""
    return int(coordinates.rank_permutations(pieces[None])[0])
