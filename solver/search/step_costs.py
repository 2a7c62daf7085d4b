"""The costs of all ways to make the axial turns of a solution in sequence.

A turn may be made in several ways: a half turn in two directions, opposite faces together or one
after the other. A way is one step, or two; between two steps there is a pause, which is negative if
they overlap. The cost of a solution is that of the cheapest combination of ways. In a metric each
turn has one way, and there are no pauses.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.kernels import slots
from solver.search.tables.axial_turns import AXIAL_TURNS, Prices

Ints = NDArray[np.int64]
Way = tuple[int, int, int]
"""Number of the first step, of the last one, and their total cost including the pause."""

_QUARTERS = 0.6  # share of the cost of a typical quick solution for its quarter turns
_PAIRED = 1.04  # addition to a unit for pairs and unsuitable transitions, found by trial
_DEAR = 1 << 40
_SINGLE = [turn for turn, (_, a, b) in enumerate(AXIAL_TURNS) if not a or not b]


@dataclass(frozen=True)
class StepCosts:
    """The costs of ways and pauses.

    Attributes:
        ways: Ways to make each axial turn, 45 of them; empty for those that are never made.
        pauses: Pauses from a step (row) to the next one, int64 (steps, steps).
    """

    ways: Sequence[Sequence[Way]]
    pauses: Ints

    @classmethod
    def even(cls, costs: Iterable[int], pause: int = 0) -> "StepCosts":
        """Return one way for each turn, at a cost, with the same pause between all."""
        ways = [[(step, step, int(cost))] for step, cost in enumerate(costs)]
        return cls(ways, np.full((len(ways), len(ways)), pause, dtype=np.int64))

    @cached_property
    def start(self) -> int:
        """The pause before the first turn, at least as long as any other; so every turn has one."""
        return max(0, int(self.pauses.max(initial=0)))

    @cached_property
    def least(self) -> Ints:
        """Return the minimum cost of each turn with the pause before it, shape (45,)."""
        before = self.pauses.min(axis=0, initial=self.start)
        return np.array(
            [min((cost + before[first] for first, _, cost in w), default=_DEAR) for w in self.ways]
        )

    @cached_property
    def usual(self) -> NDArray[np.float64]:
        """Return the cost of each turn of a single face with the usual pause, shape (45,).

        The average over the turns of single faces on other axes before it, each in its better way.
        """
        found = np.full(len(AXIAL_TURNS), float(_DEAR))
        for turn in _SINGLE:
            crossing = [one for one in _SINGLE if AXIAL_TURNS[one][0] != AXIAL_TURNS[turn][0]]
            pauses = [
                min(
                    self.pauses[last, first] + cost
                    for _, last, _ in self.ways[one]
                    for first, _, cost in self.ways[turn]
                )
                for one in crossing
                if self.ways[one] and self.ways[turn]
            ]
            if pauses:
                found[turn] = np.mean(pauses)
        return found

    def units(self, prices: Prices) -> tuple[int, int]:
        """Return the value of a unit of a metric's cost: typical of quick solutions, and minimal.

        Args:
            prices: Costs of quarter and half turns in that metric.
        """
        if prices not in self._units:
            least = int((self.least // prices.costs()).min())
            quarter, half = self.typical
            usual = _QUARTERS * quarter / prices.quarter + (1 - _QUARTERS) * half / prices.half
            if prices.together and np.ptp(self.pauses):
                usual *= _PAIRED  # a pair overlaps less than the turn of a face
            self._units[prices] = max(round(usual), least), least
        return self._units[prices]

    @cached_property
    def _units(self) -> dict[Prices, tuple[int, int]]:
        """The typical and minimal values; cached, because every search needs them again."""
        return {}

    @cached_property
    def slowest(self) -> tuple[int, int]:
        """Return the times of the slowest quarter and half turn, with the longest pause."""
        found = []
        for half in (False, True):
            turns = [turn for turn in _SINGLE if (2 in AXIAL_TURNS[turn][1:]) == half]
            least = [min(cost for _, _, cost in self.ways[t]) for t in turns if self.ways[t]]
            found.append(max(least) + self.start)
        return found[0], found[1]

    @cached_property
    def typical(self) -> tuple[float, float]:
        """Return the typical times of a quarter turn and a half turn in a solution."""
        found = []
        for half in (False, True):
            turns = [turn for turn in _SINGLE if (2 in AXIAL_TURNS[turn][1:]) == half]
            usual = self.usual[turns]
            found.append(float(np.median(usual[usual < _DEAR])))
        return found[0], found[1]

    @cached_property
    def arrays(self) -> dict[str, Ints]:
        """Return the tables of the compiled measure, by their names."""
        ways = [each or [(0, 0, _DEAR)] for each in self.ways]
        firsts, lasts, costs = np.array([way for each in ways for way in each], dtype=np.int64).T
        return {
            "way_starts": np.cumsum([0, *map(len, ways)]),
            "way_firsts": np.ascontiguousarray(firsts),
            "way_lasts": np.ascontiguousarray(lasts),
            "way_costs": np.ascontiguousarray(costs),
            "pauses": np.ascontiguousarray(self.pauses),
        }

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Return the numbers of the compiled measure, by their slots."""
        return {slots.STEPS: len(self.pauses), slots.START: self.start}
