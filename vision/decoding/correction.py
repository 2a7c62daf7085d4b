"""Manual correction of a reading: faces are rotated or exchanged, and a few stickers are given.

All other stickers keep their reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cube.facelets import facelet_name
from cube.moves import FACES
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode, told_sticker
from vision.decoding.mistakes import undone
from vision.errors import VisionError
from vision.reading import CubeReading, Mistake, MistakeKind, StickerPlace


@dataclass(frozen=True, slots=True)
class Correction:
    """The user's corrections of a reading. The corrections of a sticker move with its face.

    Attributes:
        cells: 54; the sticker of the reading that each facelet shows.
        told: For each given sticker of the reading, the face, 0 to 5, with its colour.
    """

    cells: tuple[int, ...] = tuple(range(54))
    told: Mapping[int, int] = field(default_factory=dict)

    def telling(self, letters: Mapping[str, str]) -> "Correction":
        """Add stickers: facelet name (`U1`) to face letter (URFDLB).

        Raises:
            VisionError: A letter does not exist, or a centre would get another colour.
            InvalidCubeError: There is no such facelet.
        """
        pairs = [told_sticker(name, letter) for name, letter in letters.items()]
        told = {self.cells[place]: self._shown_at(face) for place, face in pairs}
        return replace(self, told={**self.told, **told})

    def turning(self, face: str, quarters: int) -> "Correction":
        """Rotate the picture of a face by some quarter turns clockwise.

        Raises:
            VisionError: There is no such face.
        """
        _require_faces(face)
        return self.undoing(Mistake(MistakeKind.TURNED, (face,), (quarters % 4,)))

    def exchanging(self, one: str, other: str) -> "Correction":
        """Exchange the pictures of two faces.

        Raises:
            VisionError: There is no such face, or both are the same.
        """
        _require_faces(one, other)
        if one == other:
            raise VisionError(f"cannot swap {one} with itself; name two faces")
        return self.undoing(Mistake(MistakeKind.EXCHANGED, (one, other)))

    def undoing(self, mistake: Mistake) -> "Correction":
        """Undo a mistake of faces that were rotated or exchanged.

        Raises:
            VisionError: The mistake is of another kind, and cannot be undone.
        """
        cells = undone(mistake)
        if cells is None:
            raise VisionError(f"{mistake.text}, which cannot be corrected; show the face again")
        return self._rearranged(cells.tolist())

    def letters(self) -> dict[str, str]:
        """Return the face letter of each given sticker, by name, in the faces' present places."""
        now = {self._shown_at(face): letter for face, letter in enumerate(FACES)}
        return {
            facelet_name(place): now[self.told[cell]]
            for place, cell in enumerate(self.cells)
            if cell in self.told
        }

    def scheme(self, reading: CubeReading) -> dict[str, str]:
        """Return the colour of each face, in the faces' present places."""
        colours = [colour for _, colour in reading.scheme]
        return {face: colours[self._shown_at(i)] for i, face in enumerate(FACES)} if colours else {}

    def _shown_at(self, face: int) -> int:
        """Return which face of the reading is now at this place; its centre decides."""
        return self.cells[9 * face + 4] // 9

    def _rearranged(self, cells: Sequence[int]) -> "Correction":
        return replace(self, cells=tuple(self.cells[cell] for cell in cells))

    def of_reading(self, reading: CubeReading, again: CubeReading) -> CubeReading:
        """Give the stickers of a corrected reading their places in the first pictures.

        Args:
            reading: The reading that is corrected.
            again: The reading of its stickers in the order of `cells`.
        """
        now = self._rearranged(again.cells)
        instead = again.instead and self.of_reading(reading, again.instead)
        return replace(
            again,
            cells=tuple(reading.cells[cell] for cell in now.cells),
            scheme=tuple(now.scheme(reading).items()),
            instead=instead,
        )


def correct(
    reading: CubeReading,
    correction: Correction,
    profile: ColourProfile | None = None,
    scheme: Mapping[str, str] | None = None,
) -> CubeReading:
    """Decode again with the user's rotations of faces and given stickers.

    Given stickers are certain, and they also tell the appearance of the colours: one corrected red
    sticker may settle all doubts between red and orange. Several looks at a sticker count as the
    one that the reading made of them.

    Args:
        reading: The reading of the cameras.
        correction: All corrections so far.
        profile: The measured colours of the reading.
        scheme: The colours of the cube, if the user gave them.

    Returns:
        The corrected reading, accepted under the same rule as any other; its `cells` and places are
        those of the first pictures.
    """
    names = correction.scheme(reading)
    stickers = [reading.stickers[cell] for cell in correction.cells]
    hidden = {face: names[face] for i, face in enumerate(FACES) if not stickers[9 * i + 4].seen}
    again = decode(
        StickerColours.of_lab([sticker.lab for sticker in stickers]),
        profile,
        hidden,
        scheme=scheme,
        told=correction.letters() or None,
    )
    places = [StickerPlace(each.polygons, each.camera) for each in stickers]
    return correction.of_reading(reading, again.placed(places))


def _require_faces(*faces: str) -> None:
    for face in faces:
        if len(face) != 1 or face not in FACES:
            raise VisionError(f"{face!r} is not a face; the faces are {' '.join(FACES)}")
