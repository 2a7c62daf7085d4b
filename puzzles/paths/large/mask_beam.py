"""Beam search over the masks of several orbits: turn by turn, the states nearest home continue."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd

import numpy as np
from numpy.typing import NDArray

from puzzles.paths.beam import in_two_threads
from puzzles.paths.kernels.mask_beam import BeamMaps
from solver.kernels.memory import make_read_only

Numbers = NDArray[np.int64]
Led = tuple[int, tuple[int, ...]]
"""The number of a start, and turns from there."""
_RATE = 0.5
"""Turns that it takes to join the pieces of edges, for each turn of their distance."""
_LONGEST = 200
"""Number of turns after which it gives up."""


@dataclass(frozen=True, slots=True)
class Started:
    """A start of a beam.

    Attributes:
        states: The mask of each orbit, with its parity; then edges' numbers, if it joins edges.
        length: Number of turns made before.
        last: The last of these, or the number of turns for none.
    """

    states: Numbers
    length: int
    last: int


@dataclass(slots=True)
class Reached:
    """What a beam found.

    Attributes:
        home: Turns to states in which all masks are home, those with the lowest estimate of all
            turns first: the shortest, if the beam does not join edges.
        near: Turns to the best states of each level.
    """

    home: list[Led] = field(default_factory=list)
    near: list[Led] = field(default_factory=list)


@dataclass(slots=True)
class _Level:
    """States with equally many turns.

    Attributes:
        states: Their masks and edges, shape (states, columns).
        parents: The numbers of the states before, or -1 - n for start n.
        turns: The turns between the two, the last ones of starts.
    """

    states: Numbers
    parents: Numbers
    turns: Numbers

    @classmethod
    def of(cls, starts: Sequence[Started], numbers: Sequence[int]) -> "_Level":
        """Return a level of some starts."""
        orbits = len(starts[0].states)
        states = np.array([starts[n].states for n in numbers], np.int64).reshape(-1, orbits)
        parents = -1 - np.array(numbers, np.int64)
        return cls(states, parents, np.array([starts[n].last for n in numbers], np.int64))

    def joined(self, other: "_Level") -> "_Level":
        """Return both levels as one."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__slots__)
        return _Level(*(np.concatenate(pair) for pair in pairs))


@dataclass(frozen=True, slots=True)
class MaskBeam:
    """A beam search for states in which all masks are home.

    Attributes:
        maps: The orbits.
        width: Number of states that continue after each turn.
        slack: Number of turns more than the first result for which it goes on.
        patience: Number of turns without a better state after which it gives up.
        near: Number of states of each level to return.
    """

    maps: BeamMaps
    width: int
    slack: int = 2
    patience: int = 6
    near: int = 20

    def run(self, starts: Sequence[Started], wanted: int) -> Reached:
        """Search from some starts for a number of states."""
        rng, reached = np.random.default_rng(1), Reached()
        length = min(start.length for start in starts)
        ends = max(start.length for start in starts)
        found = list[tuple[float, Led]]()
        level, levels = _Level.of(starts, []), list[_Level]()
        seen = np.zeros(1 << (_LONGEST * self.width).bit_length(), np.int64)
        least, tried = 1 << 62, 0
        while tried <= self.patience and len(levels) < _LONGEST:
            if len(found) >= wanted and not self._joins:
                break
            own = [n for n, start in enumerate(starts) if start.length == length]
            level = level.joined(_Level.of(starts, own))
            make_read_only(level.states, level.turns)
            levels.append(level)
            home = self._home(level.states)
            homes = np.flatnonzero(home)
            ranks = length + _RATE * self._apart(level.states[homes])
            found += [
                (float(ranks[n]), _word(levels, int(homes[n])))
                for n in np.argsort(ranks, kind="stable")[:wanted]
            ]
            if found:
                tried = max(tried, self.patience - self.slack)
            rows = range(min(self.near, len(level.states)))
            reached.near += [_word(levels, row) for row in rows]
            length += 1
            if len(level.states):
                level, best = self._next(level, home, seen, rng)
                better = best < least or length <= ends
                least, tried = min(least, best), 0 if better and not found else tried + 1
        found.sort(key=lambda pair: pair[0])
        return Reached([led for _, led in found[:wanted]], reached.near)

    @property
    def _joins(self) -> bool:
        """Return whether states contain edges."""
        return len(self.maps.edge_distances) > 0

    def _apart(self, states: Numbers) -> Numbers:
        """Return the sum of the distances of all edges."""
        numbers = states[:, len(self.maps.offsets) :]
        if not self._joins:
            return np.zeros(len(states), np.int64)
        apart: Numbers = self.maps.edge_distances[numbers].sum(axis=1, dtype=np.int64)
        return apart

    def _next(
        self, level: _Level, home: NDArray[np.bool_], seen: Numbers, rng: np.random.Generator
    ) -> tuple[_Level, int]:
        """Return the next level, and its lowest total; add the hashes of its states."""
        from puzzles.paths.kernels.mask_beam import REFUSED, make_turns, try_turns

        totals = np.empty((len(level.states), len(self.maps.moved)), np.int32)
        in_two_threads(
            lambda part: try_turns(level.states[part], level.turns[part], self.maps, totals[part]),
            len(totals),
        )
        if not self._joins:
            totals[home] = REFUSED
        made = np.empty((self.width, level.states.shape[1]), np.int64)
        rows, turns = np.empty((2, self.width), np.int64)
        step = int(rng.integers(totals.size, 2 * totals.size))
        while gcd(step, totals.size) > 1:
            step += 1
        make_read_only(totals)
        count = make_turns(level.states, totals, step, self.maps, seen, made, rows, turns)
        best = int(totals.min(initial=REFUSED))
        return _Level(made[:count], rows[:count], turns[:count]), best

    def _home(self, states: Numbers) -> NDArray[np.bool_]:
        """Return whether all masks of each state are home."""
        from puzzles.paths.kernels.mask_beam import find_home

        home = np.empty(len(states), np.uint8)
        find_home(states, self.maps, home)
        return home > 0


def _word(levels: list[_Level], row: int) -> Led:
    """Return the start of a state of the last level, and the turns from there."""
    turns = list[int]()
    for level in reversed(levels):
        parent = int(level.parents[row])
        if parent < 0:
            return -1 - parent, tuple(reversed(turns))
        turns.append(int(level.turns[row]))
        row = parent
    raise AssertionError("each state of a beam has a start")
