"""The full set of tables: those of the search along G0>G2>G4 in single turns.

With five faces, four of the sixteen symmetries remain. The table of phase one is then four times as
large, and phase two has to use a hash of the states near the goal. The same is done with six faces
if memory is short.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from solver import coordinates
from solver.coordinates import cheapest
from solver.cubies import MOVES, allowed_turns, move_cubies
from solver.errors import TableError
from solver.kernels import slots
from solver.search.tables import symmetry_coordinates as classes
from solver.search.tables.axial_turns import premove_pieces, premoves
from solver.search.tables.symmetry_coordinates import packed_permutations, turn_arrays
from solver.stages.thistlethwaite import STAGE_TURNS
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

_PAIR_BITS = 20
_FIVE_PAIRS, _LEAN_PAIRS = (8, _PAIR_BITS), (8, 18)
"""Distance up to which states of phase two are stored, and places of their hash as a power of two.
"""
NEAR, NEAR_FILTER, PHASE_ONE_NEAR = 6, 7, 8
PHASE_ONE_DEPTH, PHASE_TWO_DEPTH = 10, 14
_UNREACHED, _RANGES, _BLOCK = 255, 64, 1 << 18
_FIVE = "htm-five"

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


def _corner_distances(turns: list[int]) -> tuple[Table, Table]:
    """Return distances in phase two of the corners alone, and of corners * 24 + slice order."""
    corners = coordinates.corner_permutation_moves().astype(np.int32)
    slices = turn_arrays()["slice_moves"][:24].astype(np.int32)
    both = (corners[:, None, :] * 24 + slices[None]).reshape(-1, MOVES)
    return cheapest(corners[:, turns]), cheapest(both[:, turns])


def filter_of(states: Table, size: int) -> Table:
    """Return a filter of 2**size bits that contains the states."""
    from solver.kernels.building.near import fill_filter

    bits = np.zeros(1 << size >> 3, dtype=np.uint8)
    fill_filter(states, bits, size)
    return bits


def near_hash(
    name: str, kernel: Any, distances: Table, states: Table, tables: tuple[Table, ...]
) -> Arrays:
    """Return the data of the states near G2: a hash with their endings, and a filter.

    Args:
        name: Name of the table set.
        kernel: The compiled module that fills the hash.
        distances: Distances of all states.
        states: Those to store.
        tables: The tables of turns that the compiled function needs.

    Raises:
        TableError: They would fill the hash beyond three quarters.
    """
    require_room(name, len(states), kernel.BITS)
    keys = np.zeros(1 << kernel.BITS, dtype=np.uint32)
    values = np.zeros(1 << kernel.BITS, dtype=kernel.VALUE)
    endings = np.zeros(16 * len(states), dtype=kernel.ENDING)
    count = kernel.fill_near(distances, states, *tables, keys, values, endings)
    return {
        "nearest_filter": filter_of(states, slots.SMALL_FILTER_BITS),
        "near_keys": keys,
        "near_values": values,
        "endings": endings[:count].copy(),
    }


def _build(name: str, pairs: tuple[int, int] | None, progress: Progress) -> Arrays:
    from solver.kernels.building import near as kernel
    from solver.kernels.building.fill import pack_nibbles

    common, five = turn_arrays(), name == _FIVE
    faces = FACES.replace(classes.DEAD_FACE, "") if five else FACES
    kept = classes.symmetries_that_keep(classes.DEAD_FACE if five else "")
    turns = [turn for turn in range(MOVES) if FACES[turn // 3] in faces]
    allowed = allowed_turns(faces)
    premove_rows, premove_words, counts = premoves(allowed)
    progress(0.03)
    flip_slices, class_moves, selves = classes.flip_slice_classes(kept)
    moves = (class_moves, common["twist_moves"], common["twist_conjugates"], selves)
    distances = distances_within(
        _of_turns(moves, turns),
        np.ones(len(turns), dtype=np.int64),
        PHASE_ONE_DEPTH,
        lambda share: progress(0.05 + 0.45 * share),
        back_above=0.3,
    )
    seen = (
        common["symmetry_products"],
        common["frame_turns"],
        allowed,
        packed_permutations(move_cubies()),
    )
    within = states_within(distances, NEAR_FILTER)
    nearest = within[distances[within] <= NEAR]
    near = near_hash("two-phase", kernel, distances, nearest, (*moves[:3], *seen))
    phase_one = graded(distances, PHASE_ONE_NEAR)
    del distances
    corner_classes, corner_moves, selves = classes.corner_classes(kept)
    turns = [turn for turn in STAGE_TURNS[2] if turn in turns]
    corner_distances, corner_slice_distances = _corner_distances(turns)
    moves = (corner_moves, common["edge_moves"], common["edge_conjugates"], selves)
    distances = distances_within(
        _of_turns(moves, turns),
        np.ones(len(turns), dtype=np.int64),
        pairs[0] if pairs else PHASE_TWO_DEPTH,
        lambda share: progress(0.5 + 0.45 * share),
        back_above=0.12,
    )
    if pairs:
        phase_two = pair_hash(name, distances, *pairs)
    else:
        nibbles = np.empty(len(distances) // 2, dtype=np.uint8)
        pack_nibbles(distances, nibbles)
        phase_two = {"phase_two": nibbles}
    progress(1.0)
    return {
        "allowed": allowed,
        "premove_rows": premove_rows,
        "premove_pieces": premove_pieces(premove_rows),
        "premoves": premove_words,
        "premove_counts": np.array(counts),
        "corner_distances": corner_distances,
        "corner_slice_distances": corner_slice_distances,
        "flip_slices": flip_slices,
        "class_moves": class_moves,
        "phase_one": phase_one,
        "corner_classes": corner_classes,
        **phase_two,
        **near,
        "near_filter": filter_of(within, slots.FILTER_BITS),
    }


def graded(distances: Table, near: int) -> Table:
    """Return phase one's table: two bits per state, each class on separate bytes."""
    from solver.kernels.building.fill import pack_phase_one

    row = -(-coordinates.TWISTS // 4)
    phase_one = np.zeros(len(distances) // coordinates.TWISTS * row, dtype=np.uint8)
    pack_phase_one(distances, coordinates.TWISTS, phase_one, near)
    return phase_one


def pair_hash(name: str, distances: Table, radius: int, bits: int = _PAIR_BITS) -> Arrays:
    """Return the states of corners and U-D edges within a radius, in the kernels' form.

    Raises:
        TableError: They would fill the hash beyond three quarters.
    """
    from solver.kernels.building.fill import fill_pair_hash

    near = states_within(distances, radius)
    require_room(name, len(near), bits)
    keys, values = np.zeros(1 << bits, dtype=np.uint32), np.zeros(1 << bits, dtype=np.uint8)
    fill_pair_hash(near, distances, keys, values, bits)
    return {"pair_keys": keys, "pair_values": values, "pair_radius": np.array([radius])}


def require_room(name: str, count: int, bits: int) -> None:
    """Refuse to fill a hash beyond three quarters.

    Raises:
        TableError: There are too many states.
    """
    if 4 * count > 3 << bits:
        raise TableError(
            f"{count} states do not fit into the hash table of {name}, 2**{bits} places"
        )


def _of_turns(moves: Moves, turns: list[int]) -> Moves:
    """Return the move tables of some of the turns."""
    by_class, by_value, conjugates, selves = moves
    return (
        np.ascontiguousarray(by_class[:, turns]),
        np.ascontiguousarray(by_value[:, turns]),
        conjugates,
        selves,
    )


TWO_PHASE_TABLE_SET = TableSet(
    "two-phase", 6, partial(_build, "two-phase", None), mapped=("phase_two",)
)
SPARE_TABLE_SET = replace(
    TWO_PHASE_TABLE_SET,
    mapped=(
        *TWO_PHASE_TABLE_SET.mapped,
        "phase_one",
        "near_filter",
        "near_keys",
        "near_values",
        "endings",
        "corner_slice_distances",
    ),
)
"""The same tables for use beside those of another search, which reads few of them."""
LEAN_TABLE_SET = TableSet("two-phase-lean", 2, partial(_build, "two-phase-lean", _LEAN_PAIRS))
"""The lean tables, half as large: of phase two, only states near the goal are stored."""
FIVE_FACE_TABLE_SET = TableSet(_FIVE, 9, partial(_build, _FIVE, _FIVE_PAIRS))
"""The tables for a cube whose face B does not turn."""
