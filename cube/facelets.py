"""The 54 facelets of a cube, as a string in Kociemba's order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cube.errors import InvalidCubeError
from cube.moves import FACES


@dataclass(frozen=True, slots=True)
class Facelets:
    """The 54 stickers of a cube, each named by the face that has its colour in the centre.

    The order is U1..U9 R1..R9 F1..F9 D1..D9 L1..L9 B1..B9, each face row by row as in this net::

                 U1 U2 U3
                 U4 U5 U6
                 U7 U8 U9
        L1 L2 L3 F1 F2 F3 R1 R2 R3 B1 B2 B3
        L4 L5 L6 F4 F5 F6 R4 R5 R6 B4 B5 B6
        L7 L8 L9 F7 F8 F9 R7 R8 R9 B7 B8 B9
                 D1 D2 D3
                 D4 D5 D6
                 D7 D8 D9

    Any 54 letters of ``URFDLB`` are a valid value; `cube.laws` tells whether they form a cube.

    Raises:
        InvalidCubeError: Wrong length, or a letter that does not name a face.
    """

    text: str

    def __post_init__(self) -> None:
        if len(self.text) != 54:
            raise InvalidCubeError(
                f"a cube has 54 stickers, but this text has {len(self.text)}; write nine "
                "letters per face in the order U R F D L B, row by row"
            )
        wrong = next((i for i, letter in enumerate(self.text) if letter not in FACES), None)
        if wrong is not None:
            raise InvalidCubeError(
                f"{self.text[wrong]!r} at {facelet_name(wrong)} (character {wrong + 1}) is "
                f"not a face; the letters are {' '.join(FACES)}"
            )

    def face(self, face: str) -> str:
        """Return the nine letters of one face, row by row."""
        start = 9 * FACES.index(face)
        return self.text[start : start + 9]

    def counts(self) -> dict[str, int]:
        """Count the stickers of each of the six colours."""
        found = Counter(self.text)
        return {face: found[face] for face in FACES}

    def __str__(self) -> str:
        return self.text


def facelet_name(index: int) -> str:
    """Name a facelet by its index, 0 to 53: ``U1`` to ``B9``."""
    return f"{FACES[index // 9]}{index % 9 + 1}"


def facelet_index(name: str) -> int:
    """Return the index, 0 to 53, of a facelet's name.

    Raises:
        InvalidCubeError: There is no such facelet.
    """
    if len(name) == 2 and name[0] in FACES and name[1] in "123456789":
        return 9 * FACES.index(name[0]) + int(name[1]) - 1
    raise InvalidCubeError(f"{name!r} is not a facelet; facelets are named U1 to U9, R1 … B9")


def facelets_text(names: Sequence[str]) -> str:
    """Name some stickers in one phrase; eight stickers around a centre are named as a face.

    Args:
        names: Names such as ``B1``.
    """
    cells = {face: [f"{face}{cell}" for cell in range(1, 10) if cell != 5] for face in FACES}
    whole = [face for face in FACES if set(cells[face]) <= set(names)]
    rest = [name for name in names if name[0] not in whole]
    faces = [f"{'face' if len(whole) == 1 else 'faces'} {', '.join(whole)}"] if whole else []
    return " and ".join([*faces, *([" ".join(rest)] if rest else [])])


SOLVED_FACELETS = Facelets("".join(face * 9 for face in FACES))
