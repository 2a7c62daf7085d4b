"""The 3×3×3 cube, complete or with restricted turns: fewer faces, coupled faces, half turns.

S3's game 11: only two, three, four or five faces turn, or opposite faces turn together, in the same
or in the opposite sense. S3's restrictions Phi1 to Phi3 are those of Thistlethwaite's stages.

This module also represents the 3×3×3 cube as 54 slots of stickers: its places, its states as
arrangements and back.

Finally, it contains S3's delta: what half turns preserve of the corners besides signs and the two
tetrads.

The four corners of a tetrad can be divided into two pairs in three ways, one for each axis. Half
turns permute these ways alike in both tetrads, so delta = p o q^-1 of the two permutations p and q
is invariant.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from cube.drawing import Drawing, net_drawing
from cube.errors import InvalidCubeError
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
from cube.net import text_net
from cube.notations import parse_facelets
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.state import SOLVED, CubeState, move_state
from puzzles.kinds.pieces import Arrangement, Law, Pieces, Place
from puzzles.kinds.puzzle import PuzzleTurn
from solver.errors import SolverError

CUBE_PLACES = (
    *(Place(name, "corners", slots) for name, slots in zip(CORNERS, CORNER_FACELETS, strict=True)),
    *(Place(name, "edges", slots) for name, slots in zip(EDGES, EDGE_FACELETS, strict=True)),
)
CUBE_COLOURS = tuple(face for face in FACES for _ in range(9))


def cube_arrangement(state: CubeState) -> Arrangement:
    """Return the origin of the sticker in each of the 54 slots."""
    return np.array(state.facelet_places())


def cube_state(arrangement: Arrangement) -> CubeState:
    """Return the state of an arrangement of 54 slots."""
    found: list[tuple[int, ...]] = []
    for places in (CORNER_FACELETS, EDGE_FACELETS):
        home = {slots[0]: piece for piece, slots in enumerate(places)}
        shown = [[int(arrangement[slot]) for slot in place] for place in places]
        turns = tuple(next(k for k, slot in enumerate(row) if slot in home) for row in shown)
        found += [tuple(home[row[k]] for row, k in zip(shown, turns, strict=True)), turns]
    return CubeState(*found)


AXES = "URF"
TETRADS = ((0, 2, 5, 7), (1, 3, 4, 6))
"""The corners, by number, that half turns never mix: no two share an edge."""

PAIRS = (
    (((0, 2), (5, 7)), ((0, 7), (2, 5)), ((0, 5), (2, 7))),
    (((1, 3), (4, 6)), ((3, 4), (1, 6)), ((1, 4), (3, 6))),
)
"""For each tetrad the pairs of places that half turns about U, R and F exchange."""


def delta_of(corners: tuple[int, ...]) -> str:
    """Return the axes that p o q^-1 maps to U, R and F; ``URF`` for the identity.

    If a tetrad contains corners of the other one, they are numbered in order: the value is then
    also one of six, and half turns preserve it, but it is not one of S3's.

    Args:
        corners: The corner in each of the eight places.
    """
    p, q = (
        _pairs_permuted(corners, tetrad, pairs)
        for tetrad, pairs in zip(TETRADS, PAIRS, strict=True)
    )
    return "".join(AXES[p[q.index(axis)]] for axis in range(3))


def in_own_tetrads(corners: tuple[int, ...]) -> bool:
    """Return whether both tetrads contain their own corners."""
    return all({corners[place] for place in tetrad} == set(tetrad) for tetrad in TETRADS)


def _pairs_permuted(
    corners: tuple[int, ...],
    tetrad: tuple[int, ...],
    pairs: tuple[tuple[tuple[int, int], tuple[int, int]], ...],
) -> list[int]:
    """Return, for each axis, the home axis of the pairs of corners in its places."""
    inside = sorted(corners[place] for place in tetrad)
    home = dict(zip(inside, tetrad, strict=True))
    homes = [{frozenset(pair) for pair in both} for both in pairs]
    found = [{frozenset(home[corners[i]] for i in pair) for pair in both} for both in pairs]
    return [homes.index(pair) for pair in found]


def delta_law() -> Law:
    """Return delta as a law of the cube with half turns only.

    Besides it, the sums are S3's: a swap in a tetrad together with one in a slice changes delta and
    both signs, but not their product.
    """
    swap = CubeState(
        (2, 1, 0, *range(3, 8)),
        SOLVED.corner_orientation,
        (2, 1, 0, *range(3, 12)),
        SOLVED.edge_orientation,
    )
    return Law(
        "δ",
        "δ = p∘q⁻¹, how the pairs of the tetrad of URF are permuted among the axes, against those "
        "of the other tetrad: where it takes U R F (S3)",
        6,
        _delta,
        _said,
        (cube_arrangement(swap),),
    )


def _delta(arrangement: Arrangement) -> tuple[bool, str]:
    corners = cube_state(np.asarray(arrangement)).corner_permutation
    return in_own_tetrads(corners), delta_of(corners)


def _said(value: Any) -> str:
    own, delta = value
    return " ".join(delta) if own else "none, because a corner is in the other tetrad"


_SUFFIXES = {1: "", 2: "2", 3: "'"}
_QUARTERS = {1: "RL", 2: "RLFB", 3: "RLFBUD"}
"""The faces that lose their quarter turns under Phi1, Phi2 and Phi3: those of S3's figure."""


class CubePuzzle:
    """The 3×3×3 cube with some of its turns.

    Args:
        name: Its name for people.
        turns: The allowed turns, with the state after each.
        law: An invariant besides signs and angles, if it has a name.
    """

    def __init__(
        self, name: str, turns: dict[PuzzleTurn, CubeState], law: Law | None = None
    ) -> None:
        self.name = name
        self._turns = turns
        self._law = law

    @property
    def solved(self) -> CubeState:
        """The solved state."""
        return SOLVED

    @property
    def turns(self) -> tuple[PuzzleTurn, ...]:
        """Return every allowed move."""
        return tuple(self._turns)

    @property
    def complete(self) -> bool:
        """Whether all turns of all six faces are allowed."""
        return {turn.name for turn in self._turns} == {str(move) for move in ALL_MOVES}

    @cached_property
    def pieces(self) -> Pieces:
        """Return corners and edges, with all orientations that turns of six faces can produce."""
        turns = {turn.name: cube_arrangement(state) for turn, state in self._turns.items()}
        shape = [cube_arrangement(move_state(Move(face, 1))) for face in FACES]
        return Pieces(CUBE_PLACES, turns, CUBE_COLOURS, shape=shape, law=self._law)

    def apply(self, state: CubeState, turn: PuzzleTurn) -> CubeState:
        """Return the state after a move."""
        return state * self._turns[turn]

    def is_solved(self, state: CubeState) -> bool:
        """Return whether every piece is at home."""
        return state == SOLVED

    def text(self, state: CubeState) -> str:
        """Return the net."""
        return text_net(state.to_facelets().text)

    def picture(self, state: CubeState) -> str:
        """Draw the net in colours."""
        return self.drawn(state).svg()

    def drawn(self, state: CubeState) -> Drawing:
        """Return the net as shapes."""
        return net_drawing(state.to_facelets())

    def code(self, state: CubeState) -> str:
        """Return 54 letters."""
        return state.to_facelets().text

    def parse(self, text: str) -> CubeState:
        """Read 54 letters of faces or colours.

        Raises:
            SolverError: They are not a cube, not even a re-assembled one.
        """
        try:
            return CubeState.from_facelets(parse_facelets(text))
        except InvalidCubeError as error:
            raise SolverError(str(error)) from error

    def arrangement(self, state: CubeState) -> Arrangement:
        """Return the origin of each sticker."""
        return cube_arrangement(state)

    def state(self, arrangement: Arrangement) -> CubeState:
        """Return the state of an arrangement."""
        return cube_state(arrangement)


def face_cube(faces: str = FACES, name: str | None = None) -> CubePuzzle:
    """Return the cube with only some faces that turn (S3.11).

    Raises:
        SolverError: The letters are not faces, or one occurs twice.
    """
    if not faces or len(set(faces)) < len(faces) or not set(faces) <= set(FACES):
        raise SolverError(f"{faces!r}: name each face that turns once, of {' '.join(FACES)}")
    moves = [move for move in ALL_MOVES if move.face in faces]
    return CubePuzzle(name or f"<{', '.join(faces)}>", _single_turns(moves))


def restricted_cube(number: int) -> CubePuzzle:
    """Return S3's restriction Phi1, Phi2 or Phi3: without quarter turns of two, four, six faces."""
    moves = [m for m in ALL_MOVES if m.turns == 2 or m.face not in _QUARTERS[number]]
    return CubePuzzle(f"Φ{number}", _single_turns(moves), delta_law() if number == 3 else None)


def coupled_cube(*, same_sense: bool) -> CubePuzzle:
    """Return the cube whose opposite faces turn together (S3.11).

    In the same sense, seen from one end of their axis, this is Singmaster's slice turn Rs = R L';
    in the opposite sense it is his antislice turn Ra = R L.
    """
    turns = {}
    for one, two in ("UD", "RL", "FB"):
        layer = one + ("s" if same_sense else "a")
        for quarters in (1, 2, 3):
            other = 4 - quarters if same_sense else quarters
            moves = MoveSequence((Move(one, quarters), Move(two, other)))
            turn = PuzzleTurn(
                layer + _SUFFIXES[quarters], layer, one, layer + _SUFFIXES[4 - quarters]
            )
            turns[turn] = SOLVED.apply(moves)
    return CubePuzzle("slice group" if same_sense else "antislice group", turns)


def _single_turns(moves: Iterable[Move]) -> dict[PuzzleTurn, CubeState]:
    return {
        PuzzleTurn(str(m), m.face, FACES[m.axis], m.face + _SUFFIXES[4 - m.turns]): move_state(m)
        for m in moves
    }
