"""Premoves: turns before the search of the inverse cube, and so at the end of the solution."""

import numpy as np

from solver.coordinates import E_EDGES
from solver.cubies import Cubies, move_cubies, symmetries
from solver.kernels import packed
from solver.search.tables.axial_turns import AXIAL_TURNS, NEVER, Table

_MOST, _MOST_BY_COST = 3, 4
SIDE_TURNS = (3, 6, 12, 15)


def premove_pieces(rows: Table) -> Table:
    """Return the effect of premoves on the pieces, uint64 (n,): `packed.pack_premove_pieces`."""
    twists, edges, flips = rows[:, 8:16], rows[:, 16:28], rows[:, 28:]
    corners = packed.pack_corners(rows[:, :8].T.astype(np.uint64))
    once, twice, flipped, slices = (
        (held << np.arange(held.shape[1])).sum(axis=1).astype(np.uint64)
        for held in (twists == 1, twists == 2, flips == 1, edges >= E_EDGES[0])
    )
    return np.asarray(packed.pack_premove_pieces(once, twice, flipped, slices, corners))


def premoves(costs: Table, most_cost: int | None = None) -> tuple[Table, Table, Table]:
    """Return premoves of axial turns, the first of which leaves G2.

    Args:
        costs: Cost of each of the 45 turns.
        most_cost: Maximum cost of a sequence of up to four turns, which are then counted by their
            cost. None: up to three turns of any cost, counted by their number.

    Returns:
        The resulting cubes, uint8 (n, 40); the packed sequences, uint32 (n,), those that count
        alike by their cost; and the number of those of at most 0, 1, … turns, or of that cost.
    """
    rows, words = symmetries()[0].row()[None], np.zeros(1, dtype=np.int64)
    level_rows, level_words = rows, words
    for length in range(_MOST if most_cost is None else _MOST_BY_COST):
        level_costs, _ = packed.unpack_premove(level_words)
        new_rows, new_words = [], []
        for number, (axis, a, b) in enumerate(AXIAL_TURNS):
            if costs[number] == NEVER:
                continue
            if length == 0:
                fits = np.array([packed.enters_g2(number)])
            else:
                fits = packed.premove_turn(level_words, length - 1) // 15 != axis
            if most_cost is not None:
                fits = fits & (level_costs + costs[number] <= most_cost)
            turned = Cubies.of_rows(level_rows[fits])
            for face, turns in ((axis, a), (axis + 3, b)):
                if turns:
                    turned = turned * move_cubies()[3 * face + turns - 1]
            new_rows.append(turned.row())
            longer = level_words[fits] + packed.pack_premove(int(costs[number]), 1)
            new_words.append(longer | packed.pack_premove_turn(number, length))
        level_rows, level_words = np.concatenate(new_rows), np.concatenate(new_words)
        rows, words = np.concatenate([rows, level_rows]), np.concatenate([words, level_words])
    cost, length = packed.unpack_premove(words)
    counted = length if most_cost is None else cost
    order = np.lexsort((cost, counted))
    return rows[order], words[order].astype(np.uint32), np.cumsum(np.bincount(counted))
