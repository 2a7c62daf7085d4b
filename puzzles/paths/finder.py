"""The one engine for ways of all puzzles: what suits a puzzle best, then what suits any."""

from functools import cached_property
from typing import Any, Generic

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.searches import shortest
from puzzles.groups.word_ways import WordWays
from puzzles.kinds.box import Box
from puzzles.kinds.puzzle import State
from puzzles.paths.big_cubes import is_big_cube
from puzzles.paths.chained import CHAIN_BYTES, big_cube_ways, placed_ways
from puzzles.paths.cubes import own_ways
from puzzles.paths.meeting import Meeting, packing_of
from puzzles.paths.phi_one_search import PHI_ONE_BYTES, is_phi_one, load_phi_one
from puzzles.paths.way import Finder, TurnPath
from solver.tables import TableStore

MEMORY = 900_000_000
"""Bytes that a search may fill, unless another limit is given."""
_NEAR_MEMORY = 40_000_000
_MOST_NEAR = 20_000
_SMALL_GROUP = 10**12
"""Above so many states two halves of a shortest way do not meet in memory, usually."""


class PathFinder(Generic[State]):
    """Finds short ways between the states of a puzzle.

    Args:
        analysis: The puzzle's.
        store: Where tables are kept.
        rng: For the words that are tried; another one gives other ways.
        memory: So many bytes at most are filled by a search.
    """

    def __init__(
        self,
        analysis: Analysis[State],
        store: TableStore,
        rng: np.random.Generator,
        memory: int = MEMORY,
    ) -> None:
        self._analysis = analysis
        self._store = store
        self._rng = rng
        self._memory = memory

    def between(self, one: State, other: State) -> TurnPath | None:
        """A way from one state to another, or None when turns do not connect them.

        Raises:
            SolverError: A state is no re-assembly of the puzzle, or words were not found.
        """
        if self._analysis.differences(one, other):
            return None
        if self._own is not None:
            return self._own.between(one, other)
        found = self._met(one, other) or self._near(one, other)
        if found is None and self._deepening is not None:
            found = self._deepening.between(one, other)
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
        """The search of Φ1 with its tables; None for others, or where they do not fit."""
        puzzle = self._analysis.puzzle
        if self._memory < PHI_ONE_BYTES or not is_phi_one(puzzle):
            return None
        return load_phi_one(puzzle, self._store)

    @cached_property
    def _chained(self) -> Finder[Any] | None:
        """The chain of links; None where the memory allowed is too small for its macros."""
        if self._memory < CHAIN_BYTES:
            return None
        puzzle = self._analysis.puzzle
        if isinstance(puzzle, Box) and is_big_cube(puzzle):
            return big_cube_ways(puzzle, self._store)
        return placed_ways(self._analysis, self._store)

    @cached_property
    def _words(self) -> WordWays[State]:
        return WordWays(self._analysis, self._rng)

    @cached_property
    def _meeting(self) -> Meeting | None:
        """The search from both ends, where a state fits into 64 bits and none look alike."""
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
        """A shortest way from both ends, if memory suffices."""
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
        """A shortest way of a few turns, also where pieces look alike."""
        puzzle = self._analysis.puzzle
        depth = int(np.log(_MOST_NEAR) / np.log(max(2, len(puzzle.turns))))
        turns = shortest(puzzle, one, 2 * depth, [other])
        return None if turns is None else TurnPath(turns, "from both ends", shortest=True)
