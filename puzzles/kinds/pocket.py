"""The 2×2×2 cube: a box whose layers R, U and F turn, read in S4's letters, too."""

from cube.moves import FACES
from cube.notations import S4_COLOURS, S4_ORDER
from puzzles.kinds.box import Box
from puzzles.kinds.puzzle import Stickers

_CELLS = 24


class PocketCube(Box):
    """The 2×2×2 cube with the corner down-back-left held still (S4)."""

    def __init__(self) -> None:
        super().__init__(2, 2, 2, fixed=True)

    def parse(self, text: str) -> Stickers:
        """Read S4's 24 letters, or 24 letters of faces in the order URFDLB.

        Raises:
            SolverError: They are no cube of this size that is held so.
        """
        letters = "".join(text.split())
        faces = {colour: face for face, colour in S4_COLOURS.items()}
        if len(letters) == _CELLS and set(letters) <= set(faces):
            rows = {face: letters[4 * i : 4 * i + 4] for i, face in enumerate(S4_ORDER)}
            letters = "".join(faces[letter] for face in FACES for letter in rows[face])
        return super().parse(letters)
