"""Who looks at a cube, and what a look is."""

from dataclasses import dataclass
from typing import Protocol

from cube.moves import MoveSequence
from vision.frame import Frame
from vision.reading import CubeReading


class Reader(Protocol):
    """A way to look at a cube: a rig's cameras, a folder of photos, a person with a webcam.

    Implementations inherit what they share.
    """

    @property
    def turned(self) -> MoveSequence:
        """What was turned since the last look began: the reading is of the cube before that."""
        return MoveSequence()

    @property
    def moving(self) -> bool:
        """Whether the rig moves for a look, or was cut off while it did."""
        return False

    def put_back(self) -> None:
        """Turn back what the last look turned."""
        return

    def glance(self) -> tuple[Frame, ...]:
        """Take pictures of the cube as it lies; none where that does not show enough of it."""
        return ()

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures."""

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube that the pictures show."""

    def read_glance(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures of a glance, and take no others."""
        return self.read(frames)


@dataclass(frozen=True, slots=True)
class Look:
    """Pictures of the cube, and what was read in them."""

    frames: tuple[Frame, ...]
    reading: CubeReading
