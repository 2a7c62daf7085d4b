"""Paths between states of puzzles with their own solver: the cube, five faces, 2×2×2, supercube."""

from dataclasses import dataclass, field

import numpy as np

from cube.moves import MoveSequence
from cube.pocket import PocketState
from cube.state import CubeState
from puzzles.kinds.box import PocketCube
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.puzzle import PuzzleTurn, Stickers
from puzzles.kinds.supercubes import Supercube, SuperState
from puzzles.paths.loose import LooseWays, loose_ways
from puzzles.paths.way import TurnPath
from solver.centre_search import CentreSolver, load_centres
from solver.centre_turns import Centres
from solver.pocket import PocketSolver, load_pocket
from solver.search.anytime import solve
from solver.search.objectives import SearchTables, load_tables, tables_stored
from solver.tables import TableStore


@dataclass(frozen=True, slots=True)
class CubeWays:
    """Paths of the cube by its own search, in 100 ms, or with five faces in 500 ms.

    Attributes:
        puzzle: The cube with all its turns, or with those of five faces.
        tables: The tables of the search.
        forbidden: The face that does not turn, if any.
    """

    puzzle: CubePuzzle
    tables: SearchTables
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


@dataclass(frozen=True, slots=True)
class SupercubeWays:
    """Paths of the supercube: cube and centres are searched together.

    Attributes:
        puzzle: The puzzle.
        solver: The search with the centres in its tables.
        budget_ms: Processor time per path.
    """

    puzzle: Supercube
    solver: CentreSolver
    budget_ms: float = field(default=2000.0)

    def between(self, one: SuperState, other: SuperState) -> TurnPath:
        """Find a path from one state to another."""
        pairs = zip(one.centres, other.centres, strict=True)
        centres = Centres(tuple((a - b) % 4 for a, b in pairs))
        found = self.solver.solve(other.cube.inverse() * one.cube, centres, self.budget_ms)
        return TurnPath(_turns(self.puzzle, found.moves), "the search with centres")


OwnWays = CubeWays | PocketWays | SupercubeWays | LooseWays
_SIX_MS, _FIVE_MS = 100.0, 500.0


def own_ways(puzzle: object, store: TableStore) -> OwnWays | None:
    """Return the path finder of a puzzle with its own solver; None for others."""
    if isinstance(puzzle, PocketCube):
        return PocketWays(puzzle, load_pocket(store))
    if isinstance(puzzle, Supercube):
        return SupercubeWays(puzzle, load_centres(store))
    if isinstance(puzzle, CubePuzzle) and puzzle.complete:
        return CubeWays(puzzle, load_tables(store, full=tables_stored(store)))
    if isinstance(puzzle, CubePuzzle) and len(puzzle.stopped) == 1:
        return CubeWays(puzzle, load_tables(store, forbidden=puzzle.stopped), puzzle.stopped)
    return loose_ways(puzzle, store)


def _turns(
    puzzle: CubePuzzle | PocketCube | Supercube, moves: MoveSequence
) -> tuple[PuzzleTurn, ...]:
    turns = {turn.name: turn for turn in puzzle.turns}
    return tuple(turns[str(move)] for move in moves)
