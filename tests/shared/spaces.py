"""Puzzles in space, made without the program's permutations; only the names of turns are the same.

A sticker is a point, and a turn rotates those of its layers.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.oriented import Pyraminx
from puzzles.kinds.solids import face_letters, regular_solid

Points = NDArray[np.float64]
_NEAR = 1e-6
_AXES = {"R": (0, 1), "L": (0, -1), "U": (1, 1), "D": (1, -1), "F": (2, 1), "B": (2, -1)}
_CELLS = "RUFALDBK"
_GRIP_ORDERS = {1: 4, 2: 2, 3: 3}
_BOX_TURN = re.compile(r"(\d*)([URFDLB])([sa]?)(2|'|)")
_SOLID_TURN = re.compile(r"([A-Z])(\d*)('?)")
_CELL_TURN = re.compile(r"([RUFALDBK])([RUFALDBK]+)(2|'|)")


def _rotation(axis: Points, angle: float) -> Points:
    """Return the matrix of a rotation in space, anticlockwise seen from the axis' head."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


@dataclass(slots=True)
class Space(ABC):
    """Stickers in space.

    Attributes:
        spots: The present position of each sticker.
        pieces: The present position of its piece's centre, which determines its layers.
        colours: Its colour.
    """

    spots: Points
    pieces: Points
    colours: NDArray[np.int64]

    @abstractmethod
    def turn(self, name: str) -> None:
        """Make a turn by its name."""

    def shows(self, other: "Space") -> bool:
        """Return whether it looks like another one."""
        for spot, colour in zip(other.spots, other.colours, strict=True):
            near = np.flatnonzero(np.abs(self.spots - spot).max(axis=1) < _NEAR)
            if len(near) != 1 or self.colours[near[0]] != colour:
                return False
        return True

    def _rotate(self, inside: NDArray[np.bool_], matrix: Points) -> None:
        self.spots[inside] = self.spots[inside] @ matrix.T
        self.pieces[inside] = self.pieces[inside] @ matrix.T


@dataclass(slots=True)
class BoxSpace(Space):
    """A box of any number of layers; one with arrows has a second point on each centre."""

    sides: tuple[int, ...]

    @classmethod
    def solved(
        cls, sides: tuple[int, ...] = (3, 3, 3), *, arrows: bool = False, paired: bool = False
    ) -> "BoxSpace":
        """Return every sticker at home; if paired, opposite faces have one colour."""
        spots, pieces, colours = [], [], []
        for number, (axis, sign) in enumerate(_AXES.values()):
            across = (range(1 - side, side, 2) for i, side in enumerate(sides) if i != axis)
            for a, b in product(*across):
                piece = np.insert(np.array([a, b], float), axis, sign * (sides[axis] - 1))
                out = np.insert(np.zeros(2), axis, float(sign))
                spots.append(piece + out)
                pieces.append(piece)
                colours.append(number // 2 if paired else number)
                if arrows and a == b == 0:
                    spots.append(piece + out + np.insert(np.array([0.5, 0.0]), axis, 0.0))
                    pieces.append(piece)
                    colours.append(number + 6)
        return cls(np.array(spots), np.array(pieces), np.array(colours), sides)

    def turn(self, name: str) -> None:
        """Turn a layer: ``2R'`` is the second one from the right, anticlockwise.

        ``Rs`` and ``Ra`` turn L, too: in the same sense in space, or in the opposite one.
        """
        match = _BOX_TURN.fullmatch(name)
        assert match, name
        axis, sign = _AXES[match[2]]
        layer = sign * (self.sides[axis] - 1 - 2 * (int(match[1] or 1) - 1))
        quarters = {"": 1, "2": 2, "'": 3}[match[4]]
        turns = {layer: sign, -layer: sign if match[3] == "s" else -sign}
        for place, way in turns.items() if match[3] else ((layer, sign),):
            inside = np.abs(self.pieces[:, axis] - place) < _NEAR
            self._rotate(inside, _rotation(way * np.eye(3)[axis], -quarters * np.pi / 2))


@dataclass(slots=True)
class SolidSpace(Space):
    """A regular solid whose faces turn with their corners and edges."""

    normals: Points
    reach: float
    steps: int

    @classmethod
    def solved(cls, name: str) -> "SolidSpace":
        """Return every sticker at home."""
        solid = regular_solid(name)
        spots, pieces, colours = [], [], []
        for number, face in enumerate(solid.faces):
            corners = solid.vertices[list(face)]
            centre = corners.mean(axis=0)
            for here, there in zip(corners, np.roll(corners, -1, axis=0), strict=True):
                for piece in (here, (here + there) / 2):
                    spots.append(0.8 * piece + 0.2 * centre)
                    pieces.append(piece)
                    colours.append(number)
        reach = float(solid.vertices[solid.faces[0][0]] @ solid.normals[0])
        shape = (solid.normals, reach, len(solid.faces[0]))
        return cls(np.array(spots), np.array(pieces), np.array(colours), *shape)

    @classmethod
    def balls(cls, name: str) -> "SolidSpace":
        """Return a ball of its own colour on each corner and edge of a solid."""
        made = cls.solved(name)
        _, first = np.unique(made.pieces.round(6), axis=0, return_index=True)
        pieces = made.pieces[first]
        colours = np.arange(len(pieces))
        return cls(pieces.copy(), pieces, colours, made.normals, made.reach, made.steps)

    def turn(self, name: str) -> None:
        """Turn a face: ``A2'`` is the first one by two steps anticlockwise."""
        match = _SOLID_TURN.fullmatch(name)
        assert match, name
        normal = self.normals[face_letters(len(self.normals)).index(match[1])]
        steps = int(match[2] or 1) * (-1 if match[3] else 1)
        inside = self.pieces @ normal > self.reach - _NEAR
        self._rotate(inside, _rotation(normal, -2 * np.pi * steps / self.steps))


@dataclass(slots=True)
class PyraminxSpace(Space):
    """The tetrahedron whose corners turn: with their edges, or their tips alone."""

    corners: dict[str, Points]

    @classmethod
    def solved(cls) -> "PyraminxSpace":
        """Return every sticker at home."""
        shape = Pyraminx()
        vertices = shape.solid.vertices
        spots, pieces, colours = [], [], []
        for number, face in enumerate(shape.solid.faces):
            corners = vertices[list(face)]
            centre = corners.mean(axis=0)
            for here, there in zip(corners, np.roll(corners, -1, axis=0), strict=True):
                for piece in (here, 0.6 * here, (here + there) / 2):
                    spots.append(0.8 * piece + 0.2 * centre)
                    pieces.append(piece)
                    colours.append(number)
        named = {letter: vertices[corner] for corner, letter in shape.corners.items()}
        return cls(np.array(spots), np.array(pieces), np.array(colours), named)

    def turn(self, name: str) -> None:
        """Turn a corner: ``U'`` is the upper one, anticlockwise, and ``u`` its tip."""
        axis = self.corners[name[0].upper()]
        least = 0.8 if name[0].islower() else 0.2
        inside = self.pieces @ axis > least * (axis @ axis)
        self._rotate(inside, _rotation(axis, (1 if "'" in name else -1) * 2 * np.pi / 3))


@dataclass(slots=True)
class HyperSpace(Space):
    """The 3×3×3×3 cube."""

    @classmethod
    def solved(cls) -> "HyperSpace":
        """Return every sticker at home."""
        spots, pieces, colours = [], [], []
        for cubie in product((-1.0, 0.0, 1.0), repeat=4):
            for axis in range(4):
                if cubie[axis]:
                    spots.append(np.array(cubie) + np.eye(4)[axis] * cubie[axis])
                    pieces.append(np.array(cubie))
                    colours.append(axis + 4 * (cubie[axis] < 0))
        return cls(np.array(spots), np.array(pieces), np.array(colours))

    def turn(self, name: str) -> None:
        """Turn a cell about a part of it: ``ARU'`` is the cell A about its edge R-U."""
        match = _CELL_TURN.fullmatch(name)
        assert match, name
        cell = _CELLS.index(match[1])
        own = [axis for axis in range(4) if axis != cell % 4]
        grip = np.zeros(4)
        for letter in match[2]:
            grip[_CELLS.index(letter) % 4] = 1 if _CELLS.index(letter) < 4 else -1
        order = _GRIP_ORDERS[len(match[2])]
        steps = {"": 1, "2": 2, "'": -1}[match[3]]
        matrix = np.eye(4)
        matrix[np.ix_(own, own)] = _rotation(grip[own], -2 * np.pi * steps / order)
        inside = np.abs(self.pieces[:, cell % 4] - (1 if cell < 4 else -1)) < _NEAR
        self._rotate(inside, matrix)


def space_of(name: str) -> Space:
    """Return the solved puzzle with a name in space."""
    if name == "3x3x3x3":
        return HyperSpace.solved()
    if name == "pyraminx":
        return PyraminxSpace.solved()
    if re.fullmatch(r"\dx\dx\d", name):
        return BoxSpace.solved(tuple(map(int, name.split("x"))))
    if name in {"megaminx", "dodecahedron", "icosahedron", "octahedron", "tetrahedron"}:
        return SolidSpace.solved("dodecahedron" if name == "megaminx" else name)
    if name.startswith("balls-"):
        return SolidSpace.balls(name.removeprefix("balls-"))
    return BoxSpace.solved(arrows=name == "supercube", paired=name == "three-colour")


def played(name: str, turns: Iterable[str]) -> Space:
    """Return the puzzle with a name after turns."""
    space = space_of(name)
    for turn in turns:
        space.turn(turn)
    return space
