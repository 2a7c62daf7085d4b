"""The 2×2×2 cube: eight corners and no centres, so only relative places count."""

from dataclasses import dataclass
from functools import cache

from cube.errors import InvalidCubeError
from cube.facelets import Facelets
from cube.moves import FACES, MoveSequence
from cube.state import SOLVED, CubeState
from cube.written.face_orders import S4_COLOURS, S4_ORDER

_CORNER_CELLS = (0, 2, 6, 8)
_CELLS = 24
_FIXED = 6
"""The corner down-back-left, which S4 never moves."""


@dataclass(frozen=True, slots=True)
class PocketState:
    """The corners of a 2×2×2 cube, numbered and twisted as in `CubeState`.

    Two states that differ by a rotation of the whole cube are two values; `home` tells which
    rotation makes them equal.
    """

    corner_permutation: tuple[int, ...]
    corner_orientation: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> "PocketState":
        """Read S4's 24 letters, or 24 letters of faces in the order URFDLB.

        S4's faces are in the order U L F R B D, each row by row, in the colours y b r g o w.

        Raises:
            InvalidCubeError: The text does not have 24 such letters, or they are not eight corners
                of a cube.
        """
        s4 = {colour: face for face, colour in S4_COLOURS.items()}
        if len(text) == _CELLS and set(text) <= set(s4):
            order, letters = S4_ORDER, "".join(s4[letter] for letter in text)
        elif len(text) == _CELLS and set(text) <= set(FACES):
            order, letters = FACES, text
        else:
            raise InvalidCubeError(
                f"a 2×2×2 cube must be 24 letters of {''.join(S4_COLOURS.values())} (faces in "
                f"the order {S4_ORDER}) or of {FACES}, not {text!r}"
            )
        stickers = list(SOLVED.to_facelets().text)
        for number, face in enumerate(order):
            for cell, place in enumerate(_CORNER_CELLS):
                stickers[9 * FACES.index(face) + place] = letters[4 * number + cell]
        return cls.of(CubeState.from_facelets(Facelets("".join(stickers))))

    @classmethod
    def of(cls, state: CubeState) -> "PocketState":
        """Return the corners of a 3×3×3 cube."""
        return cls(state.corner_permutation, state.corner_orientation)

    @property
    def text(self) -> str:
        """Return S4's 24 letters."""
        whole = self._whole().to_facelets().text
        return "".join(
            S4_COLOURS[whole[9 * FACES.index(face) + place]]
            for face in S4_ORDER
            for place in _CORNER_CELLS
        )

    def apply(self, moves: MoveSequence) -> "PocketState":
        """Return the state after face turns."""
        return PocketState.of(self._whole().apply(moves))

    @property
    def legal(self) -> bool:
        """Return whether turns can solve it: the twists add up to a whole turn."""
        return sum(self.corner_orientation) % 3 == 0

    def _whole(self) -> CubeState:
        return CubeState(
            self.corner_permutation,
            self.corner_orientation,
            SOLVED.edge_permutation,
            SOLVED.edge_orientation,
        )

    def __mul__(self, other: "PocketState") -> "PocketState":
        """Compose: first this state's rearrangement, then the other's."""
        return PocketState.of(self._whole() * other._whole())


@cache
def rotations() -> tuple[PocketState, ...]:
    """Return the solved cube in all 24 orientations, the standard one first.

    Turning two opposite faces of a 2×2×2 cube in the same direction rotates the whole cube.
    """
    quarter = [PocketState.of(SOLVED.apply(MoveSequence.parse(text))) for text in ("U D'", "R L'")]
    found = [PocketState.of(SOLVED)]
    for held in found:
        found += [turned for q in quarter if (turned := held * q) not in found]
    return tuple(found)


def home(state: PocketState) -> tuple[PocketState, int]:
    """Rotate the cube so that S4's fixed corner, down-back-left, is at home.

    Returns:
        The rotated state, and the number of the rotation.
    """
    for number, rotation in enumerate(rotations()):
        seen = state * rotation
        if seen.corner_permutation[_FIXED] == _FIXED and not seen.corner_orientation[_FIXED]:
            return seen, number
    raise InvalidCubeError(f"{state} has no corner {_FIXED}")
