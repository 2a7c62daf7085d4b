"""Facelet strings with other letters and other face orders.

Programs differ in both: S4's notebook lists the faces U L F R B D with colour letters, Kociemba's
solver U R F D L B with face letters. The centres tell which colour belongs to which face.
"""

from cube.errors import InvalidCubeError
from cube.facelets import Facelets, facelet_name
from cube.moves import FACES
from cube.partial import UNKNOWN, PartialFacelets

S4_ORDER = "ULFRBD"
"""The order of the faces in S4's 3x3x3 strings."""

S4_COLOURS = {"U": "y", "L": "b", "F": "r", "R": "g", "B": "o", "D": "w"}
"""S4's colour letters: yellow, blue, red, green, orange, white."""


def parse_partial(text: str, order: str | None = None) -> PartialFacelets:
    """Read a facelet string with ``?`` for any sticker.

    Args:
        text: 54 letters of faces (``URFDLB``, ``T`` for ``U``) or of colours; spaces are ignored.
        order: The order of the faces; by default Kociemba's ``URFDLB`` for face letters and S4's
            ``ULFRBD`` for colour letters.

    Raises:
        InvalidCubeError: Wrong length, an unknown order, or letters that are neither faces nor
            colours; colour letters need all six centres.
    """
    return PartialFacelets(_by_faces(text, order))


def _by_faces(text: str, order: str | None) -> str:
    """Return the letters of the faces in Kociemba's order."""
    letters = "".join(text.split())
    upper = letters.upper().replace("T", "U")
    is_faces = set(upper) <= {*FACES, UNKNOWN} or upper[4::9] == (order or FACES)
    given = order is not None
    order = (order or (FACES if is_faces else S4_ORDER)).upper().replace("T", "U")
    if sorted(order) != sorted(FACES):
        raise InvalidCubeError(
            f"{order!r} is not an order of the faces; write each of {' '.join(FACES)} once"
        )
    if len(letters) != 54:
        orders = (
            f"in the order {' '.join(order)}"
            if given
            else (
                f"face letters in the order {' '.join(FACES)}, colour letters in S4's order "
                f"{' '.join(S4_ORDER)}"
            )
        )
        raise InvalidCubeError(
            f"a cube has 54 stickers, but this text has {len(letters)}; write nine letters "
            f"per face, row by row: {orders}"
        )
    by_face = {face: letters[9 * i : 9 * i + 9] for i, face in enumerate(order)}
    in_order = "".join(by_face[face] for face in FACES)
    return in_order.upper().replace("T", "U") if is_faces else _from_colours(in_order)


def colour_string(
    facelets: Facelets, colours: dict[str, str] = S4_COLOURS, order: str = S4_ORDER
) -> str:
    """Write facelets in colour letters and another face order; `WrittenCube` reads it."""
    return "".join(colours[letter] for face in order for letter in facelets.face(face))


def _from_colours(letters: str) -> str:
    """Replace each colour, in Kociemba's facelet order, by the face whose centre shows it."""
    face_of = {letters[9 * i + 4]: face for i, face in enumerate(FACES)}
    face_of.pop(UNKNOWN, None)
    if len(face_of) < 6:
        shown = ", ".join(f"{facelet_name(9 * i + 4)} {letters[9 * i + 4]}" for i in range(6))
        raise InvalidCubeError(
            f"the six centres must show six colours, but they show {shown}; "
            "check the order of the faces"
        )
    face_of[UNKNOWN] = UNKNOWN
    unknown = next((i for i, letter in enumerate(letters) if letter not in face_of), None)
    if unknown is not None:
        raise InvalidCubeError(
            f"{letters[unknown]!r} at {facelet_name(unknown)} is not the colour of a centre "
            f"({' '.join(letters[4::9])}); check that sticker"
        )
    return "".join(face_of[letter] for letter in letters)
