"""Distances of the centres of up to four orbits on one axis, for the last phase of the centres.

A table of one orbit knows all three axes, but not that a turn which helps one orbit disturbs
another. These tables know this, for the two faces of an axis. The three axes have the same table:
a rotation about a diagonal of the cube maps them to each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement
from puzzles.paths.frames import Slots
from puzzles.paths.kernels.masks import OCTETS, UNREACHED, spread_octets
from puzzles.paths.large.cube_turns import CountedTurn, CubeTurns
from solver.kernels.memory import Bytes, make_read_only

AXES, OCTET = 3, 8
_TOGETHER = 4
_PAIR = 2
_HALF = 4


def diagonal_rotation(turns: CubeTurns) -> Arrangement:
    """Return the origin of each sticker when the cube rotates about a diagonal through URF.

    It takes the axis of U to that of R or F, and the faces U, R and F to each other.
    """
    side, effects = turns.puzzle.sides[0], [turn.effect for turn in turns.turns]
    both = []
    for axis in (0, 1):
        made = np.arange(len(turns.faces))
        for order in range(side):
            made = made[effects[(axis * side + order) * 3 + (0 if 2 * order < side else 2)]]
        both.append(made)
    first, second = both
    for one in (first, np.argsort(first)):
        rotation = one[second]
        if set(turns.faces[rotation[turns.faces < AXES]].tolist()) == {0, 1, 2}:
            return np.asarray(rotation)
    raise AssertionError("one of the two products is a rotation about this diagonal")


def by_axes(turns: CubeTurns, slots: Slots) -> Slots:
    """Return the slots of an orbit of centres, those of each axis together, U and D first.

    The diagonal rotation maps those of an axis to those of the next one, one to one.
    """
    rotation = diagonal_rotation(turns)
    first = np.sort(slots[turns.faces[slots] % AXES == 0])
    return np.concatenate([first, rotation[first], rotation[rotation[first]]])


def octet_numbers() -> Bytes:
    """Return the number of each octet with four bits, by the octet; 0 for others."""
    values = np.arange(1 << OCTET)
    fits = np.array([int(value).bit_count() == _HALF for value in values])
    numbers = np.where(fits, np.cumsum(fits) - 1, 0).astype(np.uint8)
    make_read_only(numbers)
    return numbers


@dataclass(frozen=True)
class AxisTable:
    """The distances of some orbits' centres on one axis.

    Attributes:
        orbits: The slots of each orbit, as `by_axes` orders them.
        turns: The turns of the phase.
    """

    orbits: Sequence[Slots]
    turns: Sequence[CountedTurn]

    @cached_property
    def turned(self) -> NDArray[np.uint8]:
        """Return each octet's number after turns that change any, shape (turns, orbits, 70)."""
        numbers = octet_numbers()
        octets = np.array([v for v in range(1 << OCTET) if v.bit_count() == _HALF])
        made = []
        for turn in self.turns:
            rows = []
            for slots in self.orbits:
                where = {int(slot): place for place, slot in enumerate(slots[:OCTET])}
                origins = [where[int(turn.effect[slot])] for slot in slots[:OCTET]]
                bits = octets[:, None] >> np.array(origins) & 1
                rows.append(numbers[(bits << np.arange(OCTET)).sum(axis=1)])
            made.append(np.array(rows))
        still = np.tile(np.arange(OCTETS), (len(self.orbits), 1))
        kept = [row for row in made if (row != still).any()]
        return np.ascontiguousarray(np.unique(np.array(kept), axis=0))

    def build(self, home: Sequence[int]) -> Bytes:
        """Return the distance of each state.

        Args:
            home: The octet of each orbit when the cube is solved.
        """
        distances = np.full(OCTETS ** len(self.orbits), UNREACHED, np.uint8)
        turned, numbers, goal = self.turned, octet_numbers(), 0
        make_read_only(turned)
        for octet in home:
            goal = goal * OCTETS + int(numbers[octet])
        distances[goal] = depth = 0
        while spread_octets(distances, depth, turned):
            depth += 1
        return distances


def sets_of(orbits: Sequence[int]) -> list[tuple[int, ...]]:
    """Return which orbits have a table together: up to four, each pair of three pairs in one."""
    if len(orbits) <= _TOGETHER:
        return [tuple(orbits)]
    pairs = [tuple(orbits[n : n + _PAIR]) for n in range(0, len(orbits), _PAIR)]
    return [(*pair, *pairs[(n + 1) % len(pairs)]) for n, pair in enumerate(pairs)]
