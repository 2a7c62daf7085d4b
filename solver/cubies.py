"""Moves and symmetries of the cube as arrays of cubies, the basis of every table.

A cube is four rows in Kociemba's order and "is replaced by" sense: the corner (edge) at place i is
number ``corners[i]`` (``edges[i]``), twisted by ``twists[i]`` (flipped by ``flips[i]``).

Turns are numbered as in ``Move.index``, and seen through symmetries.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES, Move, MoveSequence
from cube.state import CubeState, move_states

MOVES = 18
_CLOCKWISE, _MIRROR = 3, 3
_TWIST_SUMS = np.array(
    [
        [0, 1, 2, 3, 4, 5],
        [1, 2, 0, 4, 5, 3],
        [2, 0, 1, 5, 3, 4],
        [3, 5, 4, 0, 2, 1],
        [4, 3, 5, 1, 0, 2],
        [5, 4, 3, 2, 1, 0],
    ]
)
"""Twists compose like the symmetries of a triangle: 0 to 2 turn it, 3 to 5 mirror it, too."""


@dataclass(frozen=True, slots=True)
class Cubies:
    """Permutations of the cube's pieces: of states, of moves or of symmetries; one or many.

    Shapes: corners and twists (…, 8), edges and flips (…, 12), all int64 and read-only. Twists of a
    mirrored cube run from 3 to 5 (Kociemba's convention).
    """

    corners: NDArray[np.int64]
    twists: NDArray[np.int64]
    edges: NDArray[np.int64]
    flips: NDArray[np.int64]

    @classmethod
    def of_rows(cls, rows: NDArray[Any]) -> "Cubies":
        """Return the permutations in rows of the form of `row`, shape (…, 40)."""
        wide = rows.astype(np.int64)
        return cls(wide[..., :8], wide[..., 8:16], wide[..., 16:28], wide[..., 28:])

    def __mul__(self, other: "Cubies") -> "Cubies":
        """Compose: first this one, then the other; of two that are many, the axes are matched."""
        return Cubies(
            _at(self.corners, other.corners),
            _TWIST_SUMS[_at(self.twists, other.corners), other.twists],
            _at(self.edges, other.edges),
            (_at(self.flips, other.edges) + other.flips) % 2,
        )

    def inverse(self) -> "Cubies":
        """Return the permutations that undo these."""
        corners, edges = np.argsort(self.corners), np.argsort(self.edges)
        twists = _at(self.twists, corners)
        turned = np.where(twists >= _MIRROR, twists, -twists % _CLOCKWISE)
        return Cubies(corners, turned, edges, _at(self.flips, edges))

    def row(self) -> NDArray[np.uint8]:
        """Return the forty numbers of each in a row: corners, twists, edges, flips."""
        parts = (self.corners, self.twists, self.edges, self.flips)
        return np.concatenate(parts, axis=-1).astype(np.uint8)


def _at(values: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return values at places of their last axis."""
    if values.ndim == 1 or places.ndim == 1:
        return values[..., places]
    return np.take_along_axis(values, places, axis=-1)


def of_state(state: CubeState) -> Cubies:
    """Return the state as arrays."""
    return Cubies(
        np.array(state.corner_permutation),
        np.array(state.corner_orientation),
        np.array(state.edge_permutation),
        np.array(state.edge_orientation),
    )


@cache
def move_cubies() -> tuple[Cubies, ...]:
    """Return the eighteen face turns, in the order of ``Move.index``."""
    return tuple(of_state(state) for state in move_states())


def _symmetry(corners: str, twists: str, edges: str, flips: str) -> Cubies:
    rows = [np.array([int(c, 16) for c in text]) for text in (corners, twists, edges, flips)]
    return Cubies(*rows)


@cache
def symmetries() -> tuple[Cubies, ...]:
    """Return the 48 symmetries of the cube; number = 16 * u + 8 * f + 2 * q + m.

    u turns about the URF corner, f half turns about the F axis, q quarter turns about the U axis
    and m mirrors left and right, in this order of multiplication, so that the first sixteen keep
    the U-D axis. Source: H. Kociemba, "The two-phase algorithm: symmetry reduction".
    """
    corner = _symmetry("04513762", "12122121", "18593b7a0462", "101010101111")
    half = _symmetry("54761032", "00000000", "6547210398ba", "000000000000")
    quarter = _symmetry("30127456", "00000000", "30127456b89a", "000000001111")
    mirror = _symmetry("10325476", "33333333", "2103654798ba", "000000000000")
    one = Cubies(np.arange(8), np.zeros(8, int), np.arange(12), np.zeros(12, int))
    found: list[Cubies] = []
    turned_u = one
    for _ in range(3):
        turned_f = turned_u
        for _ in range(2):
            turned_q = turned_f
            for _ in range(4):
                found += [turned_q, turned_q * mirror]
                turned_q = turned_q * quarter
            turned_f = turned_f * half
        turned_u = turned_u * corner
    return tuple(found)


@cache
def conjugate_moves() -> NDArray[np.int64]:
    """Return an array (48, 18): the turn that turn m becomes in the cube seen through symmetry s.

    ``conjugate_moves()[s, m]`` is the index of ``s * m * s.inverse()``.
    """
    turns = np.array([cubies.corners for cubies in move_cubies()])
    through = np.array([symmetry.corners for symmetry in symmetries()])
    within = turns[:, np.argsort(through, axis=1)].swapaxes(0, 1)
    conjugates = through[np.arange(len(through))[:, None, None], within]
    # No two turns move the corners alike.
    same = (conjugates[:, :, None] == turns).all(axis=3)
    table = np.asarray(np.argmax(same, axis=2))
    table.flags.writeable = False
    return table


@cache
def symmetry_products() -> NDArray[np.int64]:
    """Return an array (48, 48): the number of the product of two symmetries."""
    index = {symmetry.row().tobytes(): number for number, symmetry in enumerate(symmetries())}
    return np.array([[index[(a * b).row().tobytes()] for b in symmetries()] for a in symmetries()])


@cache
def symmetry_inverses() -> NDArray[np.int64]:
    """Return an array (48,): the number of the inverse of each symmetry."""
    return np.array([row.tolist().index(0) for row in symmetry_products()])


def allowed_turns(faces: str = FACES) -> NDArray[np.uint32]:
    """Return bit sets of the turns allowed after each turn (18: any; 19 + face: not that face).

    No face is turned twice in a row, and of two opposite faces U, R or F is turned first.
    """
    masks = [0] * 25
    for turn in range(MOVES):
        if FACES[turn // 3] not in faces:
            continue
        for last in range(MOVES):
            before, after = last // 3, turn // 3
            if before != after and before != after + 3:
                masks[last] |= 1 << turn
        masks[18] |= 1 << turn
        for face in range(6):
            if turn // 3 != face:
                masks[19 + face] |= 1 << turn
    return np.array(masks, dtype=np.uint32)


def moves_seen(
    turns: Iterable[int], seen: NDArray[np.int64], *, inverse: bool = False
) -> MoveSequence:
    """Return the moves of the cube that correspond to turns of a cube seen through a symmetry.

    Args:
        turns: The numbers of the turns.
        seen: Each turn of the cube as seen through the symmetry: a row of `conjugate_moves`.
        inverse: Whether the cube seen is the inverse.
    """
    back = np.argsort(seen[:MOVES]).tolist()
    moves = MoveSequence(tuple(Move.from_index(back[turn]) for turn in turns))
    return moves.inverse() if inverse else moves
