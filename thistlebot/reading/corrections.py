"""A reading that the user corrects: the corrections, the new reading, and the differences."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from cube.errors import InvalidCubeError
from cube.facelets import facelet_name
from cube.laws import examine
from vision.colours.profile import ColourProfile
from vision.decoding.correction import Correction, correct
from vision.reading import CubeReading
from vision.timed import timed


@dataclass(frozen=True, slots=True)
class Change:
    """A sticker that is read differently than before.

    Attributes:
        facelet: Its name, such as ``U3``.
        before: Its earlier letter.
        after: Its present letter.
        told: Whether the user gave it; otherwise it follows from the corrections.
    """

    facelet: str
    before: str
    after: str
    told: bool


@dataclass(frozen=True, slots=True)
class Corrections:
    """The reading of the cameras, and all corrections by the user.

    Every change makes a new value, for which the cube is decoded again at once, by the same rules
    as any other reading.

    Attributes:
        seen: The reading of the cameras.
        reading: The present reading.
        profile: The measured colours of the reading.
        scheme: The cube's colours, if its owner gave them.
        said: All corrections so far.
        changes: The differences made by the last correction or undo.
        earlier: The corrections and the reading before each change.
    """

    seen: CubeReading
    reading: CubeReading
    profile: ColourProfile | None = None
    scheme: Mapping[str, str] | None = None
    said: Correction = field(default_factory=Correction)
    changes: tuple[Change, ...] = ()
    earlier: tuple[tuple[Correction, CubeReading], ...] = ()

    @classmethod
    def of(
        cls,
        seen: CubeReading,
        profile: ColourProfile | None = None,
        scheme: Mapping[str, str] | None = None,
    ) -> Self:
        """Start without corrections."""
        return cls(seen, seen, profile, scheme)

    @property
    def accepted(self) -> bool:
        """Whether the present reading is trusted."""
        return self.reading.accepted

    @property
    def told(self) -> Mapping[str, str]:
        """The face letter of each given sticker, by its name, in the faces' present places."""
        return self.said.letters()

    @property
    def instead(self) -> CubeReading | None:
        """The sure reading with a mistake of the user undone, if there is one."""
        instead = self.reading.instead
        return instead if instead is not None and instead.accepted else None

    def tell(self, facelet: str, letter: str) -> "Corrections":
        """Give the colour of a sticker.

        Args:
            facelet: Its name, such as ``U3``.
            letter: Letter of the face with this colour.

        Raises:
            VisionError: There is no such letter, or a centre would get another colour.
            InvalidCubeError: There is no such facelet.
        """
        return self.saying(self.said.telling({facelet: letter}))

    def turn(self, face: str, quarters: int) -> "Corrections":
        """Rotate the picture of a face by some quarter turns clockwise.

        Raises:
            VisionError: There is no such face.
        """
        return self.saying(self.said.turning(face, quarters))

    def exchange(self, one: str, other: str) -> "Corrections":
        """Exchange the pictures of two faces.

        Raises:
            VisionError: There is no such face, or both are the same.
        """
        return self.saying(self.said.exchanging(one, other))

    def confirm(self) -> "Corrections":
        """Confirm that the cube looks as its stickers were classified one by one.

        Raises:
            InvalidCubeError: Turns cannot solve such a cube.
        """
        proposal = self.reading.proposal
        verdict = examine(proposal)
        if not verdict.solvable:
            laws = "; ".join(problem.text for problem in verdict.problems)
            raise InvalidCubeError(
                f"face turns cannot solve the cube as shown: {laws}. Correct its stickers"
            )
        letters = {facelet_name(place): letter for place, letter in enumerate(proposal.text)}
        return self.saying(self.said.telling(letters))

    def accept_instead(self) -> "Corrections":
        """Accept the reading of `instead`; unchanged if there is none."""
        mistake, instead = self.reading.mistake, self.instead
        if mistake is None or instead is None:
            return self
        return self._next(self.said.undoing(mistake), instead)

    def saying(self, said: Correction) -> "Corrections":
        """Decode again with all corrections.

        Raises:
            VisionError: The corrections contradict each other.
        """
        return self._next(said, timed(correct)(self.seen, said, self.profile, self.scheme))

    def undo(self) -> "Corrections":
        """Undo the last correction; unchanged if there is none."""
        return self._back_to(len(self.earlier) - 1)

    def forget(self) -> "Corrections":
        """Undo all corrections."""
        return self._back_to(0)

    def _next(self, said: Correction, reading: CubeReading) -> "Corrections":
        earlier = (*self.earlier, (self.said, self.reading))
        return self._with(said, reading, earlier)

    def _back_to(self, number: int) -> "Corrections":
        if not self.earlier:
            return self
        said, reading = self.earlier[number]
        return self._with(said, reading, self.earlier[:number])

    def _with(
        self,
        said: Correction,
        reading: CubeReading,
        earlier: tuple[tuple[Correction, CubeReading], ...],
    ) -> "Corrections":
        changes = changes_between(self.reading, reading, said.letters())
        return replace(self, said=said, reading=reading, changes=changes, earlier=earlier)


def changes_between(
    before: CubeReading, after: CubeReading, told: Mapping[str, str]
) -> tuple[Change, ...]:
    """Return the stickers that two readings of a cube read differently.

    Args:
        before: The earlier one.
        after: The later one.
        told: Facelet names of the later one's stickers that the user gave.
    """
    pairs = enumerate(zip(before.best.text, after.best.text, strict=True))
    names = ((facelet_name(place), one, other) for place, (one, other) in pairs if one != other)
    return tuple(Change(name, one, other, name in told) for name, one, other in names)
