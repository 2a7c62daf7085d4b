"""Tables of the search in a metric of axial turns; what HTM's tables hold, too, is not repeated."""

from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.cubies import move_cubies, symmetries, symmetry_inverses
from solver.search import symmetry_coordinates as classes
from solver.search.axial_turns import (
    AXIAL,
    AXIAL_QTM,
    AXIAL_TURNS,
    FIVE_FACES,
    IN_G2,
    NEVER,
    QTM,
    Metric,
    class_turns,
    conjugate_turns,
    value_turns,
)
from solver.search.turn_tables import turn_arrays
from solver.search.two_phase_tables import (
    DEAD_FACE,
    distances_within,
    filter_of,
    pair_hash,
    require_room,
)
from solver.tables import Arrays, Progress, TableSet

MOST_PREMOVES = 3
_UNREACHED = 255

Table = NDArray[Any]


def _cheapest(moves: Table, costs: Table) -> Table:
    """Distances from state 0 for one coordinate with its move table (states, turns)."""
    distances = np.full(len(moves), _UNREACHED, dtype=np.uint8)
    distances[0] = 0
    goal, idle = 0, 0
    while idle <= costs.max():
        goal += 1
        idle += 1
        for cost in np.unique(costs):
            here = np.flatnonzero(distances == goal - cost) if goal >= cost else np.zeros(0, int)
            there = np.unique(moves[here][:, costs == cost])
            there = there[distances[there] == _UNREACHED]
            distances[there] = goal
            idle = 0 if len(there) else idle
    return distances


def _corner_tables(metric: Metric) -> tuple[Table, Table]:
    """Distances in G2 of corners * 24 + slice order, and lower bounds that allow for variants.

    The bounds, uint8 (3, 3, 40320), are for the corners alone, less what half turns of the R and
    F axes (0: none, 1: R, 2: F) before them and after them could save at no cost.
    """
    turns = _turns_in_g2(metric)
    costs = metric.costs()[turns]
    corners = value_turns(coordinates.corner_permutation_moves().astype(np.int32))[:, turns]
    slices = value_turns(turn_arrays()["slice_moves"])[:24, turns].astype(np.int32)
    alone = _cheapest(corners, costs)
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
    return _cheapest(both, costs), bounds


def _turns_in_g2(metric: Metric) -> list[int]:
    """The turns of phase two."""
    costs = metric.costs()
    return [turn for turn in IN_G2 if costs[turn] < NEVER]


def _half_turns(axis: int) -> tuple[tuple[int, ...], ...]:
    """Half turns of no, the first, the second or both faces of an axis (0: of none)."""
    if axis == 0:
        return ((),)
    one, two = 3 * axis + 1, 3 * (axis + 3) + 1
    return ((), (one,), (two,), (one, two))


def _premoves(costs: Table) -> tuple[Table, Table, Table]:
    """Premoves of up to three axial turns, the first of which leaves G2.

    Returns:
        The cubes they make, uint8 (n, 40); ``cost | length << 5 | turns << 8`` (six bits a turn),
        uint32 (n,); and how many there are of at most 0, 1, … turns.
    """
    single = [cubies.row() for cubies in move_cubies()]
    rows, words, counts = symmetries()[0].row()[None], np.zeros(1, dtype=np.int64), [1]
    level_rows, level_words = rows, words
    for length in range(MOST_PREMOVES):
        new_rows, new_words = [], []
        for number, (axis, a, b) in enumerate(AXIAL_TURNS):
            if costs[number] == NEVER:
                continue
            if length == 0:
                fits = np.array([axis > 0 and a < 2 and b < 2])
            else:
                fits = (level_words >> 8 + 6 * (length - 1) & 63) // 15 != axis
            turned = level_rows[fits]
            for face, turns in ((axis, a), (axis + 3, b)):
                if turns:
                    turned = _turned(turned, single[3 * face + turns - 1])
            new_rows.append(turned)
            longer = level_words[fits] + int(costs[number]) + (1 << 5)
            new_words.append(longer | number << 8 + 6 * length)
        level_rows, level_words = np.concatenate(new_rows), np.concatenate(new_words)
        rows, words = np.concatenate([rows, level_rows]), np.concatenate([words, level_words])
        counts.append(len(words))
    return rows, words.astype(np.uint32), np.array(counts)


def _turned(rows: Table, move: Table) -> Table:
    corners, edges = move[:8], move[16:28]
    return np.concatenate(
        [
            rows[:, :8][:, corners],
            (rows[:, 8:16][:, corners] + move[8:16]) % 3,
            rows[:, 16:28][:, edges],
            rows[:, 28:][:, edges] ^ move[28:],
        ],
        axis=1,
    ).astype(np.uint8)


def _build(metric: Metric, progress: Progress) -> Arrays:
    from solver.kernels import axial_near, fill, near

    costs = metric.costs()
    inverses = symmetry_inverses()[:16]
    frame_turns = np.array([conjugate_turns(s) for s in range(16)], dtype=np.uint8)
    corner_slices, bounds = _corner_tables(metric)
    rows, words, counts = _premoves(costs)
    kept = classes.symmetries_that_keep(DEAD_FACE if metric.five else "")
    flip_slices, moves, selves = classes.flip_slice_classes(kept)
    class_moves, twist_moves = class_turns(moves), value_turns(coordinates.twist_moves())
    twist_moves = twist_moves.astype(np.uint16)
    conjugates = turn_arrays()["twist_conjugates"]
    distances = distances_within(
        (class_moves, twist_moves, conjugates, selves),
        costs,
        metric.grades + 2,
        lambda share: progress(0.1 + 0.6 * share),
        back_above=0.12,
    )
    states = np.flatnonzero(distances <= metric.near)
    require_room(metric.name, len(states), axial_near.HASH_BITS)
    keys = np.zeros(1 << axial_near.HASH_BITS, dtype=np.uint32)
    values = np.zeros(1 << axial_near.HASH_BITS, dtype=np.uint32)
    endings = np.zeros(16 * len(states), dtype=np.uint64)
    count = axial_near.fill_near(
        distances,
        states,
        class_moves,
        twist_moves,
        conjugates,
        turn_arrays()["symmetry_products"],
        frame_turns,
        costs,
        keys,
        values,
        endings,
    )
    filters = [
        filter_of(np.flatnonzero(distances <= radius), near.FILTER_BITS)
        for radius in range(metric.near + 1, metric.grades)
    ]
    nearest = filter_of(states, near.SMALL_FILTER_BITS)
    row = -(-coordinates.TWISTS // 4)
    phase_one = np.zeros(len(class_moves) * row, dtype=np.uint8)
    fill.pack_phase_one(distances, coordinates.TWISTS, phase_one, metric.grades)
    del distances
    corner_classes, corner_moves, selves = classes.corner_classes(kept)
    turns = _turns_in_g2(metric)
    distances = distances_within(
        (
            np.ascontiguousarray(class_turns(corner_moves)[:, turns]),
            np.ascontiguousarray(value_turns(turn_arrays()["edge_moves"])[:, turns]),
            turn_arrays()["edge_conjugates"],
            selves,
        ),
        costs[turns],
        metric.pairs,
        lambda share: progress(0.7 + 0.3 * share),
        back_above=0.12,
    )
    own = {"flip_slices": flip_slices, "class_moves": moves} if metric.five else {}
    return {
        **own,
        "corner_classes": corner_classes,
        "phase_one": phase_one,
        "near_filters": np.stack(filters),
        "nearest_filter": nearest,
        "near_keys": keys,
        "near_values": values,
        "endings": endings[:count].copy(),
        "axial_frame_turns": frame_turns,
        "axial_raw_turns": frame_turns[inverses],
        "costs": costs.astype(np.uint8),
        "corner_slice_distances": corner_slices,
        "corner_bounds": bounds,
        **pair_hash(metric.name, distances, metric.pairs),
        "premove_rows": rows,
        "premoves": words,
        "premove_counts": counts,
    }


METRICS = {metric.name: metric for metric in (AXIAL, AXIAL_QTM, QTM, *FIVE_FACES)}
AXIAL_TABLE_SETS = {
    name: TableSet(name, 7, partial(_build, metric)) for name, metric in METRICS.items()
}
