"""Premoves: turns made before the inverse cube is searched, that is, at the end of the solution."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.coordinates import E_EDGES
from solver.cubies import MOVES, move_cubies, symmetries
from solver.kernels import packed
from solver.search.tables.axial_turns import AXIAL_TURNS, NEVER

SIDE_TURNS = (3, 6, 12, 15)
_MOST, _MOST_AXIAL = 4, 3

Table = NDArray[Any]


def premoves(allowed: NDArray[np.uint32]) -> tuple[Table, Table, tuple[int, ...]]:
    """Premove sequences up to four turns that start with a clockwise turn of a side.

    Returns:
        The cubes they make, uint8 (n, 40); the sequences packed, uint32 (n,); and how many there
        are of at most 0, 1, … turns.
    """
    level: list[tuple[tuple[int, ...], Table]] = [((), symmetries()[0].row()[None])]
    found, counts = list(level), [1]
    moves = [cubies.row() for cubies in move_cubies()]
    for _ in range(_MOST):
        following = []
        for turns, row in level:
            for turn in SIDE_TURNS if not turns else range(MOVES):
                if not _may_follow(turns, turn, allowed):
                    continue
                following.append(((*turns, turn), _turned(row, moves[turn])))
        level = following
        found += level
        counts.append(len(found))
    words = [
        packed.pack_premove(len(turns), SIDE_TURNS.index(turns[0]) if turns else 0)
        | sum(packed.pack_premove_turn(turn, place) for place, turn in enumerate(turns))
        for turns, _ in found
    ]
    rows = np.concatenate([row for _, row in found])
    return rows, np.array(words, dtype=np.uint32), tuple(counts)


def premove_pieces(rows: Table) -> Table:
    """What premoves do to the pieces, uint64 (n,): `packed.pack_premove_pieces` of their cubes."""
    twists, edges, flips = rows[:, 8:16], rows[:, 16:28], rows[:, 28:]
    corners = packed.pack_corners(rows[:, :8].T.astype(np.uint64))
    once, twice, flipped, slices = (
        (held << np.arange(held.shape[1])).sum(axis=1).astype(np.uint64)
        for held in (twists == 1, twists == 2, flips == 1, edges >= E_EDGES[0])
    )
    return np.asarray(packed.pack_premove_pieces(once, twice, flipped, slices, corners))


def _may_follow(turns: tuple[int, ...], turn: int, allowed: NDArray[np.uint32]) -> bool:
    """Whether a turn may come next.

    A half turn opposite to the first premove could as well be made before it, in phase two.
    """
    if not turns:
        return bool(allowed[MOVES] >> turn & 1)
    if len(turns) == 1 and turn % 3 == 1 and turn // 3 % 3 == turns[0] // 3 % 3:
        return False
    return bool(allowed[turns[-1]] >> turn & 1)


def axial_premoves(costs: Table, most_cost: int | None = None) -> tuple[Table, Table, Table]:
    """Premoves of axial turns, the first of which leaves G2.

    Args:
        costs: What each of the 45 turns costs.
        most_cost: What a sequence of up to four turns may cost; they are counted by their cost
            then. None: up to three turns, whatever they cost, counted by their number.

    Returns:
        The cubes they make, uint8 (n, 40); the sequences packed, uint32 (n,), those that count
        alike by their cost; and how many there are of at most 0, 1, … turns, or of that cost.
    """
    single = [cubies.row() for cubies in move_cubies()]
    rows, words = symmetries()[0].row()[None], np.zeros(1, dtype=np.int64)
    level_rows, level_words = rows, words
    for length in range(_MOST_AXIAL if most_cost is None else _MOST):
        level_costs, _ = packed.unpack_axial_premove(level_words)
        new_rows, new_words = [], []
        for number, (axis, a, b) in enumerate(AXIAL_TURNS):
            if costs[number] == NEVER:
                continue
            if length == 0:
                fits = np.array([packed.enters_g2(number)])
            else:
                fits = packed.axial_premove_turn(level_words, length - 1) // 15 != axis
            if most_cost is not None:
                fits = fits & (level_costs + costs[number] <= most_cost)
            turned = level_rows[fits]
            for face, turns in ((axis, a), (axis + 3, b)):
                if turns:
                    turned = _turned(turned, single[3 * face + turns - 1])
            new_rows.append(turned)
            longer = level_words[fits] + packed.pack_axial_premove(int(costs[number]), 1)
            new_words.append(longer | packed.pack_axial_premove_turn(number, length))
        level_rows, level_words = np.concatenate(new_rows), np.concatenate(new_words)
        rows, words = np.concatenate([rows, level_rows]), np.concatenate([words, level_words])
    cost, length = packed.unpack_axial_premove(words)
    counted = length if most_cost is None else cost
    order = np.lexsort((cost, counted))
    return rows[order], words[order].astype(np.uint32), np.cumsum(np.bincount(counted))


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
