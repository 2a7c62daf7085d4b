"""The four distance tables of Thistlethwaite's chain and everything needed to walk down them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.cubies import move_cubies
from solver.distances import pair_distances
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

Table = NDArray[Any]
Pair = tuple[NDArray[np.int16], NDArray[np.int16]]


@dataclass(frozen=True, slots=True)
class StageTables:
    """Distances (one byte a state) and move tables of the four stages, as the kernels take them.

    The frame is Kociemba's: stage one drops quarter turns of F and B, stage two those of R and L,
    stage three those of U and D. ``source`` tells whether the tables were stored or built.
    """

    distances: tuple[NDArray[np.uint8], ...]
    a_moves: tuple[NDArray[np.int16], ...]
    b_moves: tuple[NDArray[np.int16], ...]
    turns: tuple[NDArray[np.int64], ...]
    lookups: tuple[NDArray[np.int16], ...]
    move_rows: NDArray[np.uint8]
    source: Obtained


def load_stage_tables(store: TableStore | None = None) -> StageTables:
    """The four tables from the store (the user's cache folder by default), built when missing.

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
    """The move table of two coordinates in one, ``a * size_b + b``; undefined turns hold -1."""
    both = a[:, None, :].astype(np.int64) * len(b) + b[None]
    both[:, :, (a[0] < 0) | (b[0] < 0)] = -1
    return np.ascontiguousarray(both.reshape(-1, a.shape[1]).astype(np.int16))


def _move_pairs(
    corner_coset_moves: NDArray[np.int16], square_corner_moves: NDArray[np.int16]
) -> tuple[Pair, ...]:
    """The two move tables of each stage; those of the corners are stored, the rest is quick."""
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
    """Parity of stage four's coordinates as permutations; the 96 corner permutations are even."""
    rows = coordinates.all_permutations(4)
    after = rows[:, None, :] < rows[:, :, None]
    odd = (np.triu(after, 1).sum(axis=(1, 2)) % 2).astype(np.uint8)
    return np.tile(odd, 96), (odd[:, None] ^ odd[None]).reshape(-1)


def _build(progress: Progress) -> Arrays:
    arrays: dict[str, Table] = {
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


STAGE_TABLE_SET = TableSet("stages", 2, _build)
