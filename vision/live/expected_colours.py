"""Which colour each face of the user's cube has, as far as that is known."""

from collections.abc import Mapping
from types import MappingProxyType

from cube.moves import FACES
from vision.colours.first_guesses import nearest_colour
from vision.colours.scheme import held_schemes
from vision.live.known_faces import face_labs
from vision.reading import FaceReading

# Minimum confidence in a centre's colour to say which face of the cube it belongs to.
_CERTAIN = 0.5


class ExpectedColours:
    """The colours of the user's cube: known, guessed or unknown.

    A guess holds as long as no captured face contradicts it. After that the cube may be held in
    another orientation, so the colours on which all such orientations agree are expected; if none
    fits, the cube has other colours, and nothing is expected.

    Args:
        scheme: Colour name of each face's centre; None if nothing is known.
        guessed: The scheme was not given.
    """

    def __init__(self, scheme: Mapping[str, str] | None, *, guessed: bool) -> None:
        self.guessed = guessed
        self.scheme: Mapping[str, str] = MappingProxyType(dict(scheme or {}))
        """Colour name of each face's centre, as far as it is known."""
        self._first = self.scheme

    def learn(self, captured: Mapping[str, FaceReading]) -> None:
        """Compare the guess with the faces captured so far, by letter."""
        if not self.guessed or not self._first:
            return
        seen = {letter: _certain_colour(face) for letter, face in captured.items()}
        if _fits(self._first, seen):
            self.scheme = self._first
            return
        held = (dict(zip(FACES, names, strict=True)) for names in held_schemes(self._first))
        possible = [scheme for scheme in held if _fits(scheme, seen)]
        agreed = {face: {scheme[face] for scheme in possible} for face in FACES}
        self.scheme = {face: min(names) for face, names in agreed.items() if len(names) == 1}

    def other_colour(self, face: FaceReading, wanted: str) -> str:
        """Return the colour of a centre that clearly belongs to another face; empty if it fits."""
        colour = _certain_colour(face)
        others = {name for letter, name in self.scheme.items() if letter != wanted}
        return colour if colour in others else ""


def centre_colour(face: FaceReading) -> str:
    """Return the nearest colour name of a face's centre; empty if it was not seen."""
    return nearest_colour(face_labs(face)[4])[0]


def _certain_colour(face: FaceReading) -> str:
    colour, certainty = nearest_colour(face_labs(face)[4])
    return colour if certainty >= _CERTAIN else ""


def _fits(scheme: Mapping[str, str], seen: Mapping[str, str]) -> bool:
    return all(colour in ("", scheme[letter]) for letter, colour in seen.items())
