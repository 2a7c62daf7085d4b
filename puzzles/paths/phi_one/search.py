"""Shortest ways without quarter turns of F and B (S3's Φ1), by iterative deepening.

The method is R. Korf's ("Depth-first iterative-deepening", 1985). A position from which ten turns
are left is gone on from only if it may be within ten turns, which a set of all such positions
says; from eight on a second set does, and exact distances of the corners do.
"""

from dataclasses import dataclass, field
from typing import TypeGuard

import numpy as np

from cube.moves import ALL_MOVES
from cube.state import SOLVED, CubeState
from puzzles.kinds.cubes import CubePuzzle
from puzzles.paths.phi_one.chain import PhiChain
from puzzles.paths.phi_one.coordinates import TURNS, state_numbers
from puzzles.paths.phi_one.tables import (
    FAR_BITS,
    NEAR_BITS,
    PHI_ONE_TABLE_SET,
    maps_of,
    turns_after,
)
from puzzles.paths.way import TurnPath
from solver.table_files import Arrays
from solver.tables import TableStore

PHI_ONE_BYTES = 800_000_000
"""What building the tables fills; ready they fill 620 MB."""
_MEETING_BYTES = 250_000_000
_LONGEST = 30
_POSITIONS = 250_000_000
"""Some fifteen seconds."""


@dataclass(frozen=True, slots=True)
class PhiOneWays:
    """Finds shortest ways.

    Attributes:
        puzzle: The cube without quarter turns of F and B.
        tables: Distances, sets, and how turns and symmetries change states.
        positions: So many positions are looked at before it gives up.
        chain: What finds a longer way then.
    """

    puzzle: CubePuzzle
    tables: Arrays
    positions: int = _POSITIONS
    chain: PhiChain = field(default_factory=PhiChain)

    def between(self, one: CubeState, other: CubeState) -> TurnPath | None:
        """A way from one state to another, a shortest one unless that is too far to be found."""
        from puzzles.paths.kernels.phi_one_search import POSITION, TURN, Nearness, search

        state = other.inverse() * one
        if state == SOLVED:
            return TurnPath((), "iterative deepening", shortest=True)
        turns = self.puzzle.turns
        solved, allowed = np.array(state_numbers(SOLVED)), turns_after()
        positions = np.zeros((_LONGEST + 1, len(turns), POSITION), np.int64)
        positions[0, 0, :TURN], positions[0, 0, TURN] = state_numbers(state), len(turns)
        walked, path = np.zeros((_LONGEST + 1, 2), np.int64), np.zeros(_LONGEST, np.int64)
        corners, far, near = (self.tables[name].ctypes.data for name in ("corners", "far", "near"))
        known = (Nearness(corners, far, FAR_BITS, near, NEAR_BITS), maps_of(self.tables))
        budget = self.positions
        for length in range(1, _LONGEST):
            looked = search(length, positions, walked, solved, path, budget, allowed, *known)
            if looked < 0:
                found = tuple(turns[turn] for turn in path[:length].tolist())
                return TurnPath(found, "iterative deepening", shortest=True)
            budget -= looked
            if budget <= 0:
                break
        moves = self.chain.moves(state, _MEETING_BYTES)
        by_name = {turn.name: turn for turn in turns}
        return (
            None if moves is None else TurnPath(tuple(by_name[str(m)] for m in moves), "through Φ2")
        )


def load_phi_one(puzzle: CubePuzzle, store: TableStore) -> PhiOneWays:
    """What finds them, with its tables (620 MB), built within some minutes when missing.

    Raises:
        TableError: The tables could not be built.
    """
    return PhiOneWays(puzzle, store.obtain(PHI_ONE_TABLE_SET).arrays)


def is_phi_one(puzzle: object) -> TypeGuard[CubePuzzle]:
    """Whether a puzzle is the cube without quarter turns of F and B."""
    wanted = [str(ALL_MOVES[turn]) for turn in TURNS]
    return isinstance(puzzle, CubePuzzle) and [turn.name for turn in puzzle.turns] == wanted
