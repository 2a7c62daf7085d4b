"""The chain of subgroups of Thistlethwaite's method, in every orientation of the cube.

G0 is the whole group; G1 has no quarter turns about a first axis, G2 none about a second, G3 half
turns only, G4 is the solved cube. The order of the axes depends on the orientation: the tables are
made for "FRU" (Kociemba's edge convention), S2 drops U and D first, then F and B ("UFR").
Membership (S3): G1 needs every edge oriented; G2 also every corner and the edges of one slice in
their slice; G3 also the corners in an arrangement that half turns reach and each edge in its slice.
"""

from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np

from cube.moves import FACES, Move
from cube.state import CubeState
from solver.coordinates import rank_permutations, square_corners
from solver.cubies import Cubies, conjugate_moves, of_state, symmetries
from solver.errors import SolverError

AXES = "URF"


@dataclass(frozen=True, slots=True)
class Chain:
    """An orientation of the chain, named by the axes in the order in which they lose quarter turns.

    Attributes:
        axes: A permutation of ``URF``, each letter for its face and the opposite one.

    Raises:
        SolverError: This is not such a permutation.
    """

    axes: str = "FRU"

    def __post_init__(self) -> None:
        if sorted(self.axes) != sorted(AXES):
            raise SolverError(f"a chain must name the axes U, R and F once, not {self.axes!r}")

    def allows(self, move: Move, subgroup: int) -> bool:
        """Return whether a turn is a generator of G0, G1, G2 or G3 (subgroup 0 to 3)."""
        return move.turns == 2 or AXES[move.axis] not in self.axes[:subgroup]

    def seen(self, state: CubeState) -> Cubies:
        """Return the state in the orientation of the tables."""
        symmetry = symmetries()[self.symmetry]
        return symmetry * of_state(state) * symmetry.inverse()

    @property
    def symmetry(self) -> int:
        """The number of the rotation from this chain to the tables' orientation."""
        return _rotation(self.axes)

    def level(self, state: CubeState) -> int:
        """Return the number of the smallest subgroup, 0 to 4, that contains the state."""
        return (0, 1, 2, 2, 3, 4)[self.five_level(state)]

    def five_level(self, state: CubeState) -> int:
        """Return how many of S2's five stages the state has completed, 0 to 5."""
        cubies = self.seen(state)
        if cubies.flips.any():
            return 0
        if cubies.twists.any() or (cubies.edges[8:] < 8).any():
            return 1
        if square_corners()[rank_permutations(cubies.corners[None])[0]] < 0:
            return 2
        if ((cubies.edges[:8] ^ np.arange(8)) & 1).any():
            return 3
        return 5 if np.array_equal(cubies.row(), symmetries()[0].row()) else 4


TABLE_CHAIN = Chain("FRU")
S2_CHAIN = Chain("UFR")
ALL_CHAINS = tuple(Chain("".join(axes)) for axes in permutations("FRU"))


@cache
def _rotation(axes: str) -> int:
    """Return a rotation (even symmetry number: no mirror) that maps the axes to F, R and U."""
    wanted = [AXES.index(axis) for axis in "FRU"]
    turns = [3 * FACES.index(axis) for axis in axes]
    moved = conjugate_moves()[:, turns] // 3 % 3
    fits = np.flatnonzero((moved == wanted).all(axis=1))
    return int(fits[fits % 2 == 0][0])
