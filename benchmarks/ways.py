"""Paths from random states to the solved one: run `python -m benchmarks.ways [NAME …]`.

This module is independent of the program's permutations; only the names of turns are the same.

Each path is executed in space after the scramble and must bring every sticker home. Prints a row
for each puzzle: the number of states, the mean and the longest path, the number of proven shortest
ones, the mean that others have published (– for none), the processor time of the first path (which
makes or loads tables and macros), the time and processor time of the others, and the peak memory
of the process. With --pairs
the path leads to another random state. Turns are those of single layers.
"""

import multiprocessing
import re
import resource
import statistics
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Given, Report, Row, Rows, Tenths, parser_of, run
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import scrambled
from puzzles.kinds.solids import face_letters, regular_solid
from puzzles.paths.finder import PathFinder
from puzzles.paths.way import MEMORY
from solver.tables import TableStore
from thistlebot.config import Folders

Points = NDArray[np.float64]
_NEAR = 1e-6
_AXES = {"R": (0, 1), "L": (0, -1), "U": (1, 1), "D": (1, -1), "F": (2, 1), "B": (2, -1)}
_CELLS = "RUFALDBK"
_GRIP_ORDERS = {1: 4, 2: 2, 3: 3}
_BOX_TURN = re.compile(r"(\d*)([URFDLB])(2|'|)")
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
class CubeSpace(Space):
    """A cube of any number of layers; one with arrows has a second point on each centre."""

    side: int

    @classmethod
    def solved(cls, side: int, *, arrows: bool = False, paired: bool = False) -> "CubeSpace":
        """Return every sticker at home; if paired, opposite faces have one colour."""
        spots, pieces, colours = [], [], []
        for number, (axis, sign) in enumerate(_AXES.values()):
            for a, b in product(range(1 - side, side, 2), repeat=2):
                piece = np.insert(np.array([a, b], float), axis, sign * (side - 1))
                out = np.insert(np.zeros(2), axis, float(sign))
                spots.append(piece + out)
                pieces.append(piece)
                colours.append(number // 2 if paired else number)
                if arrows and a == b == 0:
                    spots.append(piece + out + np.insert(np.array([0.5, 0.0]), axis, 0.0))
                    pieces.append(piece)
                    colours.append(number + 6)
        return cls(np.array(spots), np.array(pieces), np.array(colours), side)

    def turn(self, name: str) -> None:
        """Turn a layer: ``2R'`` is the second one from the right, anticlockwise."""
        match = _BOX_TURN.fullmatch(name)
        assert match, name
        axis, sign = _AXES[match[2]]
        layer = sign * (self.side - 1 - 2 * (int(match[1] or 1) - 1))
        quarters = {"": 1, "2": 2, "'": 3}[match[3]]
        inside = np.abs(self.pieces[:, axis] - layer) < _NEAR
        self._rotate(inside, _rotation(sign * np.eye(3)[axis], -quarters * np.pi / 2))


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
        pieces = np.unique(made.pieces.round(6), axis=0)
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
    if match := re.fullmatch(r"(\d)x\1x\1", name):
        return CubeSpace.solved(int(match[1]))
    if name in {"megaminx", "dodecahedron", "icosahedron", "octahedron", "tetrahedron"}:
        return SolidSpace.solved("dodecahedron" if name == "megaminx" else name)
    if name.startswith("balls-"):
        return SolidSpace.balls(name.removeprefix("balls-"))
    return CubeSpace.solved(3, arrows=name == "supercube", paired=name == "three-colour")


def played(name: str, turns: Iterable[str]) -> Space:
    """Return the puzzle with a name after turns."""
    space = space_of(name)
    for turn in turns:
        space.turn(turn)
    return space


class PuzzleRow(Row):
    """The paths of one puzzle: their turns, how many are proven shortest, and their costs."""

    puzzle: str
    states: int
    mean: float
    longest: int
    proven: int
    published: Tenths | None
    first_s: Tenths
    mean_s: Tenths
    cpu_mean_s: Tenths
    cpu_most_s: Tenths
    memory_mb: int


PUBLISHED = {
    "4x4x4": 64.6,  # 4x4x4 to 7x7x7: the winners of Kaggle's contest Santa 2023
    "5x5x5": 95.2,
    "6x6x6": 156.7,
    "7x7x7": 205.3,
    "3x3x3x3": 227.0,  # the shortest solution by a person
}
"""The shortest means that others have published, or one solution: see docs/measurements/ways.md."""


def row_of(name: str, chosen: Given) -> PuzzleRow:
    """Measure one puzzle, in a separate process."""
    puzzle: AnyPuzzle = puzzle_named(name)
    store = TableStore(Folders.of_platform().cache / "tables")
    rng = np.random.default_rng(chosen.seed)
    memory = MEMORY if chosen.memory is None else chosen.memory * 1_000_000
    started = time.process_time()
    ways = PathFinder(Analysis(puzzle), store, np.random.default_rng(0), memory)
    ways.between(scrambled(puzzle, chosen.turns, np.random.default_rng(0))[0], puzzle.solved)
    first_s = time.process_time() - started
    lengths, times, spent, proven = [], [], [], 0
    for number in range(chosen.states):
        one, made = scrambled(puzzle, chosen.turns, rng)
        other, goal = scrambled(puzzle, chosen.turns if chosen.pairs else 0, rng)
        begun, started = time.monotonic(), time.process_time()
        way = ways.between(one, other)
        times.append(time.process_time() - started)
        spent.append(time.monotonic() - begun)
        if way is None:
            sys.exit(f"{name}: no way was found for state {number} of seed {chosen.seed}")
        turns = [turn.name for turn in (*made, *way.turns)]
        if not played(name, turns).shows(played(name, [turn.name for turn in goal])):
            sys.exit(f"{name}: the way of state {number} of seed {chosen.seed} leads elsewhere")
        lengths.append(len(way.turns))
        proven += way.shortest
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    mean, mean_s = statistics.fmean(lengths), statistics.fmean(times)
    others = PUBLISHED.get(name)
    return PuzzleRow(
        *(name, chosen.states, mean, max(lengths), proven, others),
        *(first_s, statistics.fmean(spent), mean_s, max(times), peak),
    )


NAMES = (
    *("URFDL", "three-colour", "balls-cube", "supercube", "phi1", "phi2", "phi3", "megaminx"),
    *("4x4x4", "5x5x5", "6x6x6", "7x7x7", "3x3x3x3"),
)


def measure(given: Given, _: Report) -> Rows:
    """Measure the puzzles one after the other."""
    for name in given.names:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as alone:
            yield alone.submit(row_of, name, given).result()


if __name__ == "__main__":
    parser = parser_of(__doc__, states=50, seed=1, turns=100, pairs=False)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--memory", type=int, metavar="MB")
    run(parser, measure)
