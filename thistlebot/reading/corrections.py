"""A reading that a person corrects: what was said, how it is read now, and what that changed."""

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
    """A sticker that is read otherwise than before.

    Attributes:
        facelet: Its name, such as ``U3``.
        before: The letter that it had.
        after: The letter that it has now.
        told: A person said so; else it follows from what was said.
    """

    facelet: str
    before: str
    after: str
    told: bool


@dataclass(frozen=True, slots=True)
class Corrections:
    """What the cameras saw, and all that a person says of it. Every change is a new value.

    Each of them decodes the legal set again at once, under the rule of any other reading.

    Attributes:
        seen: What the cameras saw.
        reading: What the cube is read as now.
        profile: The measured colours that it was read with.
        scheme: The cube's colours, if its owner told them.
        said: All that was said so far.
        changes: What the last thing said, or taken back, changed.
        earlier: What was said before each change, and what the cube was read as then.
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
        """Begin: nothing was said yet."""
        return cls(seen, seen, profile, scheme)

    @property
    def accepted(self) -> bool:
        """Whether the reading is to be trusted now."""
        return self.reading.accepted

    @property
    def told(self) -> Mapping[str, str]:
        """What is told: facelet name to face letter, as the faces now lie."""
        return self.said.letters()

    @property
    def instead(self) -> CubeReading | None:
        """The sure reading in which a mistake of the person is undone, if there is one."""
        instead = self.reading.instead
        return instead if instead is not None and instead.accepted else None

    def tell(self, facelet: str, letter: str) -> "Corrections":
        """Say which colour a sticker has.

        Args:
            facelet: Its name, such as ``U3``.
            letter: Of the face that has this colour.

        Raises:
            VisionError: There is no such letter, or a centre is told another colour.
            InvalidCubeError: There is no such facelet.
        """
        return self.saying(self.said.telling({facelet: letter}))

    def turn(self, face: str, quarters: int) -> "Corrections":
        """Say that the picture of a face is to be turned, by so many quarters clockwise.

        Raises:
            VisionError: There is no such face.
        """
        return self.saying(self.said.turning(face, quarters))

    def exchange(self, one: str, other: str) -> "Corrections":
        """Say that the pictures of two faces are to be exchanged.

        Raises:
            VisionError: There is no such face, or it is the same one twice.
        """
        return self.saying(self.said.exchanging(one, other))

    def confirm(self) -> "Corrections":
        """Say that the cube looks as its stickers were classified one by one.

        Raises:
            InvalidCubeError: No turns solve such a cube.
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
        """Take the reading of `instead`; itself where there is none."""
        mistake, instead = self.reading.mistake, self.instead
        if mistake is None or instead is None:
            return self
        return self._next(self.said.undoing(mistake), instead)

    def saying(self, said: Correction) -> "Corrections":
        """Decode again with all that was said.

        Raises:
            VisionError: It makes no sense.
        """
        return self._next(said, timed(correct)(self.seen, said, self.profile, self.scheme))

    def undo(self) -> "Corrections":
        """Take the last thing back; itself where nothing was said."""
        return self._back_to(len(self.earlier) - 1)

    def forget(self) -> "Corrections":
        """Take everything back."""
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
    """Name the stickers that two readings of a cube read differently.

    Args:
        before: The earlier one.
        after: The later one.
        told: Facelet names of stickers that a person told of the later one.
    """
    pairs = enumerate(zip(before.best.text, after.best.text, strict=True))
    names = ((facelet_name(place), one, other) for place, (one, other) in pairs if one != other)
    return tuple(Change(name, one, other, name in told) for name, one, other in names)
