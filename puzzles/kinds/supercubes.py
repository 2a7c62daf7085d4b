"""The cube with arrows on its centres, and the cube with three colours (S3.12)."""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cube.drawing import Drawing, net_drawing
from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import net_cells, text_net
from cube.pieces import CENTRE_FACELETS
from cube.state import SOLVED, CubeState
from puzzles.kinds.cubes import CUBE_COLOURS, CUBE_PLACES, cube_arrangement, cube_state, face_cube
from puzzles.kinds.painted import Painted
from puzzles.kinds.pieces import Arrangement, Pieces, Place
from puzzles.kinds.puzzle import PuzzleTurn, Stickers
from solver.errors import SolverError

ARROWS = "↑→↓←"
"""Direction of a centre's arrow on the net after 0 to 3 clockwise quarter turns."""


@dataclass(frozen=True, slots=True)
class SuperState:
    """A cube with visible orientations of its centres.

    Attributes:
        cube: Corners and edges.
        centres: Clockwise quarter turns of each centre, 0 to 3, in the order URFDLB.
    """

    cube: CubeState
    centres: tuple[int, ...]


class Supercube:
    """The cube with arrows on its centres: the parity of their quarter turns must match, too."""

    name = "supercube"
    solved = SuperState(SOLVED, (0,) * 6)

    def __init__(self) -> None:
        self._cube = face_cube()

    @property
    def turns(self) -> tuple[PuzzleTurn, ...]:
        """Return the turns of the six faces."""
        return self._cube.turns

    @cached_property
    def pieces(self) -> Pieces:
        """Return corners, edges, and four slots around each centre that turn with it."""
        places = [*CUBE_PLACES]
        places += [
            Place(face, "centres", tuple(range(54 + 4 * i, 58 + 4 * i)))
            for i, face in enumerate(FACES)
        ]
        turns = {turn.name: self.arrangement(self.apply(self.solved, turn)) for turn in self.turns}
        colours = [*CUBE_COLOURS, *(f"{face}{arrow}" for face in FACES for arrow in ARROWS)]
        return Pieces(places, turns, colours)

    def apply(self, state: SuperState, turn: PuzzleTurn) -> SuperState:
        """Return the state after a move."""
        quarters = {"": 1, "2": 2, "'": 3}[turn.name[1:]]
        face = FACES.index(turn.name[0])
        centres = tuple((c + quarters * (i == face)) % 4 for i, c in enumerate(state.centres))
        return SuperState(self._cube.apply(state.cube, turn), centres)

    def is_solved(self, state: SuperState) -> bool:
        """Return whether every piece is at home and every arrow has its original direction."""
        return state == self.solved

    def text(self, state: SuperState) -> str:
        """Return the net, with arrows for the centres."""
        rows = text_net(state.cube.to_facelets().text).splitlines()
        grid = [list(row) for row in rows]
        for row, column, i in net_cells():
            if i in CENTRE_FACELETS:
                grid[row][2 * column] = ARROWS[state.centres[i // 9]]
        return "\n".join("".join(row) for row in grid)

    def drawn(self, state: SuperState) -> Drawing:
        """Return the net as shapes."""
        labels = {i: ARROWS[state.centres[i // 9]] for i in CENTRE_FACELETS}
        return net_drawing(state.cube.to_facelets(), labels)

    def code(self, state: SuperState) -> str:
        """Return 54 letters and six digits, the centres' quarter turns in the order URFDLB."""
        return state.cube.to_facelets().text + "".join(map(str, state.centres))

    def parse(self, text: str) -> SuperState:
        """Read 54 letters and six digits.

        Raises:
            SolverError: They are not a supercube.
        """
        match = re.fullmatch(r"(\D+)([0-3]{6})", "".join(text.split()))
        if match is None:
            raise SolverError(
                "a supercube is written as 54 letters and six digits 0 to 3: the clockwise "
                "quarter turns of the centres U R F D L B"
            )
        return SuperState(self._cube.parse(match[1]), tuple(map(int, match[2])))

    def arrangement(self, state: SuperState) -> Arrangement:
        """Return the origin of each sticker and each arrow."""
        arrows = [54 + 4 * i + (k - c) % 4 for i, c in enumerate(state.centres) for k in range(4)]
        return np.concatenate([cube_arrangement(state.cube), arrows])

    def state(self, arrangement: Arrangement) -> SuperState:
        """Return the state of an arrangement."""
        centres = tuple(int(-(arrangement[54 + 4 * i] - 54) % 4) for i in range(6))
        return SuperState(cube_state(arrangement[:54]), centres)


class ThreeColourCube(Painted):
    """The cube with one colour for opposite faces: its state is 54 letters of U, R and F."""

    def __init__(self) -> None:
        cube = face_cube()
        made = {turn.name: (turn, cube.pieces.turns[turn.name]) for turn in cube.turns}
        colours = [FACES[FACES.index(face) % 3] for face in CUBE_COLOURS]
        super().__init__("three-colour cube", CUBE_PLACES, made, colours)

    def text(self, state: Stickers) -> str:
        """Return the net."""
        return text_net("".join(state))

    def drawn(self, state: Stickers) -> Drawing:
        """Return the net as shapes."""
        return net_drawing(Facelets("".join(state)))
