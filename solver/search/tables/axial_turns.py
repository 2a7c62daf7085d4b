"""Axial turns: opposite faces turned together count as one turn, of which there are 45.

Turn ``15 * axis + 4 * a + b - 1`` makes a quarter turns of U, R or F and b of the opposite face.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cubies import conjugate_moves, symmetry_products
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
