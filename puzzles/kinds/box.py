"""Boxes of n × m × k cubes, any layer of which turns: 2×2×2, 4×4×4, the Domino (S3.13, S5).

A layer whose outline is not a square turns by 180 degrees only. Layers are named by the face from
which they are seen, `R` for the outermost on the right, `2R` for the next one, up to the far side,
where the opposite face's name is used: a cube of side 3 has `R`, `2R` and `L`.

The 2×2×2 cube is a box, too: one whose layers R, U and F turn. It can also be read in S4's letters.
"""

from functools import cached_property
from itertools import product
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from cube.drawing import Drawing, Shape, colour_of, square
from cube.moves import FACES
from cube.written.face_orders import S4_COLOURS, S4_ORDER
from puzzles.kinds.orbits import orbit
from puzzles.kinds.painted import Painted
from puzzles.kinds.pieces import Arrangement, Pieces, Place
from puzzles.kinds.puzzle import PuzzleTurn, Stickers

_KINDS = ("corners", "edges", "centres")

ENDS = (("R", "L"), ("U", "D"), ("F", "B"))
"""The faces at the high and at the low end of each axis: of x, y and z."""
_FACES = "URFDLB"
_SUFFIXES = {1: "", 2: "2", 3: "'"}


SLICES = {"M": ("2R", -1), "E": ("2U", -1), "S": ("2F", 1)}
"""The middle layers of the cube: their names here, and whether they turn in the same direction
(S5).
"""


class Box(Painted):
    """A box of n × m × k small cubes (right, up, front), its state the colours of its stickers.

    Args:
        width: Small cubes from left to right.
        height: Small cubes from bottom to top.
        depth: Small cubes from back to front.
        fixed: The layers at the far side of each axis (L, D, B) do not turn, so the small cube in
            their corner never moves: for a cube without centres, this leaves out states that differ
            only by a rotation of the whole cube.
    """

    def __init__(self, width: int, height: int, depth: int, *, fixed: bool = False) -> None:
        if min(width, height, depth) < 1:
            raise ValueError(
                f"a box needs at least one small cube per side, not {width}×{height}×{depth}"
            )
        self._sides = (width, height, depth)
        self._fixed = fixed
        solved = [face for face, _ in self.stickers]
        super().__init__(f"{width}×{height}×{depth}", (), self._moves(), solved)

    @property
    def sides(self) -> tuple[int, int, int]:
        """Small cubes from left to right, from bottom to top, from back to front."""
        return self._sides

    @cached_property
    def stickers(self) -> list[tuple[str, tuple[int, int, int]]]:
        """Return face and small cube of each sticker, in the order URFDLB, each face row by row."""
        width, height, depth = self._sides
        x, y, z = range(width), range(height), range(depth)
        back = [tuple(reversed(side)) for side in (x, y, z)]
        rows = {
            "U": [(i, height - 1, k) for k in z for i in x],
            "R": [(width - 1, j, k) for j in back[1] for k in back[2]],
            "F": [(i, j, depth - 1) for j in back[1] for i in x],
            "D": [(i, 0, k) for k in back[2] for i in x],
            "L": [(0, j, k) for j in back[1] for k in z],
            "B": [(i, j, 0) for j in back[1] for i in back[0]],
        }
        return [(face, place) for face in _FACES for place in rows[face]]

    @cached_property
    def solved_states(self) -> tuple[Stickers, ...]:
        """Return the solved box in every orientation that turns can produce."""
        if self._fixed:
            return (self.solved,)
        wholes = []
        for axis in range(3):
            across = [side for other, side in enumerate(self._sides) if other != axis]
            quarters = 1 if across[0] == across[1] else 2
            whole = np.arange(len(self.stickers))
            for layer in range(self._sides[axis]):
                whole = whole[self._permutation(axis, layer, quarters)]
            wholes.append(itemgetter(*whole.tolist()))
        return tuple(orbit(self.solved, wholes))

    def _moves(self) -> dict[str, tuple[PuzzleTurn, Arrangement]]:
        found: dict[str, tuple[PuzzleTurn, Arrangement]] = {}
        for axis, layer in product(range(3), range(max(self._sides))):
            if layer >= self._sides[axis] or (self._fixed and layer == 0):
                continue
            across = [side for other, side in enumerate(self._sides) if other != axis]
            name, clockwise = self._layer_name(axis, layer)
            for quarters in (1, 2, 3) if across[0] == across[1] else (2,):
                positive = quarters if clockwise else -quarters % 4
                permutation = self._permutation(axis, layer, positive)
                turn = PuzzleTurn(
                    name + _SUFFIXES[quarters], name, axis, name + _SUFFIXES[-quarters % 4]
                )
                found[turn.name] = (turn, permutation)
        return found

    def _layer_name(self, axis: int, layer: int) -> tuple[str, bool]:
        """Return the layer's name, and whether its clockwise turn is seen from the axis' head."""
        last = self._sides[axis] - 1
        high, low = ENDS[axis]
        if layer == 0 and last > 0:
            return low, False
        depth = last - layer + 1
        return (high if depth == 1 else f"{depth}{high}"), True

    def _permutation(self, axis: int, layer: int, quarters: int) -> NDArray[np.int64]:
        """Return the origin of each sticker when a layer turns, seen from the axis' head."""
        numbers = {place: number for number, place in enumerate(self.stickers)}
        sources = np.arange(len(numbers))
        for (face, cube), number in numbers.items():
            if cube[axis] == layer:
                moved = self._moved(face, cube, axis, quarters)
                sources[numbers[moved]] = number
        return sources

    def _moved(
        self, face: str, cube: tuple[int, int, int], axis: int, quarters: int
    ) -> tuple[str, tuple[int, int, int]]:
        """Return a sticker's face and small cube after clockwise quarter turns about an axis."""
        one, two = (axis + 1) % 3, (axis + 2) % 3
        ends = [ENDS[two][0], ENDS[one][0], ENDS[two][1], ENDS[one][1]]
        if face in ends:
            face = ends[(ends.index(face) + quarters) % 4]
        place, sides = list(cube), list(self._sides)
        for _ in range(quarters):
            place[one], place[two] = place[two], sides[one] - 1 - place[one]
            sides[one], sides[two] = sides[two], sides[one]
        return face, (place[0], place[1], place[2])

    def is_solved(self, state: Stickers) -> bool:
        """Return whether each face has one colour, in any orientation."""
        at = 0
        for face in _FACES:
            count = sum(own == face for own, _ in self.stickers)
            if len(set(state[at : at + count])) != 1:
                return False
            at += count
        return True

    @cached_property
    def pieces(self) -> Pieces:
        """Return its small cubes and the turns of its layers.

        A small cube on the axis between two middle layers belongs to the frame: a re-assembly does
        not take it out.
        """
        members: dict[tuple[int, int, int], list[int]] = {}
        for number, (_, cube) in enumerate(self.stickers):
            members.setdefault(cube, []).append(number)
        places = []
        for cube, slots in sorted(members.items(), key=lambda item: -len(item[1])):
            name = "".join(self.stickers[slot][0] for slot in slots)
            central = sum(2 * i == side - 1 for i, side in zip(cube, self._sides, strict=True))
            kind = _KINDS[min(2, self._inner(cube))]
            places.append(Place(name, kind, tuple(slots), frame=central >= 2))
        turns = {name: arrangement for name, (_, arrangement) in self._made.items()}
        holds = len(self.solved_states)
        return Pieces(places, turns, self.solved, holds=holds)

    def _inner(self, cube: tuple[int, int, int]) -> int:
        """Return along how many axes with two ends a small cube is at neither end."""
        places = zip(cube, self._sides, strict=True)
        return sum(0 < i < side - 1 for i, side in places if side > 1)

    def parse(self, text: str) -> Stickers:
        """Read the stickers in one line.

        Raises:
            SolverError: They are not a state of this box.
        """
        shown = tuple("".join(text.split()).upper())
        return self.pieces.looks(self.pieces.arranged(shown))

    def drawn(self, state: Stickers) -> Drawing:
        """Return the net as shapes."""
        width, height, depth = self._sides
        lefts = {"L": 0, "F": depth, "R": depth + width, "B": 2 * depth + width}
        shapes: dict[int, Shape] = {}
        at = dict.fromkeys(_FACES, 0)
        for slot, ((face, _), colour) in enumerate(zip(self.stickers, state, strict=True)):
            row, column = divmod(at[face], width if face in "UDFB" else depth)
            at[face] += 1
            x = lefts.get(face, depth) + column
            y = row + {"U": 0, "D": depth + height}.get(face, depth)
            shapes[slot] = square(x, y, colour_of(colour, _FACES))
        return Drawing(shapes, 30)

    def text(self, state: Stickers) -> str:
        """Return the net: U above, L F R B in a row, D below."""
        width, height, depth = self._sides
        sizes = {"U": width, "D": width, "F": width, "B": width, "R": depth, "L": depth}
        rows: dict[str, list[str]] = {}
        at = 0
        for face in _FACES:
            count = depth if face in "UD" else height
            rows[face] = []
            for _ in range(count):
                rows[face].append(" ".join(state[at : at + sizes[face]]))
                at += sizes[face]
        margin = " " * (2 * depth)
        middle = [" ".join(parts) for parts in zip(*(rows[f] for f in "LFRB"), strict=True)]
        return "\n".join([margin + r for r in rows["U"]] + middle + [margin + r for r in rows["D"]])


_CELLS = 24


class PocketCube(Box):
    """The 2×2×2 cube with the fixed corner down-back-left (S4)."""

    def __init__(self) -> None:
        super().__init__(2, 2, 2, fixed=True)

    def parse(self, text: str) -> Stickers:
        """Read S4's 24 letters, or 24 letters of faces in the order URFDLB.

        Raises:
            SolverError: They are not a cube of this size in this orientation.
        """
        letters = "".join(text.split())
        faces = {colour: face for face, colour in S4_COLOURS.items()}
        if len(letters) == _CELLS and set(letters) <= set(faces):
            rows = {face: letters[4 * i : 4 * i + 4] for i, face in enumerate(S4_ORDER)}
            letters = "".join(faces[letter] for face in FACES for letter in rows[face])
        return super().parse(letters)
