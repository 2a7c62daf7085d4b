"""The turns of a large cube as a search counts them, and what they do to each orbit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from puzzles.groups.words import Word
from puzzles.kinds.box import Box
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import PuzzleTurn
from puzzles.paths.frames import PieceOrbit, orbits_of

_QUARTERS = 4
_NAME = re.compile(r"(\d*)([URFDLB])(2|'|)")


@dataclass(frozen=True, slots=True)
class CountedTurn:
    """One turn as it counts.

    Attributes:
        word: The turns of single layers that it consists of, as numbers of the puzzle's turns.
        axis: Its axis.
        order: Its place among the turns about this axis: they commute, and are made in this order.
        deep: Whether an inner layer turns.
        half: Whether it turns by 180 degrees.
        effect: The origin of each sticker.
    """

    word: Word
    axis: int
    order: int
    deep: bool
    half: bool
    effect: Arrangement


@dataclass(frozen=True)
class CubeTurns:
    """The turns of a cube with more than three layers in one metric.

    Attributes:
        puzzle: The cube.
        wide: Whether outer layers turn together with their neighbours, for one; otherwise, every
            layer turns alone.
    """

    puzzle: Box
    wide: bool = False

    @cached_property
    def turns(self) -> tuple[CountedTurn, ...]:
        """Return the turns."""
        side, pieces, found = self.puzzle.sides[0], self.puzzle.pieces, list[CountedTurn]()
        numbers = {turn.name: number for number, turn in enumerate(self.puzzle.turns)}
        for axis, (high, low) in enumerate((("R", "L"), ("U", "D"), ("F", "B"))):
            for order in range(side):
                face = high if 2 * order < side else low
                depth = order if 2 * order < side else side - 1 - order
                first = 0 if self.wide else depth
                layers = range(first, depth + 1)
                if face == low:
                    layers = range(side - 1 - depth, side - first)
                for suffix in ("", "2", "'"):
                    names = [_name((high, low), layer, side, face, suffix) for layer in layers]
                    word = tuple(numbers[name] for name in names)
                    effect = np.arange(len(pieces.colours))
                    for name in names:
                        effect = effect[pieces.turns[name]]
                    found.append(CountedTurn(word, axis, order, depth > 0, suffix == "2", effect))
        return tuple(found)

    @cached_property
    def orbits(self) -> tuple[PieceOrbit, ...]:
        """Return the orbits of pieces."""
        return orbits_of(self.puzzle.pieces)

    @cached_property
    def faces(self) -> NDArray[np.int64]:
        """Return the face of each sticker, in the order of `cube.moves.FACES`."""
        return np.array([FACES.index(colour) for colour in self.puzzle.pieces.colours])

    def allowed(self, usable: Sequence[bool]) -> NDArray[np.int64]:
        """Return the usable turns after each turn, one bit each; the last row is for the start."""
        rows = [
            sum(
                1 << number
                for number, turn in enumerate(self.turns)
                if usable[number] and (turn.axis != before.axis or turn.order > before.order)
            )
            for before in self.turns
        ]
        return np.array([*rows, bits_of(usable)], np.int64)

    def letters(self, numbers: Sequence[int]) -> Word:
        """Return a word in the puzzle's turns."""
        return tuple(letter for number in numbers for letter in self.turns[number].word)


def _name(ends: tuple[str, str], layer: int, side: int, face: str, suffix: str) -> str:
    """Return the puzzle's name of a layer's turn, seen clockwise from a face."""
    high, low = ends
    seen = low if layer == side - 1 else high
    name = seen if layer in {0, side - 1} else f"{layer + 1}{seen}"
    return name + (suffix if seen == face else {"": "'", "'": "", "2": "2"}[suffix])


def bits_of(flags: Sequence[bool]) -> int:
    """Return a bit for each flag."""
    return sum(1 << number for number, flag in enumerate(flags) if flag)


def places_of(orbit: PieceOrbit, arrangement: Arrangement) -> NDArray[np.int64]:
    """Return the piece in each place of an orbit."""
    home = {int(slot): row for row, slots in enumerate(orbit.slots) for slot in slots}
    return np.array([home[int(slot)] for slot in arrangement[orbit.slots[:, 0]]])


def is_odd(permutation: Sequence[int]) -> bool:
    """Return whether a permutation is odd."""
    odd, seen = False, set[int]()
    for start in range(len(permutation)):
        at, steps = start, 0
        while at not in seen:
            seen.add(at)
            at, steps = int(permutation[at]), steps + 1
        odd ^= steps > 1 and steps % 2 == 0
    return odd


def wide_count(puzzle: Box, turns: Sequence[PuzzleTurn]) -> int:
    """Return the number of turns if any layers from one side on may turn together, for one.

    Turns about the same axis in sequence are taken together. Between two layers that turn
    differently, there must be a cut; the layers on either side of it may turn.
    """
    side, count, at = puzzle.sides[0], 0, 0
    while at < len(turns):
        end, layers = at, np.zeros(side, np.int64)
        while end < len(turns) and turns[end].axis == turns[at].axis:
            layer, quarters = _layer_and_quarters(turns[end].name, side)
            layers[layer] += quarters
            end += 1
        count += _cuts(layers % _QUARTERS)
        at = end
    return count


def _layer_and_quarters(name: str, side: int) -> tuple[int, int]:
    """Return a layer's number from the right, the top or the front, and its quarter turns."""
    match = _NAME.fullmatch(name)
    assert match, name
    depth, quarters = int(match[1] or 1) - 1, {"": 1, "2": 2, "'": 3}[match[3]]
    return (depth, quarters) if match[2] in "RUF" else (side - 1 - depth, -quarters)


def _cuts(layers: NDArray[np.int64]) -> int:
    """Return how many turns of outer blocks turn the layers about an axis."""
    steps = [step for step in (np.diff(layers) % _QUARTERS).tolist() if step]
    sums = {0}
    for step in steps:  # the first layer is on the turning side of some cuts
        sums |= {(total - step) % _QUARTERS for total in sums}
    if not steps:
        return 2 if layers[0] else 0
    return len(steps) + (int(layers[0]) not in sums)
