"""The 3×3×3 cube, whole or with some of its turns only: fewer faces, coupled faces, half turns.

S3's game 11: only two, three, four or five faces turn, or opposite faces turn together, in the same
or in the opposite sense. S3's restrictions Phi1 to Phi3 are those of Thistlethwaite's stages.
"""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from cube.errors import InvalidCubeError
from cube.facelets import Facelets
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
from cube.net import net_cells, text_net
from cube.notations import parse_facelets
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.state import SOLVED, CubeState, move_state
from solver.errors import SolverError
from solver.puzzles.drawing import colour_of, square, svg
from solver.puzzles.pieces import Arrangement, Pieces, Place
from solver.puzzles.puzzle import Turn

CUBE_PLACES = (
    *(Place(name, "corners", slots) for name, slots in zip(CORNERS, CORNER_FACELETS, strict=True)),
    *(Place(name, "edges", slots) for name, slots in zip(EDGES, EDGE_FACELETS, strict=True)),
)
CUBE_COLOURS = tuple(face for face in FACES for _ in range(9))
_SUFFIXES = {1: "", 2: "2", 3: "'"}
_QUARTERS = {1: "FB", 2: "FBRL", 3: "FBRLUD"}
"""The faces that lose their quarter turns under Phi1, Phi2 and Phi3."""


def cube_arrangement(state: CubeState) -> Arrangement:
    """Where the sticker in each of the 54 slots comes from."""
    return np.array(state.facelet_places())


def cube_state(arrangement: Arrangement) -> CubeState:
    """The state that an arrangement of 54 slots is."""
    found: list[tuple[int, ...]] = []
    for places in (CORNER_FACELETS, EDGE_FACELETS):
        home = {slots[0]: piece for piece, slots in enumerate(places)}
        shown = [[int(arrangement[slot]) for slot in place] for place in places]
        turns = tuple(next(k for k, slot in enumerate(row) if slot in home) for row in shown)
        found += [tuple(home[row[k]] for row, k in zip(shown, turns, strict=True)), turns]
    return CubeState(*found)


class Cube:
    """The 3×3×3 cube with some turns.

    Args:
        name: What people call it.
        turns: The turns that are allowed, and the state that each leads to.
    """

    def __init__(self, name: str, turns: dict[Turn, CubeState]) -> None:
        self.name = name
        self._turns = turns

    @property
    def solved(self) -> CubeState:
        """Every piece in its place."""
        return SOLVED

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every move that is allowed."""
        return tuple(self._turns)

    @property
    def complete(self) -> bool:
        """Whether all turns of all six faces are allowed."""
        return {turn.name for turn in self._turns} == {str(move) for move in ALL_MOVES}

    @cached_property
    def pieces(self) -> Pieces:
        """Corners and edges, which may lie as the turns of all six faces could lay them."""
        turns = {turn.name: cube_arrangement(state) for turn, state in self._turns.items()}
        shape = [cube_arrangement(move_state(Move(face, 1))) for face in FACES]
        return Pieces(CUBE_PLACES, turns, CUBE_COLOURS, shape=shape)

    def apply(self, state: CubeState, turn: Turn) -> CubeState:
        """The state after a move."""
        return state * self._turns[turn]

    def is_solved(self, state: CubeState) -> bool:
        """Whether every piece is in its place."""
        return state == SOLVED

    def text(self, state: CubeState) -> str:
        """The net."""
        return text_net(state.to_facelets().text)

    def picture(self, state: CubeState) -> str:
        """The net in colours."""
        return net_picture(state.to_facelets())

    def code(self, state: CubeState) -> str:
        """54 letters."""
        return state.to_facelets().text

    def parse(self, text: str) -> CubeState:
        """Read 54 letters of faces or colours.

        Raises:
            SolverError: They are no cube, not even a re-assembled one.
        """
        try:
            return CubeState.from_facelets(parse_facelets(text))
        except InvalidCubeError as error:
            raise SolverError(str(error)) from error

    def arrangement(self, state: CubeState) -> Arrangement:
        """Where each sticker comes from."""
        return cube_arrangement(state)

    def state(self, arrangement: Arrangement) -> CubeState:
        """The state that an arrangement is."""
        return cube_state(arrangement)


def net_picture(facelets: Facelets, labels: dict[int, str] | None = None) -> str:
    """The net of 54 facelets as SVG.

    Args:
        facelets: The stickers.
        labels: What is written on some of them.
    """
    patches = [
        square(column, row, colour_of(facelets.text[i], FACES), (labels or {}).get(i, ""))
        for row, column, i in net_cells()
    ]
    return svg(patches, 30)


def face_cube(faces: str = FACES, name: str | None = None) -> Cube:
    """The cube of which only some faces turn (S3.11).

    Raises:
        SolverError: These letters are no faces, or one is there twice.
    """
    if not faces or len(set(faces)) < len(faces) or not set(faces) <= set(FACES):
        raise SolverError(f"{faces!r}: name each face that turns once, of {' '.join(FACES)}")
    moves = [move for move in ALL_MOVES if move.face in faces]
    return Cube(name or f"<{', '.join(faces)}>", _single_turns(moves))


def restricted_cube(number: int) -> Cube:
    """S3's restriction Phi1, Phi2 or Phi3: without the quarter turns of two, four, six faces."""
    moves = [m for m in ALL_MOVES if m.turns == 2 or m.face not in _QUARTERS[number]]
    return Cube(f"Φ{number}", _single_turns(moves))


def coupled_cube(*, same_sense: bool) -> Cube:
    """The cube whose opposite faces turn together (S3.11).

    In the same sense, looked at from one end of their axis, is Singmaster's slice turn Rs = R L';
    in the opposite sense it is his antislice turn Ra = R L.
    """
    turns = {}
    for one, two in ("UD", "RL", "FB"):
        layer = one + ("s" if same_sense else "a")
        for quarters in (1, 2, 3):
            other = 4 - quarters if same_sense else quarters
            moves = MoveSequence((Move(one, quarters), Move(two, other)))
            turn = Turn(layer + _SUFFIXES[quarters], layer, one, layer + _SUFFIXES[4 - quarters])
            turns[turn] = SOLVED.apply(moves)
    return Cube("slice group" if same_sense else "antislice group", turns)


def _single_turns(moves: Iterable[Move]) -> dict[Turn, CubeState]:
    return {
        Turn(str(m), m.face, FACES[m.axis], m.face + _SUFFIXES[4 - m.turns]): move_state(m)
        for m in moves
    }
