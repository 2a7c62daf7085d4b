"""Cube states as permutations and orientations of the pieces, and their group law."""

from dataclasses import dataclass
from functools import cache

from cube.errors import InvalidCubeError
from cube.facelets import Facelets
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS, recognise


@dataclass(frozen=True, slots=True)
class CubeState:
    """The place and orientation of each piece: [sigma, x, y] of S1.

    Entry ``i`` of a permutation names the piece in place ``i`` (Kociemba's "is replaced by"), in
    the order of `cube.pieces`. A corner's orientation counts clockwise thirds of a turn, an edge's
    is 0 or 1. Both are measured on the reference facelet: the one on U or D, or on F or B in the
    middle layer.

    A value may be in any of the twelve orbits: re-assembled cubes are states, too.

    Raises:
        InvalidCubeError: Not permutations of 8 and 12, or an orientation is out of range.
    """

    corner_permutation: tuple[int, ...]
    corner_orientation: tuple[int, ...]
    edge_permutation: tuple[int, ...]
    edge_orientation: tuple[int, ...]

    def __post_init__(self) -> None:
        if (
            sorted(self.corner_permutation) != list(range(8))
            or sorted(self.edge_permutation) != list(range(12))
            or len(self.corner_orientation) != 8
            or len(self.edge_orientation) != 12
            or not set(self.corner_orientation) <= {0, 1, 2}
            or not set(self.edge_orientation) <= {0, 1}
        ):
            raise InvalidCubeError(
                "a cube state has 8 corners twisted by 0 to 2 thirds and 12 edges flipped 0 "
                f"or 1 times, each piece once; this is {self.corner_permutation} "
                f"{self.corner_orientation} {self.edge_permutation} {self.edge_orientation}"
            )

    def __mul__(self, other: "CubeState") -> "CubeState":
        """Compose: first this state's rearrangement, then the other's (the law that S1 means)."""
        return CubeState(
            tuple(self.corner_permutation[i] for i in other.corner_permutation),
            tuple(
                (self.corner_orientation[i] + turn) % 3
                for i, turn in zip(other.corner_permutation, other.corner_orientation, strict=True)
            ),
            tuple(self.edge_permutation[i] for i in other.edge_permutation),
            tuple(
                (self.edge_orientation[i] + flip) % 2
                for i, flip in zip(other.edge_permutation, other.edge_orientation, strict=True)
            ),
        )

    def inverse(self) -> "CubeState":
        """Return the state that composes with this one to the solved cube."""
        corners = sorted(range(8), key=self.corner_permutation.__getitem__)
        edges = sorted(range(12), key=self.edge_permutation.__getitem__)
        return CubeState(
            tuple(corners),
            tuple(-self.corner_orientation[i] % 3 for i in corners),
            tuple(edges),
            tuple(self.edge_orientation[i] for i in edges),
        )

    def apply(self, moves: Move | MoveSequence) -> "CubeState":
        """Return the state after face turns."""
        corners, twists = self.corner_permutation, self.corner_orientation
        edges, flips = self.edge_permutation, self.edge_orientation
        for move in (moves,) if isinstance(moves, Move) else moves:
            turn = move_state(move)
            places, turned = turn.corner_permutation, turn.corner_orientation
            twists = tuple((twists[i] + by) % 3 for i, by in zip(places, turned, strict=True))
            corners = tuple(corners[i] for i in places)
            places, turned = turn.edge_permutation, turn.edge_orientation
            flips = tuple((flips[i] + by) % 2 for i, by in zip(places, turned, strict=True))
            edges = tuple(edges[i] for i in places)
        return CubeState(corners, twists, edges, flips)

    def facelet_places(self) -> tuple[int, ...]:
        """Return the facelet of the solved cube at each of the 54 places."""
        found = list(range(54))
        for places, permutation, orientation in (
            (CORNER_FACELETS, self.corner_permutation, self.corner_orientation),
            (EDGE_FACELETS, self.edge_permutation, self.edge_orientation),
        ):
            for place, piece, turn in zip(places, permutation, orientation, strict=True):
                for k, facelet in enumerate(places[piece]):
                    found[place[(k + turn) % len(place)]] = facelet
        return tuple(found)

    def to_facelets(self) -> Facelets:
        """Return the 54 stickers of the state."""
        return Facelets("".join(FACES[facelet // 9] for facelet in self.facelet_places()))

    @classmethod
    def from_facelets(cls, facelets: Facelets) -> "CubeState":
        """Recognise every piece by its colours; the result may be in any orbit.

        `cube.laws.examine` tells whether face turns can solve it.

        Raises:
            InvalidCubeError: The stickers do not form the pieces of a cube; the message names the
                first broken law.
        """
        pieces, problems = recognise(facelets)
        if pieces is None:
            raise InvalidCubeError(problems[0].text)
        return cls(*pieces)


SOLVED = CubeState(tuple(range(8)), (0,) * 8, tuple(range(12)), (0,) * 12)

# Clockwise quarter turns, "place i gets the piece from": Kociemba's cubie-level definitions.
_QUARTER_TURNS = {
    "U": ((3, 0, 1, 2, 4, 5, 6, 7), (0,) * 8, (3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11), (0,) * 12),
    "R": (
        (4, 1, 2, 0, 7, 5, 6, 3),
        (2, 0, 0, 1, 1, 0, 0, 2),
        (8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0),
        (0,) * 12,
    ),
    "F": (
        (1, 5, 2, 3, 0, 4, 6, 7),
        (1, 2, 0, 0, 2, 1, 0, 0),
        (0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11),
        (0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0),
    ),
    "D": ((0, 1, 2, 3, 5, 6, 7, 4), (0,) * 8, (0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11), (0,) * 12),
    "L": (
        (0, 2, 6, 3, 4, 1, 5, 7),
        (0, 1, 2, 0, 0, 2, 1, 0),
        (0, 1, 10, 3, 4, 5, 9, 7, 8, 2, 6, 11),
        (0,) * 12,
    ),
    "B": (
        (0, 1, 3, 7, 4, 5, 2, 6),
        (0, 0, 1, 2, 0, 0, 2, 1),
        (0, 1, 2, 11, 4, 5, 6, 10, 8, 9, 3, 7),
        (0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1),
    ),
}


@cache
def move_state(move: Move) -> CubeState:
    """Return the rearrangement of one move."""
    quarter = CubeState(*_QUARTER_TURNS[move.face])
    state = quarter
    for _ in range(move.turns - 1):
        state = state * quarter
    return state


def move_states() -> tuple[CubeState, ...]:
    """Return the rearrangements of all 18 moves, in the order of `Move.index`."""
    return tuple(map(move_state, ALL_MOVES))
