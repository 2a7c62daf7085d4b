"""Shortest ways without quarter turns of F and B (S3's Φ1), by iterative deepening.

The method is R. Korf's ("Depth-first iterative-deepening", 1985; "Finding optimal solutions to
Rubik's Cube using pattern databases", 1997), with exact distances of the corners and of the edges.
"""

from dataclasses import dataclass, field
from typing import TypeGuard

import numpy as np

from cube.state import CubeState
from solver import coordinates
from solver.cubies import of_state
from solver.puzzles.cubes import Cube
from solver.puzzles.puzzle import may_follow
from solver.tables import Arrays, TableStore
from solver.ways.phi_chain import PhiChain
from solver.ways.phi_one_tables import PHI_ONE_TABLE_SET, TURNS, group_numbers
from solver.ways.way import Way

PHI_ONE_BYTES = 800_000_000
"""What building the tables fills; ready they fill 300 MB."""
_LONGEST = 30
_POSITIONS = 200_000_000
"""Some twenty seconds."""


@dataclass(frozen=True, slots=True)
class PhiOneWays:
    """Finds shortest ways.

    Attributes:
        puzzle: The cube without quarter turns of F and B.
        tables: Distances and how turns change them.
        positions: So many positions are looked at before it gives up.
        chain: What finds a longer way then.
    """

    puzzle: Cube
    tables: Arrays
    positions: int = _POSITIONS
    chain: PhiChain = field(default_factory=PhiChain)

    def between(self, one: CubeState, other: CubeState) -> Way | None:
        """A way from one state to another, a shortest one unless that is too far to be found."""
        from solver.kernels.ways.phi_one import search

        turns = self.puzzle.turns
        states, path = np.zeros((_LONGEST, 5), np.int64), np.zeros(_LONGEST, np.int64)
        states[0] = _start(other.inverse() * one)
        allowed, budget = _allowed(self.puzzle), self.positions
        names = ("permutation_moves", "twist_moves", "group_moves", "ranks", "corners", "edges")
        tables = [self.tables[name] for name in names]
        if one == other:
            return Way((), "iterative deepening", shortest=True)
        for length in range(1, _LONGEST):
            looked = search(length, states, path, budget, allowed, *tables)
            if looked < 0:
                found = tuple(turns[turn] for turn in path[:length].tolist())
                return Way(found, "iterative deepening", shortest=True)
            budget -= looked
            if budget <= 0:
                break
        moves = self.chain.moves(other.inverse() * one, PHI_ONE_BYTES)
        by_name = {turn.name: turn for turn in turns}
        return None if moves is None else Way(tuple(by_name[str(m)] for m in moves), "through Φ2")


def _start(state: CubeState) -> list[int]:
    """Permutation and twists of the corners, and the three groups of edges."""
    cubies = of_state(state)
    places = np.argsort(cubies.edges).reshape(3, 4)
    permutation = int(coordinates.rank_permutations(cubies.corners[None])[0])
    return [permutation, coordinates.twist_of(cubies), *group_numbers(places).tolist()]


def _allowed(puzzle: Cube) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Bit sets of the turns that may follow each turn, and of all at the end."""
    order = {turn.name: number for number, turn in enumerate(puzzle.turns)}
    masks = [
        sum(may_follow(last, turn, order) << order[turn.name] for turn in puzzle.turns)
        for last in (*puzzle.turns, None)
    ]
    return np.array(masks, np.int64)


def load_phi_one(puzzle: Cube, store: TableStore) -> PhiOneWays:
    """What finds them, with its tables (295 MB), built within some minutes when missing.

    Raises:
        TableError: The tables could not be built.
    """
    return PhiOneWays(puzzle, store.obtain(PHI_ONE_TABLE_SET).arrays)


def is_phi_one(puzzle: object) -> TypeGuard[Cube]:
    """Whether a puzzle is the cube without quarter turns of F and B."""
    from cube.moves import ALL_MOVES

    wanted = [str(ALL_MOVES[turn]) for turn in TURNS]
    return isinstance(puzzle, Cube) and [turn.name for turn in puzzle.turns] == wanted
