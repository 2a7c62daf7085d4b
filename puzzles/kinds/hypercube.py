"""The 3×3×3×3 hypercube: eight cells, each a cube that can be rotated (S3.14).

A cell is named by a letter: R L along the first axis, U D along the second, F B along the third, A
K (ana, kata) along the fourth. A turn is named by its cell and by the part of the cell at its axis,
clockwise seen from there: ``AR`` a quarter about the centre of the side R, ``ARU`` a half turn
about an edge, ``ARUF`` a third about a corner.
"""

from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from cube.drawing import Drawing, Shape, colour_of, square
from puzzles.kinds.painted import Painted
from puzzles.kinds.pieces import Arrangement, Place
from puzzles.kinds.puzzle import PuzzleTurn, Stickers

CELLS = "RUFALDBK"
"""The cells; those four places apart are opposite."""
_KINDS = {2: "faces", 3: "edges", 4: "corners"}
_ORDERS = {1: 4, 2: 2, 3: 3}

Cubie = tuple[int, ...]
Slot = tuple[Cubie, int]
Matrix = NDArray[np.int64]


class Hypercube(Painted):
    """The 3×3×3×3: its state is the letters of 216 stickers, 27 per cell, in the order RUFALDBK."""

    def __init__(self) -> None:
        self.stickers: list[Slot] = [
            (cubie, axis)
            for cell in range(8)
            for cubie in product((1, 0, -1), repeat=4)
            for axis in [cell % 4]
            if cubie[axis] == (1 if cell < 4 else -1)
        ]
        numbers = {slot: number for number, slot in enumerate(self.stickers)}
        members: dict[Cubie, list[int]] = {}
        for number, (cubie, _) in enumerate(self.stickers):
            members.setdefault(cubie, []).append(number)
        places = [
            Place(_named(cubie), _KINDS[len(slots)], tuple(slots))
            for cubie, slots in sorted(members.items(), key=lambda item: -len(item[1]))
            if len(slots) > 1
        ]
        made = {}
        for cell in range(8):
            for turn, matrix in _turns(cell):
                made[turn.name] = (turn, self._arranged(cell, matrix, numbers))
        colours = [_named_axis(axis, cubie[axis]) for cubie, axis in self.stickers]
        super().__init__("3×3×3×3", places, made, colours)

    def _arranged(self, cell: int, matrix: Matrix, numbers: dict[Slot, int]) -> Arrangement:
        side = 1 if cell < 4 else -1
        found = np.arange(len(numbers))
        for number, (cubie, axis) in enumerate(self.stickers):
            if cubie[cell % 4] == side:
                there = tuple((matrix @ cubie).tolist())
                towards = int(np.flatnonzero(matrix[:, axis])[0])
                found[numbers[there, towards]] = number
        return found

    def text(self, state: Stickers) -> str:
        """Return each cell in a row: three layers of three by three."""
        rows = []
        for number, cell in enumerate(CELLS):
            shown = state[27 * number : 27 * number + 27]
            for row in range(3):
                head = f"{cell}  " if row == 0 else "   "
                layers = (shown[9 * k + 3 * row : 9 * k + 3 * row + 3] for k in range(3))
                rows.append(head + "   ".join(" ".join(layer) for layer in layers))
        return "\n".join(rows)

    def drawn(self, state: Stickers) -> Drawing:
        """Return the cells as shapes."""
        shapes: dict[int, Shape] = {}
        for i, colour in enumerate(state):
            cell, layer, row, column = i // 27, i // 9 % 3, i // 3 % 3, i % 3
            x, y = 3.5 * layer + column + 12 * (cell % 2), 3.5 * (cell // 2) + row
            shapes[i] = square(x, y, colour_of(colour, CELLS), colour)
        return Drawing(shapes, 20)


def _named_axis(axis: int, side: int) -> str:
    return CELLS[axis if side > 0 else axis + 4]


def _named(cubie: Cubie) -> str:
    return "".join(_named_axis(axis, side) for axis, side in enumerate(cubie) if side)


def _turns(cell: int) -> list[tuple[PuzzleTurn, Matrix]]:
    """Return the 23 turns of a cell."""
    own = [axis for axis in range(4) if axis != cell % 4]
    found = []
    for count, order in _ORDERS.items():
        for axes in combinations(own, count):
            for sides in product((1, -1), repeat=count):
                grip = np.zeros(4, dtype=np.int64)
                grip[list(axes)] = sides
                # opposite axes give the same turns: the one with a positive first side is named
                if sides[0] < 0:
                    continue
                name = CELLS[cell] + _named(tuple(grip.tolist()))
                step = _about(grip[own], order, own)
                power = step
                for n in range(1, order):
                    suffix = "" if n == 1 else "'" if n == order - 1 else "2"
                    back = "" if n == order - 1 else "'" if n == 1 else "2"
                    turn = PuzzleTurn(name + suffix, CELLS[cell], cell % 4, name + back)
                    found.append((turn, power))
                    power = step @ power
    return found


def _about(grip: NDArray[np.int64], order: int, own: list[int]) -> Matrix:
    """Return the turn about a direction of a cell's space by one step clockwise."""
    x, y, z = grip / np.linalg.norm(grip)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = -2 * np.pi / order
    small = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    matrix = np.eye(4, dtype=np.int64)
    matrix[np.ix_(own, own)] = np.rint(small)
    return matrix
