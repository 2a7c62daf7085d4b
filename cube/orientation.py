"""The 24 orientations of a whole cube, and turns as seen from outside."""

from dataclasses import dataclass
from functools import cache

from cube.errors import ThistlebotError
from cube.moves import FACES, Move
from cube.pieces import CENTRE_FACELETS, CORNER_FACELETS, EDGE_FACELETS

_CYCLES = {"x": "FUBD", "y": "RFLB", "z": "URDL"}
"""Places in the order in which a face passes them if the whole cube turns about R, U or F."""
_TURNS = {"": 1, "2": 2, "'": 3}


class RotationError(ThistlebotError):
    """A text is not a rotation of the whole cube."""


@dataclass(frozen=True, slots=True, order=True)
class Orientation:
    """Which face of the cube is where.

    Attributes:
        faces: The faces of the cube at the places U, R, F, D, L, B, in this order.
    """

    faces: str = FACES

    def __post_init__(self) -> None:
        if self.faces not in _known():
            raise RotationError(f"a cube cannot be held with {self.faces!r} at URFDLB")

    @property
    def index(self) -> int:
        """Its index in `orientations`."""
        return _known()[self.faces]

    def face_at(self, place: str) -> str:
        """Return the face of the cube that is at a place."""
        return self.faces[FACES.index(place)]

    def place_of(self, face: str) -> str:
        """Return the place at which a face of the cube is."""
        return FACES[self.faces.index(face)]

    def turned(self, rotation: str) -> "Orientation":
        """Return the orientation after a rotation of the whole cube.

        Args:
            rotation: x, y or z (in the direction of R, U or F), alone or with ``2`` or ``'``; or
                empty.

        Raises:
            RotationError: The text is not a rotation.
        """
        return Orientation(_turned(self.faces, rotation))

    def then(self, other: "Orientation") -> "Orientation":
        """Return the orientation after the rotation that brings an unrotated cube to `other`."""
        return Orientation("".join(self.face_at(face) for face in other.faces))

    def inverse(self) -> "Orientation":
        """Return the inverse: ``q.then(q.inverse())`` is the standard orientation."""
        return Orientation("".join(self.place_of(face) for face in FACES))

    def move_of(self, place: str, turns: int) -> Move:
        """Return the face turn of the cube that a turn at a place produces.

        Args:
            place: The place of the layer, one of ``URFDLB``.
            turns: Clockwise quarter turns, seen from outside; any number that is not a multiple of
                4.
        """
        return Move(self.face_at(place), turns % 4)


def _turned(faces: str, rotation: str) -> str:
    axis, suffix = rotation[:1], rotation[1:]
    if rotation and (axis not in _CYCLES or suffix not in _TURNS):
        raise RotationError(
            f"{rotation!r} is not a rotation of the whole cube: write x, y or z, with 2 or '"
        )
    for _ in range(_TURNS[suffix] if rotation else 0):
        at = dict(zip(FACES, faces, strict=True))
        cycle = _CYCLES[axis]
        moved = {cycle[(place + 1) % 4]: at[cycle[place]] for place in range(4)}
        faces = "".join((at | moved)[place] for place in FACES)
    return faces


@cache
def _known() -> dict[str, int]:
    """Return the faces of every orientation with its number; the standard one is the first."""
    found = [FACES]
    for faces in found:  # grows during the loop
        found += [new for new in (_turned(faces, axis) for axis in _CYCLES) if new not in found]
    return {faces: number for number, faces in enumerate(found)}


@cache
def orientations() -> tuple[Orientation, ...]:
    """Return all 24 orientations, the standard one first, each at its `Orientation.index`."""
    return tuple(map(Orientation, _known()))


@cache
def facelet_places(held: Orientation) -> tuple[int, ...]:
    """Return the facelet of the cube at each of the 54 places.

    A facelet is identified by its face and by the faces of its piece.
    """
    known = _facelets_by_faces()
    return tuple(
        known[held.face_at(face), frozenset(map(held.face_at, piece))] for face, piece in known
    )


@cache
def _facelets_by_faces() -> dict[tuple[str, frozenset[str]], int]:
    """Return the index of each facelet by its face and the faces of its piece, from 0 to 53."""
    centres = ((facelet,) for facelet in CENTRE_FACELETS)
    found: dict[int, tuple[str, frozenset[str]]] = {}
    for piece in (*CORNER_FACELETS, *EDGE_FACELETS, *centres):
        faces = frozenset(FACES[facelet // 9] for facelet in piece)
        found |= {facelet: (FACES[facelet // 9], faces) for facelet in piece}
    return {found[facelet]: facelet for facelet in range(54)}
