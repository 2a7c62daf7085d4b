"""Solves the 2×2×2 cube in the fewest turns.

One corner never moves, because turning a face equals turning the opposite one and the whole cube
(S4). That leaves 7! * 3**6 = 3 674 160 states; their distances in turns of U, R and F are all
stored, one byte each.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.errors import InvalidCubeError
from cube.moves import Move, MoveSequence
from cube.pocket import PocketState, home, rotations
from cube.state import SOLVED
from solver import coordinates
from solver.breadth_first import pair_distances
from solver.cubies import move_cubies
from solver.table_files import Arrays
from solver.tables import Obtained, Progress, TableSet, TableStore

TURNS = tuple(range(9))
"""U, R and F: their numbers in the order of `Move.index`."""
STATES = 5040 * 729
_PLACES = (0, 1, 2, 3, 4, 5, 7)

Table = NDArray[Any]


def _numbered(places: Table) -> Table:
    """Renumber corners 0 to 7 without the fixed one as 0 to 6."""
    return places - (places > 6)


def permutation_moves() -> NDArray[np.int64]:
    """Return the effect of turns on the permutation of seven corners, shape (5040, 9)."""
    rows = coordinates.all_permutations(7)
    moves = [_numbered(move_cubies()[turn].corners[list(_PLACES)]) for turn in TURNS]
    return np.stack([coordinates.rank_permutations(rows[:, move]) for move in moves], axis=1)


def twist_moves() -> NDArray[np.int64]:
    """Return the effect of turns on the twists of seven corners, shape (729, 9)."""
    rows = coordinates.orientation_rows(3, 7)
    columns = []
    for turn in TURNS:
        cubies = move_cubies()[turn]
        turned = rows[:, _numbered(cubies.corners[list(_PLACES)])] + cubies.twists[list(_PLACES)]
        columns.append(coordinates.rank_orientations(turned % 3, 3))
    return np.stack(columns, axis=1)


def _build(progress: Progress) -> Arrays:
    progress(0.0)
    permutations, twists = permutation_moves(), twist_moves()
    distances = pair_distances(permutations, twists, TURNS)
    progress(1.0)
    return {
        "distances": distances,
        "permutation_moves": permutations.astype(np.uint16),
        "twist_moves": twists.astype(np.uint16),
    }


POCKET_TABLE_SET = TableSet("pocket", 1, _build)


@dataclass(frozen=True, slots=True)
class PocketSolver:
    """Solves 2×2×2 cubes by following decreasing distances."""

    distances: Table
    permutation_moves: Table
    twist_moves: Table
    source: Obtained

    def solve(self, state: PocketState) -> MoveSequence:
        """Return the fewest turns, at most 11, for the cube as it is held.

        Raises:
            InvalidCubeError: Turns cannot solve the state.
        """
        seen, rotation = self._home(state)
        permutation, twist = _coordinates(seen)
        size, turns = len(self.twist_moves), []
        togo = self.distances[permutation * size + twist]
        while togo:
            there = self.permutation_moves[permutation].astype(int) * size + self.twist_moves[twist]
            turn = int(np.flatnonzero(self.distances[there] == togo - 1)[0])
            permutation, twist = divmod(int(there[turn]), size)
            turns.append(turn)
            togo -= 1
        return MoveSequence(tuple(_as_held(rotation)[turn] for turn in turns))

    @staticmethod
    def _home(state: PocketState) -> tuple[PocketState, int]:
        if not state.legal:
            raise InvalidCubeError(
                f"turns cannot solve this 2×2×2 cube: its corners are twisted by "
                f"{sum(state.corner_orientation) % 3} thirds in total, not by whole turns; "
                "was a corner twisted by hand?"
            )
        return home(state)


def _coordinates(state: PocketState) -> tuple[int, int]:
    corners = _numbered(np.array(state.corner_permutation)[list(_PLACES)])
    twists = np.array(state.corner_orientation)[list(_PLACES)]
    return (
        int(coordinates.rank_permutations(corners[None])[0]),
        int(coordinates.rank_orientations(twists[None], 3)[0]),
    )


def _as_held(rotation: int) -> list[Move]:
    """Return each turn on the cube before it was rotated."""
    whole = rotations()[rotation]
    back = next(other for other in rotations() if whole * other == rotations()[0])
    states = {PocketState.of(SOLVED.apply(move)): move for move in map(Move.from_index, range(18))}
    solved = rotations()[0]
    return [
        states[whole * solved.apply(MoveSequence((Move.from_index(turn),))) * back]
        for turn in TURNS
    ]


def load_pocket(store: TableStore | None = None, progress: Progress | None = None) -> PocketSolver:
    """Load the solver with its table (3.7 MB); a missing one is built within a second or two.

    Raises:
        TableError: The table could not be built.
    """
    source = (store or TableStore()).obtain(POCKET_TABLE_SET, progress)
    arrays = source.arrays
    return PocketSolver(
        arrays["distances"], arrays["permutation_moves"], arrays["twist_moves"], source
    )
