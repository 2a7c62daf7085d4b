"""The 3×3×3 cube, complete or with restricted turns: fewer faces, coupled faces, half turns.

S3's game 11: only two, three, four or five faces turn, or opposite faces turn together, in the same
or in the opposite sense. S3's restrictions Phi1 to Phi3 are those of Thistlethwaite's stages.

A state is an arrangement of 54 slots of stickers.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from math import factorial

import numpy as np

from cube.drawing import Drawing, net_drawing
from cube.errors import InvalidCubeError
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
from cube.net import text_net
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.state import SOLVED, CubeState, move_state
from cube.written.written_cube import WrittenCube
from puzzles.kinds.cube_laws import coset_laws, delta_law, total_law
from puzzles.kinds.pieces import Arrangement, Law, Phrase, Pieces, Place
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


_COUPLED = {
    True: (
        Phrase(
            "slice_corners",
            "the corners, up to the 24 rotations of the whole cube: turns move them like one piece",
        ),
        Phrase(
            "slice_edges",
            "the edges, seen from the corners, up to turns of the three middle layers; a sign ties "
            "both, so 4³/2 ways go with each rotation and the group has 4³·24/2 elements",
        ),
    ),
    False: (
        Phrase(
            "antislice_corners", "the corners, up to the 96 arrangements that turns make of them"
        ),
        Phrase(
            "antislice_edges",
            "the edges, seen from the corners, up to the 64 arrangements that go with each: the "
            "group has 96·64 elements",
        ),
    ),
}
"""What coupled faces keep of the corners and edges, if they turn in the same sense or not."""
_SUFFIXES = {1: "", 2: "2", 3: "'"}
_QUARTERS = {1: "RL", 2: "RLFB", 3: "RLFBUD"}
"""The faces that lose their quarter turns under Phi1, Phi2 and Phi3: those of S3's figure."""


class CubePuzzle:
    """The 3×3×3 cube with some of its turns.

    Args:
        name: Its name for people.
        turns: The allowed turns, with the state after each.
        laws: Invariants besides signs and angles, if they have names.
    """

    def __init__(
        self, name: str, turns: dict[PuzzleTurn, CubeState], laws: tuple[Law, ...] = ()
    ) -> None:
        self.name = name
        self._turns = turns
        self._laws = laws

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

    @property
    def stopped(self) -> str:
        """Return the faces that do not turn, if all turns of the others are allowed; else all."""
        allowed = {turn.name for turn in self._turns}
        faces = {name[0] for name in allowed}
        whole = {str(move) for move in ALL_MOVES if move.face in faces}
        return "".join(face for face in FACES if allowed != whole or face not in faces)

    @cached_property
    def pieces(self) -> Pieces:
        """Return corners and edges, with all orientations that turns of six faces can produce."""
        turns = {turn.name: cube_arrangement(state) for turn, state in self._turns.items()}
        shape = [cube_arrangement(move_state(Move(face, 1))) for face in FACES]
        return Pieces(CUBE_PLACES, turns, CUBE_COLOURS, shape=shape, laws=self._laws)

    def apply(self, state: CubeState, turn: PuzzleTurn) -> CubeState:
        """Return the state after a move."""
        return state * self._turns[turn]

    def is_solved(self, state: CubeState) -> bool:
        """Return whether every piece is at home."""
        return state == SOLVED

    def text(self, state: CubeState) -> str:
        """Return the net."""
        return text_net(state.to_facelets().text)

    def drawn(self, state: CubeState) -> Drawing:
        """Return the net as shapes."""
        return net_drawing(state.to_facelets())

    def code(self, state: CubeState) -> str:
        """Return 54 letters."""
        return state.to_facelets().text

    def parse(self, text: str) -> CubeState:
        """Read 54 letters of faces or colours, as `WrittenCube.parse` does.

        Raises:
            SolverError: They are not a cube, not even a re-assembled one.
        """
        try:
            return CubeState.from_facelets(WrittenCube.parse(text).facelets)
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

    Args:
        faces: The faces; a face with a ``2`` makes only half turns: ``R2U2``.
        name: A name for people; by default the faces.

    Raises:
        SolverError: The letters are not faces, or one occurs twice.
    """
    named = re.findall(r"\D2?", faces)
    letters = "".join(each[0] for each in named)
    unknown = len(set(letters)) < len(letters) or not set(letters) <= set(FACES)
    if unknown or not named or "".join(named) != faces:
        raise SolverError(f"{faces!r}: name each face that turns once, of {' '.join(FACES)}")
    moves = [m for m in ALL_MOVES if m.face in named or str(m) in named]
    laws = _pair_laws(faces) if letters == faces else ()
    return CubePuzzle(name or f"<{', '.join(named)}>", _single_turns(moves), laws)


def _pair_laws(faces: str) -> tuple[Law, ...]:
    """Return the laws of one or two faces that signs and angles do not express."""
    if len(faces) > 2:
        return ()
    turns = [cube_arrangement(move_state(Move(face, 1))) for face in faces]
    if len(faces) == 1:
        values = factorial(4) // 4, factorial(4)
        corners = Phrase("face_corners", "the corners of {face}, up to its turns", face=faces)
        edges = Phrase("face_edges", "the edges of {face}, seen from the corners", face=faces)
        return coset_laws(turns, values, (corners, edges))
    one, other = faces[0], faces[1]
    if FACES.index(one) % 3 != FACES.index(other) % 3:
        return (total_law(turns),)
    values = factorial(4) ** 2 // 16, factorial(4) ** 2
    pair = {"one": one, "other": other}
    up_to = "the corners of {one} and of {other}, up to turns of each face (4·4)"
    together = "the edges of {one} and of {other}, seen from the corners: both turn together"
    corners, edges = Phrase("pair_corners", up_to, **pair), Phrase("pair_edges", together, **pair)
    return coset_laws(turns, values, (corners, edges))


def restricted_cube(number: int) -> CubePuzzle:
    """Return S3's restriction Phi1, Phi2 or Phi3: without quarter turns of two, four, six faces."""
    moves = [m for m in ALL_MOVES if m.turns == 2 or m.face not in _QUARTERS[number]]
    return CubePuzzle(f"Φ{number}", _single_turns(moves), (delta_law(),) if number == 3 else ())


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
    name = "slice group" if same_sense else "antislice group"
    ways = (24, 32) if same_sense else (96, 64)
    values = factorial(8) * 3**8 // ways[0], factorial(12) * 2**12 // ways[1]
    arrangements = [cube_arrangement(state) for state in turns.values()]
    return CubePuzzle(name, turns, coset_laws(arrangements, values, _COUPLED[same_sense]))


def _single_turns(moves: Iterable[Move]) -> dict[PuzzleTurn, CubeState]:
    return {
        PuzzleTurn(str(m), m.face, FACES[m.axis], m.face + _SUFFIXES[4 - m.turns]): move_state(m)
        for m in moves
    }
