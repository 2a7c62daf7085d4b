"""A chain of stabilisers by random Schreier–Sims, stopped at a known bound of the order.

The method is C. Sims's, with random elements by product replacement (Celler et al., 1995). The
product over such a chain is the number of elements that certainly exist: a lower bound of the
order. The invariants of a puzzle give an upper one; if the two are equal, both are exact.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement

_QUIET = 60
"""Number of consecutive random elements without a result that ends the search for a larger chain.
"""


class _Level:
    """The elements that fix all earlier base points."""

    def __init__(self, point: int, size: int) -> None:
        self.point = point
        self.carriers: dict[int, Arrangement] = {point: np.arange(size)}
        self.undoers: dict[int, Arrangement] = {point: np.arange(size)}
        self.generators: list[Arrangement] = []

    def add(self, generator: Arrangement) -> None:
        self.generators.append(generator)
        queue = [(x, generator) for x in list(self.carriers)]
        for x, turn in queue:
            y = int(turn[x])
            if y not in self.carriers:
                self.carriers[y] = turn[self.carriers[x]]
                self.undoers[y] = np.argsort(self.carriers[y])
                queue += [(y, other) for other in self.generators]


class StabiliserChain:
    """A group of arrangements, level by level.

    Args:
        generators: Arrangements that generate it, all of one size.
        base: The points to fix one after the other; other points that the group moves follow in
            their order.
        bound: An upper bound of the order: the chain is complete if it is reached.
    """

    def __init__(
        self,
        generators: Iterable[Arrangement],
        base: Sequence[int] = (),
        *,
        bound: int | None = None,
    ) -> None:
        given = [np.asarray(g, dtype=np.int64) for g in generators]
        self._size = len(given[0]) if given else 0
        moved = np.zeros(self._size, bool)
        for generator in given:
            moved |= generator != np.arange(self._size)
        points = dict.fromkeys([p for p in base if moved[p]] + np.flatnonzero(moved).tolist())
        self._levels = [_Level(point, self._size) for point in points]
        self._rng = np.random.default_rng(0)
        for generator in given:
            self._learn(generator)
        self._complete(given, bound)

    @property
    def orbits(self) -> dict[int, frozenset[int]]:
        """Return the orbit of each base point under the elements that fix the earlier ones."""
        return {level.point: frozenset(level.carriers) for level in self._levels}

    @property
    def order(self) -> int:
        """The number of elements found: the order of the group, or a lower bound."""
        order = 1
        for level in self._levels:
            order *= len(level.carriers)
        return order

    def contains(self, arrangement: Arrangement) -> bool:
        """Return whether an arrangement is a product of the elements found."""
        return self._sift(arrangement)[1] is None

    def canonical(self, arrangement: Arrangement) -> NDArray[np.int64]:
        """Return one arrangement for all those that turns connect, if the chain is complete.

        Of ``arrangement[g]`` for all g of the group, it is the one with the smallest entries along
        the base: each level brings the smallest possible entry to its point.
        """
        state = arrangement
        for level in self._levels:
            best = min(level.carriers, key=lambda point: int(state[point]))
            state = state[level.carriers[best]]
        return state

    def _sift(self, element: Arrangement) -> tuple[int, Arrangement | None]:
        """Return level and residue of an element, or None if it is a product of carriers."""
        for number, level in enumerate(self._levels):
            image = int(element[level.point])
            if image not in level.undoers:
                return number, element
            element = level.undoers[image][element]
        return len(self._levels), None

    def _learn(self, element: Arrangement) -> bool:
        number, residue = self._sift(element)
        if residue is None:
            return False
        for level in self._levels[: number + 1]:
            level.add(residue)
        return True

    def _complete(self, given: list[Arrangement], bound: int | None) -> None:
        if not given:
            return
        pool = [given[i % len(given)] for i in range(max(10, len(given)))]
        last, quiet, made = np.arange(self._size), 0, 0
        while quiet < _QUIET and (bound is None or self.order < bound):
            a, b = self._rng.choice(len(pool), 2, replace=False)
            other = np.argsort(pool[b]) if self._rng.random() < 0.5 else pool[b]
            pool[a] = pool[a][other] if self._rng.random() < 0.5 else other[pool[a]]
            last = last[pool[a]]
            made += 1
            if made > 2 * len(pool):
                quiet = 0 if self._learn(last) else quiet + 1
