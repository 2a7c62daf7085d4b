"""Which colour the centre of a face is expected to have, and when that was a wrong guess."""

from collections.abc import Mapping

from vision.colours.guesses.seeding import nearest_colour
from vision.live.same_face import face_labs
from vision.reading import FaceReading

# How sure a centre's colour must be to say that another face was wanted.
_CERTAIN = 0.5


class ExpectedColours:
    """The colours of a cube that a person holds up: known, guessed or unknown.

    Args:
        scheme: Face letter to the colour name of its centre; None when nothing is known.
        guessed: Nobody told the scheme: it is forgotten when a person insists on another face.
        insistence: An unexpected face that is held still for so many frames in a row is meant.
    """

    def __init__(self, scheme: Mapping[str, str] | None, *, guessed: bool, insistence: int) -> None:
        self.scheme = dict(scheme) if scheme else {}
        self.guessed = guessed
        self._insistence = insistence
        self._held = 0

    def other_colour(self, face: FaceReading, wanted: str) -> str:
        """Return the colour of a centre that clearly is another face's; empty when it may be."""
        colour, certainty = nearest_colour(face_labs(face)[4])
        others = {name for letter, name in self.scheme.items() if letter != wanted}
        return colour if certainty >= _CERTAIN and colour in others else ""

    def insisted(self, *, held: bool) -> bool:
        """Count one more frame, and say whether the guess has just been given up for it.

        Args:
            held: The frame shows an unexpected face that is held still.
        """
        self._held = self._held + 1 if held and self.guessed else 0
        if self._held < self._insistence:
            return False
        self.give_up()
        return True

    def give_up(self) -> None:
        """Forget a scheme that nobody told: this cube has other colours."""
        if self.guessed:
            self.scheme, self.guessed, self._held = {}, False, 0
