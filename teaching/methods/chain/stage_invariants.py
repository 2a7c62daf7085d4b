"""S3's invariants of a state: what each of Thistlethwaite's restrictions preserves.

Without quarter turns of one pair of faces (Phi1) every edge keeps its angle; without those of two
pairs (Phi2) every corner does, too, and the middle slice keeps its edges; with half turns only
(Phi3) every slice keeps its edges, both tetrads keep their corners, and delta = p o q^-1 is
invariant, where p and q are the permutations of the pairs of each tetrad among the three axes.
"""

from dataclasses import dataclass

from cube.pieces import CORNERS, EDGES
from cube.state import CubeState
from puzzles.kinds.cube_laws import TETRADS, delta_of, in_own_tetrads
from solver.coordinates import E_EDGES, M_EDGES, S_EDGES
from solver.cubies import symmetries
from solver.stages.subgroup_chain import TABLE_CHAIN, Chain

_AXES = "URF"


@dataclass(frozen=True, slots=True)
class Invariants:
    """The differences from the solved cube, in terms of a chain.

    Attributes:
        flipped: Edges whose angle is 180 degrees.
        twisted: Corners whose angle is 120 or 240 degrees.
        outside_middle: Edges of the slice that is filled first, outside it.
        outside_slices: Edges outside their slice, of all three.
        outside_tetrads: Corners in the other tetrad.
        delta: The axes that p o q^-1 maps to U, R and F; ``URF`` for the identity, empty while a
            corner is in the other tetrad.
    """

    flipped: tuple[str, ...]
    twisted: tuple[str, ...]
    outside_middle: tuple[str, ...]
    outside_slices: tuple[str, ...]
    outside_tetrads: tuple[str, ...]
    delta: str

    @property
    def axes_moved(self) -> int:
        """Return how many axes delta moves; all three while it has no value."""
        return len(_AXES) if not self.delta else sum(map(str.__ne__, self.delta, _AXES))


def invariants(state: CubeState, chain: Chain = TABLE_CHAIN) -> Invariants:
    """Return S3's invariants of a state in the orientation of a chain."""
    seen = chain.seen(state)
    back = symmetries()[chain.symmetry].inverse()
    corner = [CORNERS[back.corners[piece]] for piece in seen.corners]
    edge = [EDGES[back.edges[piece]] for piece in seen.edges]
    own = {place: group for group in (M_EDGES, S_EDGES, E_EDGES) for place in group}
    strangers = [i for i in range(12) if int(seen.edges[i]) not in own[i]]
    corners = state.corner_permutation
    tetrad = {place: group for group in TETRADS for place in group}
    return Invariants(
        tuple(edge[i] for i in range(12) if seen.flips[i]),
        tuple(corner[i] for i in range(8) if seen.twists[i]),
        tuple(edge[i] for i in range(8) if seen.edges[i] >= 8),
        tuple(edge[i] for i in strangers),
        tuple(corner[i] for i in range(8) if int(seen.corners[i]) not in tetrad[i]),
        delta_of(corners) if in_own_tetrads(corners) else "",
    )
