"""Axial turns: opposite faces turned together count as one turn, of which there are 45.

Turn ``15 * axis + 4 * a + b - 1`` makes a quarter turns of U, R or F and b of the opposite face.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.cubies import conjugate_moves, symmetry_products

AXIAL_TURNS = tuple((axis, a, b) for axis in range(3) for a in range(4) for b in range(4) if a or b)
IN_G2 = tuple(
    number
    for number, (axis, a, b) in enumerate(AXIAL_TURNS)
    if axis == 0 or (a % 2 == 0 and b % 2 == 0)
)

NEVER = 99
"""Cost of a turn that is not made."""

Table = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Metric:
    """What quarter and half turns cost, and how the search's tables are cut for it.

    Attributes:
        name: Of the table set.
        quarter: Cost of a quarter turn.
        half: Cost of a half turn.
        together: Whether two opposite faces cost what the longer turn costs, or both.
        near: Distance up to which phase-one states are kept with their endings.
        grades: Lowest of the four grades of phase one.
        pairs: Distance up to which phase-two states are kept.
        first_bound: No answer has to cost as much.
        first_cap: Cost of phase two up to which it is searched at all.
        five: Whether the face B does not turn.
    """

    name: str
    quarter: int
    half: int
    near: int
    grades: int
    pairs: int
    first_bound: int
    first_cap: int
    together: bool = True
    five: bool = False

    def costs(self) -> NDArray[np.int64]:
        """The cost of each axial turn, shape (45,)."""
        price = (0, self.quarter, self.half, self.quarter)
        join = max if self.together else sum
        costs = [join((price[a], price[b])) for _, a, b in AXIAL_TURNS]
        if self.five:
            dead = [axis == 2 and b > 0 for axis, _, b in AXIAL_TURNS]
            return np.where(dead, NEVER, costs)
        return np.array(costs)


AXIAL = Metric("axial", 1, 1, near=5, grades=7, pairs=8, first_bound=20, first_cap=9)
AXIAL_QTM = Metric("axial-qtm", 1, 2, near=6, grades=8, pairs=13, first_bound=28, first_cap=15)
QTM = Metric("qtm", 1, 2, 7, 9, 13, first_bound=32, first_cap=15, together=False)

FIVE_FACES = (
    replace(QTM, name="qtm-five", first_bound=46, first_cap=26, five=True),
    replace(AXIAL, name="axial-five", first_bound=28, first_cap=14, five=True),
    replace(AXIAL_QTM, name="axial-qtm-five", first_bound=40, first_cap=24, five=True),
)


def class_turns(moves: Table) -> Table:
    """The move table of classes (n, 18) for the 45 axial turns, in the same packed form."""
    products = symmetry_products()[:16, :16]
    frame_turns = conjugate_moves()[:16]
    columns = []
    for axis, a, b in AXIAL_TURNS:
        entry = np.arange(len(moves), dtype=np.int64) << 4
        if a:
            entry = moves[:, 3 * axis + a - 1].astype(np.int64)
        if b:
            turn = frame_turns[entry & 15, 3 * (axis + 3) + b - 1]
            second = moves[entry >> 4, turn].astype(np.int64)
            entry = second >> 4 << 4 | products[second & 15, entry & 15]
        columns.append(entry)
    return np.stack(columns, axis=1).astype(np.uint32)


def value_turns(moves: Table) -> Table:
    """The move table of any other coordinate (n, 18) for the 45 axial turns."""
    columns = []
    for axis, a, b in AXIAL_TURNS:
        value = np.arange(len(moves))
        if a:
            value = moves[value, 3 * axis + a - 1]
        if b:
            value = moves[value, 3 * (axis + 3) + b - 1]
        columns.append(value)
    return np.stack(columns, axis=1).astype(moves.dtype)


def conjugate_turns(symmetry: int) -> list[int]:
    """What each axial turn is in the frame of a symmetry."""
    number = {turn: index for index, turn in enumerate(AXIAL_TURNS)}
    seen = []
    for axis, a, b in AXIAL_TURNS:
        quarters = {}
        for face, turns in ((axis, a), (axis + 3, b)):
            moved = int(conjugate_moves()[symmetry, 3 * face])
            quarters[moved // 3] = turns if moved % 3 == 0 else -turns % 4
        into = min(quarters) % 3
        seen.append(number[into, quarters[into], quarters[into + 3]])
    return seen
