"""A state in the notation of the essays: [σ, M_A, M_S] of S1, and places with angles of S3.

Both describe the effect of a word on the solved cube. For corners they mark different stickers, so
their numbers differ; for edges they agree on every edge. The sums that turns cannot change agree
in any case (S3, problem 5).

Factors are applied from left to right, like moves.
"""

from dataclasses import dataclass

from cube.pieces import CORNERS, EDGES
from cube.state import CubeState

_THIRD_DEG, _HALF_DEG = 120, 180


@dataclass(frozen=True, slots=True)
class S1Position:
    """S1's [σ, M_A, M_S].

    The marked stickers are those on F and B, and on R and L in the layer between them. A corner's
    index counts thirds of a turn, clockwise: 0, 1 or -1; an edge's is 1, or -1 if it is flipped.

    Attributes:
        corners: σ on the corners: the new place of the piece in each place.
        edges: The same for the edges.
        edge_indices: M_A (arêtes), of the edge that is in each place afterwards.
        corner_indices: M_S (sommets), of the corner that is in each place afterwards.
    """

    corners: tuple[int, ...]
    edges: tuple[int, ...]
    edge_indices: tuple[int, ...]
    corner_indices: tuple[int, ...]

    @classmethod
    def of(cls, state: CubeState) -> "S1Position":
        """Convert a state."""
        twists = _measured(state.corner_permutation, state.corner_orientation, CORNERS)
        flips = _measured(state.edge_permutation, state.edge_orientation, EDGES)
        return cls(
            _inverse(state.corner_permutation),
            _inverse(state.edge_permutation),
            tuple(1 - 2 * flip for flip in flips),
            tuple((twist + 1) % 3 - 1 for twist in twists),
        )

    def __mul__(self, other: "S1Position") -> "S1Position":
        """Compose: indices are moved by the other's permutation, then combined.

        This is the law that S1 means, x + A(r, x') with indices counted by piece, written by place.
        S1 prints x + A(r⁻¹, x'), which is not associative.
        """
        corners, edges = _inverse(other.corners), _inverse(other.edges)
        return S1Position(
            tuple(other.corners[place] for place in self.corners),
            tuple(other.edges[place] for place in self.edges),
            tuple(
                self.edge_indices[i] * index
                for i, index in zip(edges, other.edge_indices, strict=True)
            ),
            tuple(
                (self.corner_indices[i] + index + 1) % 3 - 1
                for i, index in zip(corners, other.corner_indices, strict=True)
            ),
        )


@dataclass(frozen=True, slots=True)
class S3Position:
    """S3's places and angles.

    A corner's angle is the anticlockwise turn in its place that makes its sticker of U or D
    horizontal. An edge's angle is that between the arrow on the edge and the direction of its
    place; of all quarter turns only those of R and L change it.

    Attributes:
        corner_places: The place of each corner.
        corner_angles: Its angle there, degrees: 0, 120 or 240.
        edge_places: The place of each edge.
        edge_angles: Its angle there: 0 or 180.
    """

    corner_places: tuple[int, ...]
    corner_angles: tuple[int, ...]
    edge_places: tuple[int, ...]
    edge_angles: tuple[int, ...]

    @classmethod
    def of(cls, state: CubeState) -> "S3Position":
        """Convert a state."""
        corners, edges = _inverse(state.corner_permutation), _inverse(state.edge_permutation)
        flips = _measured(state.edge_permutation, state.edge_orientation, EDGES)
        return cls(
            corners,
            tuple(_THIRD_DEG * state.corner_orientation[place] for place in corners),
            edges,
            tuple(_HALF_DEG * flips[place] for place in edges),
        )


def s1_mark(name: str) -> int:
    """Return the sticker of a piece that S1 marks, by its number among the piece's facelets."""
    return next(i for faces in ("FB", "RL") for i, face in enumerate(name) if face in faces)


def _measured(
    pieces: tuple[int, ...], orientations: tuple[int, ...], names: tuple[str, ...]
) -> list[int]:
    """Return orientations in all places, by S1's marks instead of those of `CubeState`."""
    marks = [s1_mark(name) for name in names]
    return [
        (turn + marks[piece] - marks[place]) % len(names[place])
        for place, (piece, turn) in enumerate(zip(pieces, orientations, strict=True))
    ]


def _inverse(permutation: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(range(len(permutation)), key=permutation.__getitem__))
