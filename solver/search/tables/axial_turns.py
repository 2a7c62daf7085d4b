"""Axial turns: opposite faces turned together count as one turn, of which there are 45.

Turn ``15 * axis + 4 * a + b - 1`` makes a quarter turns of U, R or F and b of the opposite face.

This module also contains premoves: turns before the search of the inverse cube, and so at the end
of the solution.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.coordinates import E_EDGES
from solver.cubies import Cubies, conjugate_moves, move_cubies, symmetries, symmetry_products
from solver.kernels import packed
from solver.kernels.slots import SPY

AXIAL_TURNS = tuple((axis, a, b) for axis in range(3) for a in range(4) for b in range(4) if a or b)
IN_G2 = tuple(
    number
    for number, (axis, a, b) in enumerate(AXIAL_TURNS)
    if axis == 0 or (a % 2 == 0 and b % 2 == 0)
)

NEVER = 99
"""Cost of a turn that is never made."""

Table = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Prices:
    """The costs of quarter and half turns.

    Attributes:
        quarter: Cost of a quarter turn.
        half: Cost of a half turn.
        together: Whether two opposite faces cost as much as the dearer turn, or as much as both.
    """

    quarter: int
    half: int
    together: bool = True

    def costs(self, *, five: bool = False) -> NDArray[np.int64]:
        """Return the cost of each axial turn, shape (45,); with five faces, B never turns."""
        price = (0, self.quarter, self.half, self.quarter)
        join = max if self.together else sum
        costs = [
            NEVER if five and axis == 2 and b > 0 else join((price[a], price[b]))
            for axis, a, b in AXIAL_TURNS
        ]
        return np.array(costs)


def class_turns(moves: Table) -> Table:
    """Return the move table of classes (n, 18) for the 45 axial turns, in the same packed form."""
    products = symmetry_products()[:16, :16]
    frame_turns = conjugate_moves()[:16]
    found = np.empty((len(moves), len(AXIAL_TURNS)), dtype=np.uint32)
    for number, (axis, a, b) in enumerate(AXIAL_TURNS):
        entry = np.arange(len(moves), dtype=np.int64) << 4
        if a:
            entry = moves[:, 3 * axis + a - 1].astype(np.int64)
        if b:
            turn = frame_turns[entry & 15, 3 * (axis + 3) + b - 1]
            second = moves[entry >> 4, turn].astype(np.int64)
            entry = second >> 4 << 4 | products[second & 15, entry & 15]
        found[:, number] = entry
    return found


def value_turns(moves: Table) -> Table:
    """Return the move table of any other coordinate (n, 18) for the 45 axial turns."""
    columns = []
    for axis, a, b in AXIAL_TURNS:
        value = np.arange(len(moves))
        if a:
            value = moves[value, 3 * axis + a - 1]
        if b:
            value = moves[value, 3 * (axis + 3) + b - 1]
        columns.append(value)
    return np.stack(columns, axis=1).astype(moves.dtype)


def far_turns(costs: Table) -> int:
    """Return the turns of an axis, as bits, that may help if `slots.SPY` is too dear by one.

    The state after that turn and the one after another turn of the axis differ by the quotient of
    the turns: if the first is too far from G2, the second is too far by the same amount minus the
    cost of the quotient.
    """
    spy, price = AXIAL_TURNS[SPY], {turn: int(costs[i]) for i, turn in enumerate(AXIAL_TURNS)}
    may = 0
    for number, (_, a, b) in enumerate(AXIAL_TURNS[:15]):
        between = (0, (a - spy[1]) % 4, (b - spy[2]) % 4)
        may |= int(price.get(between, 0) > price[0, a, b]) << number
    return may


def turns_costing(costs: Table) -> Table:
    """Return the turns of each axis, as bits, by their cost; int64 (dearest + 1, 3)."""
    made = [cost for cost in costs.tolist() if cost != NEVER]
    found = np.zeros((max(made) + 1, 3), dtype=np.int64)
    for turn, cost in enumerate(costs.tolist()):
        if cost != NEVER:
            found[cost, turn // 15] |= 1 << turn % 15
    return found


def longer_turns(costs: Table) -> Table:
    """Return, as bits, the turns of an axis that cost as much as each and the rest; int64 (15,).

    If the state after the one is too far from G2, so is the state after the other.
    """
    price = {turn[1:]: int(costs[number]) for number, turn in enumerate(AXIAL_TURNS[:15])}
    found = np.zeros(15, dtype=np.int64)
    for number, (_, a, b) in enumerate(AXIAL_TURNS[:15]):
        for longer, (_, c, d) in enumerate(AXIAL_TURNS[:15]):
            rest = price.get(((c - a) % 4, (d - b) % 4), 0)
            if rest and price[a, b] + rest == price[c, d]:
                found[number] |= 1 << longer
    return found


def turns_through(seen: Table, *, inverse: bool = False) -> list[int]:
    """Return the axial turns that the 45 become, in the same order.

    Args:
        seen: The turn that each of the 18 single turns becomes.
        inverse: Whether they are made backwards, too.
    """
    number = {turn: index for index, turn in enumerate(AXIAL_TURNS)}
    found = []
    for axis, a, b in AXIAL_TURNS:
        made = [0] * 6
        for face, quarters in ((axis, a), (axis + 3, b)):
            if quarters:
                into, turns = divmod(int(seen[3 * face + quarters - 1]), 3)
                made[into] = 3 - turns if inverse else turns + 1
        into = next(axis for axis in range(3) if made[axis] or made[axis + 3])
        found.append(number[into, made[into], made[into + 3]])
    return found


def turns_themselves(axis_turns: Table) -> Table:
    """Return the axial turns of the original cube for those of a direction, uint8 (6, 45).

    Args:
        axis_turns: Each turn of the cube along the three axes, (3, 18). Along the last three
            directions the inverse cube is searched, and turns are inverted.
    """
    raw = np.argsort(axis_turns[:, :18], axis=1)
    found = [turns_through(seen, inverse=inverse) for inverse in (False, True) for seen in raw]
    return np.array(found, dtype=np.uint8)


SIDE_TURNS = (3, 6, 12, 15)
_MOST, _MOST_BY_COST = 3, 4


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
