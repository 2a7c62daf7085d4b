"""The orders in which texts list the 54 stickers of a cube.

Most programs list face by face, but in different orders. Others print the net line by line, which
interleaves the four faces of its middle band.
"""

from dataclasses import dataclass
from typing import Self

from cube.errors import InvalidCubeError
from cube.moves import FACES
from cube.net import NET_ROWS

S4_ORDER = "ULFRBD"
"""The order of the faces in S4's strings, which other programs share."""
S4_COLOURS = {"U": "y", "L": "b", "F": "r", "R": "g", "B": "o", "D": "w"}
"""S4's colour letters: yellow, blue, red, green, orange, white."""

NET = "net"
"""The name of the order that goes through the net line by line."""


@dataclass(frozen=True, slots=True)
class FaceOrder:
    """One order of the 54 stickers.

    Attributes:
        name: Its name for ``--order``: six letters of faces, or `NET`.
        text: What it means, for a person.
        cells: The position in the text, 0 to 53, of each facelet in Kociemba's order.
    """

    name: str
    text: str
    cells: tuple[int, ...]

    @classmethod
    def of_faces(cls, faces: str) -> Self:
        """Return the order that lists the faces one after the other, each row by row.

        Args:
            faces: The six letters, each once.
        """
        cells = (9 * faces.index(face) + cell for face in FACES for cell in range(9))
        return cls(faces, f"face by face in the order {' '.join(faces)}", tuple(cells))

    @classmethod
    def of_net(cls, band: str = NET_ROWS[1]) -> Self:
        """Return the order that goes through the net line by line.

        Args:
            band: The faces side by side in the middle of the net; F is below U and above D.
        """
        cells = {"U": tuple(range(9)), "D": tuple(range(45, 54))}
        for place, face in enumerate(band):
            cells[face] = tuple(9 + 12 * row + 3 * place + k for row in range(3) for k in range(3))
        text = f"line by line through the net: U, then the lines of {' '.join(band)}, then D"
        return cls(NET, text, tuple(cell for face in FACES for cell in cells[face]))

    @classmethod
    def named(cls, name: str) -> Self:
        """Return the order with a name; ``T`` means ``U``, and case and spaces are ignored.

        Raises:
            InvalidCubeError: The name is neither the six faces nor ``net``.
        """
        bare = "".join(name.split()).upper()
        if bare == NET.upper():
            return cls.of_net()
        faces = bare.replace("T", "U")
        if sorted(faces) != sorted(FACES):
            raise InvalidCubeError(
                f"{name!r} is not an order of the faces: write each of {' '.join(FACES)} once, or "
                f"{NET} for the lines of the net"
            )
        return cls.of_faces(faces)

    def sorted(self, stickers: tuple[str, ...]) -> tuple[str, ...]:
        """Return 54 stickers of a text in Kociemba's order."""
        return tuple(stickers[cell] for cell in self.cells)


KOCIEMBA = FaceOrder.of_faces(FACES)

USUAL_ORDERS = (
    KOCIEMBA,
    FaceOrder.of_faces(S4_ORDER),
    FaceOrder.of_faces("UFRBLD"),
    FaceOrder.of_net(),
)
"""The orders that people use: Kociemba's, S4's, around the cube, and the lines of the net."""
