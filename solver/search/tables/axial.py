"""The tables of a search in axial turns: phase one, phase two, premoves."""

from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.breadth_first import cheapest
from solver.cubies import conjugate_moves, move_cubies, symmetry_inverses
from solver.kernels import slots
from solver.search.tables import symmetry_coordinates as classes
from solver.search.tables.axial_turns import (
    IN_G2,
    NEVER,
    Prices,
    class_turns,
    turns_through,
    value_turns,
)
from solver.search.tables.distances import (
    distances_within,
    filter_of,
    graded,
    pair_hash,
    require_room,
    states_within,
)
from solver.search.tables.packed_corners import axial_turned_corners
from solver.search.tables.premoves import premove_pieces, premoves
from solver.search.tables.symmetry_coordinates import turn_arrays
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

Table = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Cut:
    """The limits of the tables for the prices of a metric.

    Attributes:
        name: Name of the table set.
        prices: The costs of turns.
        near: Distance up to which phase-one states are stored with their endings.
        grades: Lowest of the four grades of phase one.
        pairs: Distance up to which phase-two states are stored.
        back: Minimum cost of a path that leaves G2 and returns to another state of G2.
        five: Whether the face B does not turn.
        premove_cost: Maximum cost of premoves, which are then counted by their cost; None: up to
            three turns, counted by their number.
        version: Version of the table set.
    """

    name: str
    prices: Prices
    near: int
    grades: int
    pairs: int
    back: int = 3
    five: bool = False
    premove_cost: int | None = None
    version: int = 11

    @property
    def tables(self) -> TableSet:
        """Return the table set."""
        return TableSet(self.name, self.version, partial(_build, self))

    def costs(self) -> NDArray[np.int64]:
        """Return the cost of each axial turn, shape (45,)."""
        return self.prices.costs(five=self.five)


def _corner_tables(costs: Table) -> tuple[Table, Table]:
    """Return distances in G2 of corners * 24 + slice order, and lower bounds over variants.

    The bounds, uint8 (3, 3, 40320), are for the corners alone, minus the possible saving by free
    half turns of the R and F axes (0: none, 1: R, 2: F) before them and after them.
    """
    turns = _turns_in_g2(costs)
    corners = value_turns(coordinates.corner_permutation_moves().astype(np.int32))[:, turns]
    slices = value_turns(turn_arrays()["slice_moves"])[:24, turns].astype(np.int32)
    alone = cheapest(corners, costs[turns])
    both = (corners[:, None, :] * 24 + slices[None]).reshape(-1, len(turns))
    bounds = np.empty((3, 3, len(alone)), dtype=np.uint8)
    eight = coordinates.all_permutations(8)
    for before, after in product(range(3), range(3)):
        best = alone
        for first, last in product(_half_turns(before), _half_turns(after)):
            renamed = eight
            for turn in first:
                renamed = renamed[:, move_cubies()[turn].corners]
            for turn in last:
                renamed = move_cubies()[turn].corners[renamed]
            best = np.minimum(best, alone[coordinates.rank_permutations(renamed)])
        bounds[before, after] = best
    return cheapest(both, costs[turns]), bounds


def _turns_in_g2(costs: Table) -> list[int]:
    """Return the turns of phase two."""
    return [turn for turn in IN_G2 if costs[turn] < NEVER]


def _half_turns(axis: int) -> tuple[tuple[int, ...], ...]:
    """Return half turns of no, the first, the second or both faces of an axis (0: of none)."""
    if axis == 0:
        return ((),)
    one, two = 3 * axis + 1, 3 * (axis + 3) + 1
    return ((), (one,), (two,), (one, two))


def _build(cut: Cut, progress: Progress) -> Arrays:
    costs = cut.costs()
    frame_turns = np.array([turns_through(seen) for seen in conjugate_moves()[:16]], np.uint8)
    corner_slices, bounds = _corner_tables(costs)
    rows, words, counts = premoves(costs, cut.premove_cost)
    kept = classes.symmetries_that_keep(classes.DEAD_FACE if cut.five else "")
    return {
        **_phase_one(cut, kept, frame_turns, lambda share: progress(0.1 + 0.6 * share)),
        **_phase_two(cut, kept, lambda share: progress(0.7 + 0.3 * share)),
        "frame_turns": frame_turns,
        "raw_turns": frame_turns[symmetry_inverses()[:16]],
        "costs": costs.astype(np.uint8),
        "corner_slice_distances": corner_slices,
        "corner_bounds": bounds,
        "premove_rows": rows,
        "premove_pieces": premove_pieces(rows),
        "axial_turned_corners": axial_turned_corners(),
        "premoves": words,
        "premove_counts": counts,
    }


def _phase_one(
    cut: Cut, kept: tuple[int, ...], frame_turns: Table, progress: Progress
) -> dict[str, Table]:
    """Return flip-slice classes with twists: the grades, and the data of the states near G2."""
    flip_slices, moves, selves = classes.flip_slice_classes(kept)
    class_moves, twist_moves = class_turns(moves), value_turns(coordinates.twist_moves())
    twist_moves = twist_moves.astype(np.uint16)
    conjugates = turn_arrays()["twist_conjugates"]
    distances = distances_within(
        (class_moves, twist_moves, conjugates, selves),
        cut.costs(),
        cut.grades + 2,
        progress,
        back_above=0.25,
    )
    within = states_within(distances, cut.grades - 1)
    ways = (class_moves, twist_moves, conjugates, turn_arrays()["symmetry_products"], frame_turns)
    filters = [
        filter_of(within[distances[within] <= radius], slots.FILTER_BITS)
        for radius in range(cut.near + 1, cut.grades)
    ]
    return {
        "flip_slices": flip_slices,
        "class_moves": class_moves,
        "phase_one": graded(distances, cut.grades),
        "near_filters": np.stack(filters),
        **_near(cut, distances, within[distances[within] <= cut.near], ways),
    }


def _near(cut: Cut, distances: Table, states: Table, ways: tuple[Table, ...]) -> dict[str, Table]:
    """Return the data of the states near G2: a hash with their endings, and a filter.

    Args:
        cut: The limits of the tables.
        distances: Distances of all states.
        states: Those to store.
        ways: The tables of turns that the compiled functions need.

    Raises:
        TableError: They would fill the hash beyond three quarters.
    """
    from solver.kernels.building import near as kernel

    require_room(cut.name, len(states), slots.HASH_BITS)
    keys = np.zeros(1 << slots.HASH_BITS, dtype=np.uint32)
    values, turns = np.zeros_like(keys), np.zeros(len(keys), dtype=np.uint64)
    endings = np.zeros(16 * len(states), dtype=np.uint64)
    count = kernel.fill_near(distances, states, *ways, cut.costs(), keys, values, endings)
    endings = endings[:count].copy()
    kernel.fill_turns(keys, distances, *ways[:3], cut.costs(), turns)
    heads = np.zeros(count, dtype=np.uint32)
    kernel.fill_heads(keys, values, endings, cut.costs(), axial_turned_corners(), heads)
    return {
        "nearest_filter": filter_of(states, slots.SMALL_FILTER_BITS),
        "near_keys": keys,
        "near_values": values,
        "near_turns": turns,
        "endings": endings,
        "ending_heads": heads,
    }


def _phase_two(cut: Cut, kept: tuple[int, ...], progress: Progress) -> dict[str, Table]:
    """Return corner classes with U-D edges: the data of the states near the end."""
    corner_classes, corner_moves, selves = classes.corner_classes(kept)
    turns = _turns_in_g2(cut.costs())
    distances = distances_within(
        (
            np.ascontiguousarray(class_turns(corner_moves)[:, turns]),
            np.ascontiguousarray(value_turns(turn_arrays()["edge_moves"])[:, turns]),
            turn_arrays()["edge_conjugates"],
            selves,
        ),
        cut.costs()[turns],
        cut.pairs,
        progress,
        back_above=0.12,
    )
    return {"corner_classes": corner_classes, **pair_hash(cut.name, distances, cut.pairs)}
