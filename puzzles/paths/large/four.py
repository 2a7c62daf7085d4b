"""Reduction of the 4 × 4 × 4 in three phases, each through many candidates.

1. The centres of R and L come to these two faces.
2. Those of the other axes come to their axes, and each edge has one of its wings in each half (see
   `puzzles.paths.kernels.pairs`), without the parities that a 3 × 3 × 3 does not have. From here,
   inner layers turn by half turns only.
3. The centres come home, and the wings of each edge stand side by side.

The idea of these phases is Chen Shuang's (three-phase reduction), after C. Tsai.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from puzzles.groups.words import Word
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.large.cube_turns import CubeTurns
from puzzles.paths.large.four_geometry import FourGeometry
from puzzles.paths.large.masks import index_of
from solver.clock import thread_clock_ns
from solver.table_files import Arrays
from solver.tables import Progress, TableSet, TableStore

_VERSION = 1
_LONGEST = 32
_SHARES = 0.35, 0.65
"""The shares of the time after which the second and the third phase end."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that ends a phase.

    Attributes:
        variant: The rotation under which the cube is seen.
        word: Numbers of `CubeTurns.turns`, as seen then.
    """

    variant: int
    word: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Widths:
    """How many candidates each phase looks for, and positions that it may visit for each.

    Attributes:
        first: Candidates after the first phase.
        second: Candidates after the second one.
        third: Reduced cubes.
    """

    first: int = 3000
    second: int = 300
    third: int = 200


@dataclass(frozen=True)
class FourPhases:
    """Words that reduce a 4 × 4 × 4 to a 3 × 3 × 3.

    Attributes:
        turns: Its turns.
        store: The storage of the tables.
        budget_ms: Processor time for a state, unless it has none yet.
        widths: Numbers of candidates.
    """

    turns: CubeTurns
    store: TableStore
    budget_ms: float
    widths: Widths = field(default=Widths())

    @cached_property
    def geometry(self) -> FourGeometry:
        """Return orbits and halves."""
        return FourGeometry(self.turns)

    @cached_property
    def tables(self) -> Arrays:
        """Return the tables; they are built within two minutes if none are stored."""
        metric = "wide" if self.turns.wide else "single"

        def build(progress: Progress) -> Arrays:
            return self.geometry.build(progress)

        return self.store.obtain(TableSet(f"four-{metric}", _VERSION, build)).arrays

    def words(self, start: Arrangement, wanted: int) -> list[Word]:
        """Return words that reduce a state, the shortest first."""
        tables, started = self.tables, thread_clock_ns()
        ends = [started + int(share * self.budget_ms * 1e6) for share in _SHARES]
        views = self.geometry.views(start)
        first = self._first(views, tables)
        second = self._second(views, first, ends[0])
        third = self._third(views, second, ends[1])
        return [
            self.turns.letters([self.geometry.turned(c.variant, number) for number in c.word])
            for c in third[:wanted]
        ]

    def _first(self, views: Sequence[Arrangement], tables: Arrays) -> list[Candidate]:
        from puzzles.paths.kernels.pairs import find_words

        geometry, distances = self.geometry, tables["first"]
        starts = [geometry.first_mask(view) for view in views]
        found = [
            Candidate(v, ())
            for v, mask in enumerate(starts)
            if not distances[index_of(mask, geometry.centre_maps)]
        ]
        room, none = np.empty((self.widths.first, _LONGEST), np.uint8), np.empty(0, np.uint8)
        for length in range(1, _LONGEST):
            for variant, mask in enumerate(starts):
                count = find_words(
                    *(mask, length, len(self.turns.turns), geometry.centre_maps, distances),
                    *(geometry.allowed[0], geometry.closing[0], none, geometry.wings_by),
                    *(geometry.half, geometry.edges, 1 << 62, room, 0),
                )
                found += [Candidate(variant, tuple(row[:length])) for row in room[:count].tolist()]
            if len(found) >= self.widths.first:
                break
        return found[: self.widths.first]

    def _second(
        self, views: Sequence[Arrangement], first: list[Candidate], end: int
    ) -> list[Candidate]:
        from puzzles.paths.kernels.pairs import find_words

        geometry, distances = self.geometry, self.tables["second"]
        starts, found = [], list[Candidate]()
        for candidate in first:
            there = geometry.played(views[candidate.variant], candidate.word)
            mask, wings = geometry.second_mask(there), geometry.wings(there)
            least = int(distances[index_of(mask, geometry.wing_maps)])
            starts.append((candidate, mask, wings, least))
        room = np.empty((self.widths.second, _LONGEST), np.uint8)
        for total in range(_LONGEST):
            for candidate, mask, wings, least in starts:
                length = total - len(candidate.word)
                if length < max(1, least):
                    continue
                if found and thread_clock_ns() > end:
                    return found
                before = candidate.word[-1] if candidate.word else len(self.turns.turns)
                count = find_words(
                    *(mask, length, before, geometry.wing_maps, distances),
                    *(geometry.allowed[1], geometry.closing[1], wings, geometry.wings_by),
                    *(geometry.half, geometry.edges, 1 << 62, room, 0),
                )
                for row in room[:count].tolist():
                    found.append(Candidate(candidate.variant, (*candidate.word, *row[:length])))
            if len(found) >= self.widths.second:
                break
        return found[: self.widths.second]

    def _third(
        self, views: Sequence[Arrangement], second: list[Candidate], end: int
    ) -> list[Candidate]:
        from puzzles.paths.kernels.pairs import find_pairings

        geometry, tables = self.geometry, self.tables
        starts, found = [], list[Candidate]()
        for candidate in second:
            there = geometry.played(views[candidate.variant], candidate.word)
            starts.append((candidate, geometry.third_mask(there), geometry.pairs(there)))
        room = np.empty((self.widths.third, _LONGEST), np.uint8)
        for total in range(_LONGEST + 8):
            for candidate, mask, pairs in starts:
                length = total - len(candidate.word)
                if not 1 <= length < _LONGEST:
                    continue
                if found and thread_clock_ns() > end:
                    return found
                before = candidate.word[-1] if candidate.word else len(self.turns.turns)
                count = find_pairings(
                    *(mask, pairs, length, before, geometry.third_maps, tables["third"]),
                    *(geometry.pair_maps, tables["pairs"], geometry.allowed[2]),
                    *(geometry.closing[2], 1 << 62, room, 0),
                )
                for row in room[:count].tolist():
                    found.append(Candidate(candidate.variant, (*candidate.word, *row[:length])))
            if len(found) >= self.widths.third:
                break
        return found
