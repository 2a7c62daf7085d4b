"""The path finder for all puzzles: the best method for a puzzle first, then general ones."""

from functools import cached_property
from typing import Any, Generic

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.searches import shortest
from puzzles.groups.word_ways import WordWays
from puzzles.kinds.box import Box
from puzzles.kinds.puzzle import State
from puzzles.paths.chained import CHAIN_BYTES, placed_ways
from puzzles.paths.cubes import own_ways
from puzzles.paths.hypercube.ways import hypercube_ways
from puzzles.paths.large.frames import BUDGET_MS, is_big_cube
from puzzles.paths.loose import LooseWays
from puzzles.paths.meeting import Meeting, packing_of
from puzzles.paths.phi_one_search import PHI_ONE_BYTES, is_phi_one, load_phi_one
from puzzles.paths.staged import STAGED_BYTES, staged_ways
from puzzles.paths.way import MEMORY, Finder, TurnPath
from solver.tables import TableStore

_NEAR_MEMORY = 40_000_000
_MOST_NEAR = 20_000
_SMALL_GROUP = 10**12
"""Largest order for a search from both ends; beyond it, both halves rarely fit into memory."""


class PathFinder(Generic[State]):
    """Finds short paths between the states of a puzzle.

    Args:
        analysis: The puzzle's analysis.
        store: The storage of tables.
        rng: Random generator of the words to try; another one gives other paths.
        memory: Maximum memory of a search in bytes.
        budget_ms: Processor time for a path of a big cube, Megaminx or 3×3×3×3.
        wide: Whether outer layers of a big cube may turn together with their neighbours, for one.
    """

    def __init__(
        self,
        analysis: Analysis[State],
        store: TableStore,
        rng: np.random.Generator,
        memory: int = MEMORY,
        *,
        budget_ms: float = BUDGET_MS,
        wide: bool = False,
    ) -> None:
        self._analysis = analysis
        self._store = store
        self._rng = rng
        self._memory = memory
        self._budget_ms = budget_ms
        self._wide = wide

    def between(self, one: State, other: State) -> TurnPath | None:
        """Return a path from one state to another, or None if turns do not connect them.

        Raises:
            SolverError: A state is not a re-assembly of the puzzle, or words were not found.
        """
        if self._analysis.differences(one, other):
            return None
        if self._own is not None:
            near = self._near(one, other) if isinstance(self._own, LooseWays) else None
            return near or self._own.between(one, other)
        found = self._met(one, other) or self._near(one, other)
        if found is None and self._deepening is not None:
            found = self._deepening.between(one, other)
        if found is None and self._staged is not None:
            found = self._staged.between(one, other)
        if found is None and self._chained is not None:
            found = self._chained.between(one, other)
        if found is not None:
            return found
        turns = self._words.between(one, other)
        return None if turns is None else TurnPath(turns, "words")

    @cached_property
    def _own(self) -> Finder[Any] | None:
        return own_ways(self._analysis.puzzle, self._store)

    @cached_property
    def _deepening(self) -> Finder[Any] | None:
        """Return the search of Φ1 with its tables; None for others, or if they do not fit."""
        puzzle = self._analysis.puzzle
        if self._memory < PHI_ONE_BYTES or not is_phi_one(puzzle):
            return None
        return load_phi_one(puzzle, self._store)

    @cached_property
    def _staged(self) -> Finder[Any] | None:
        """Return the stages of a Megaminx or 3×3×3×3; None for others, or if they do not fit."""
        if self._memory < STAGED_BYTES:
            return None
        given = self._analysis, self._store, self._budget_ms
        return staged_ways(*given) or hypercube_ways(*given)

    @cached_property
    def _chained(self) -> Finder[Any] | None:
        """Return the chain of links; None if the allowed memory is too small for its macros."""
        if self._memory < CHAIN_BYTES:
            return None
        puzzle = self._analysis.puzzle
        if isinstance(puzzle, Box) and is_big_cube(puzzle):
            from puzzles.paths.large.reduction import big_cube_ways

            return big_cube_ways(puzzle, self._store, wide=self._wide, budget_ms=self._budget_ms)
        return placed_ways(self._analysis, self._store)

    @cached_property
    def _words(self) -> WordWays[State]:
        return WordWays(self._analysis, self._rng)

    @cached_property
    def _meeting(self) -> Meeting | None:
        """Return the search from both ends, if a state fits into 64 bits and all pieces differ."""
        if self._analysis.alike > 1:
            return None
        orbits = self._analysis.chain.orbits
        base = [point for point, orbit in orbits.items() if len(orbit) > 1]
        packing = packing_of(self._analysis.pieces, base)
        if packing is None:
            return None
        turns = self._analysis.puzzle.turns
        numbers = {turn.name: number for number, turn in enumerate(turns)}
        return Meeting(packing, tuple(numbers[turn.inverse] for turn in turns))

    def _met(self, one: State, other: State) -> TurnPath | None:
        """Return a shortest path searched from both ends, if there is enough memory."""
        element = None if self._meeting is None else self._analysis.element(one, other)
        if self._meeting is None or element is None:
            return None
        small = self._analysis.group_order <= _SMALL_GROUP
        word = self._meeting.word(element, self._memory if small else _NEAR_MEMORY)
        if word is None:
            return None
        turns = self._analysis.puzzle.turns
        return TurnPath(tuple(turns[letter] for letter in word), "from both ends", shortest=True)

    def _near(self, one: State, other: State) -> TurnPath | None:
        """Return a shortest path of a few turns, even if pieces look alike."""
        puzzle = self._analysis.puzzle
        depth = int(np.log(_MOST_NEAR) / np.log(max(2, len(puzzle.turns))))
        turns = shortest(puzzle, one, 2 * depth, [other])
        return None if turns is None else TurnPath(turns, "from both ends", shortest=True)
