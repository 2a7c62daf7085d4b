"""The path finder for all puzzles, in three tiers.

A puzzle with its own solver is solved by it: the cube, the 2×2×2 cube, the supercube and loose
ones. For others, a shortest path is searched from both ends; if that takes too much memory, a chain
of links finds one, or else words of commutators, the last resort.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

import numpy as np

from cube.moves import MoveSequence
from cube.pocket import PocketState
from cube.state import CubeState
from puzzles.groups.analysis import Analysis
from puzzles.groups.searches import shortest
from puzzles.groups.word_ways import WordWays
from puzzles.kinds.box import PocketCube
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.puzzle import PuzzleTurn, State, Stickers, turns_by_name
from puzzles.kinds.supercubes import Supercube
from puzzles.paths.big_cubes import big_cube_ways, is_big_cube
from puzzles.paths.chained import CHAIN_BYTES, placed_ways
from puzzles.paths.loose import LooseWays, loose_ways
from puzzles.paths.meeting import Meeting, packing_of
from puzzles.paths.supercubes import SupercubeWays
from puzzles.paths.way import MEMORY, Finder, TurnPath, check_path
from solver.pocket import PocketSolver, load_pocket
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.search.objectives import load_tables
from solver.tables import TableStore

_SIX_MS, _FIVE_MS = 100.0, 500.0
_NEAR_MEMORY = 40_000_000
_MOST_NEAR = 20_000
_SMALL_GROUP = 10**12
"""Largest order for a search from both ends; beyond it, both halves rarely fit into memory."""


class PathFinder(Generic[State]):
    """Finds paths between the states of a puzzle.

    Args:
        analysis: The puzzle's analysis.
        store: The storage of tables.
        rng: Random generator of the words to try; another one gives other paths.
        memory: Maximum memory of a search in bytes.
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
        """Return a path from one state to another, or None if turns do not connect them.

        Raises:
            SolverError: A state is not a re-assembly of the puzzle, or words were not found.
            WrongPathError: The path leads elsewhere, which is a bug in Thistlebot.
        """
        if self._analysis.differences(one, other):
            return None
        path = self._found(one, other)
        if path is not None:
            check_path(self._analysis.puzzle, one, path.turns, (other,))
        return path

    def _found(self, one: State, other: State) -> TurnPath | None:
        """Return a path between two states that turns connect, by the first tier that has one."""
        if self._own is not None:
            near = self._near(one, other) if isinstance(self._own, LooseWays) else None
            return near or self._own.between(one, other)
        found = self._met(one, other) or self._near(one, other)
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
    def _chained(self) -> Finder[Any] | None:
        """Return the chain of links; None if the allowed memory is too small for its macros."""
        if self._memory < CHAIN_BYTES:
            return None
        puzzle: Any = self._analysis.puzzle
        if is_big_cube(puzzle):
            return big_cube_ways(puzzle, self._store)
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


@dataclass(frozen=True, slots=True)
class CubeWays:
    """Paths of the cube by its own search, in 100 ms, or with five faces in 500 ms.

    Attributes:
        puzzle: The cube with all its turns, or with those of five faces.
        tables: The tables of the search.
        forbidden: The face that does not turn, if any.
    """

    puzzle: CubePuzzle
    tables: Engine
    forbidden: str = ""

    def between(self, one: CubeState, other: CubeState) -> TurnPath:
        """Find a path from one state to another."""
        budget_ms = _FIVE_MS if self.forbidden else _SIX_MS
        found = solve(
            other.inverse() * one,
            tables=self.tables,
            budget_ms=budget_ms,
            forbidden=self.forbidden,
        )
        return TurnPath(_turns(self.puzzle, found.moves), "the cube's solver", found.proven_optimal)


@dataclass(frozen=True, slots=True)
class PocketWays:
    """Shortest paths of the 2×2×2 cube, from the table of all its states.

    Attributes:
        puzzle: The puzzle.
        solver: The solver with the table.
    """

    puzzle: PocketCube
    solver: PocketSolver

    def between(self, one: Stickers, other: Stickers) -> TurnPath:
        """Find a shortest path from one state to another."""
        start, goal = (self.puzzle.arrangement(state) for state in (one, other))
        seen = self.puzzle.state(np.argsort(goal)[start])  # the start as if the goal were solved
        moves = self.solver.solve(PocketState.parse(self.puzzle.code(seen)))
        counts = tuple(np.bincount(self.solver.distances).tolist())
        turns = _turns(self.puzzle, moves)
        return TurnPath(turns, "the table of all states", shortest=True, counts=counts)


def own_ways(puzzle: object, store: TableStore) -> Finder[Any] | None:
    """Return the path finder of a puzzle with its own solver; None for others."""
    if isinstance(puzzle, PocketCube):
        return PocketWays(puzzle, load_pocket(store))
    if isinstance(puzzle, Supercube):
        return SupercubeWays(puzzle, load_tables(store))
    if isinstance(puzzle, CubePuzzle) and puzzle.complete:
        return CubeWays(puzzle, load_tables(store))
    if isinstance(puzzle, CubePuzzle) and len(puzzle.stopped) == 1:
        return CubeWays(puzzle, load_tables(store, forbidden=puzzle.stopped), puzzle.stopped)
    return loose_ways(puzzle, store)


def _turns(puzzle: CubePuzzle | PocketCube, moves: MoveSequence) -> tuple[PuzzleTurn, ...]:
    turns = turns_by_name(puzzle)
    return tuple(turns[str(move)] for move in moves)
