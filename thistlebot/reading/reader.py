"""Readers of a cube, and their looks.

After a camera fails, it tries once more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from cube.moves import MoveSequence
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame
from vision.reading import CubeReading


class Reader(Protocol):
    """A way to read a cube: a rig's cameras, a folder of photos, a person with a webcam.

    Implementations inherit the shared methods.
    """

    @property
    def turned(self) -> MoveSequence:
        """The moves since the start of the last look; the reading shows the cube before them."""
        return MoveSequence()

    @property
    def moving(self) -> bool:
        """Whether the rig is moving for a look, or was interrupted while it moved."""
        return False

    def return_cube(self) -> None:
        """Undo the turns of the last look."""
        return

    def glance(self) -> tuple[Frame, ...]:
        """Take pictures of the cube as it is; return none if they would not show enough of it."""
        return ()

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures."""

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube in the pictures."""

    def read_glance(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures of a glance, without taking others."""
        return self.read(frames)

    @property
    def glimpses(self) -> bool:
        """Whether fixed cameras show enough of the cube at any time, without moving it."""
        return False

    def ask_glimpse(self) -> Callable[[], tuple[Frame, ...]]:
        """Request a picture of each fixed camera that is not recorded; see `Camera.ask`."""
        return tuple

    def samples(self, frames: tuple[Frame, ...]) -> list[NDArray[np.float64]]:
        """Return what each fixed camera sees.

        Args:
            frames: One picture for each.

        Returns:
            For each, (54, 3) CIELAB; NaN for facelets that it does not see.
        """
        del frames
        return []


@dataclass(frozen=True, slots=True)
class Look:
    """Pictures of the cube, and their reading."""

    frames: tuple[Frame, ...]
    reading: CubeReading


Seen = TypeVar("Seen")


class ReopeningReader(Reader):
    """A reader that opens its cameras again, once, if one of them fails.

    Args:
        reader: Looks and reads.
        reopen: Closes the cameras and returns a reader with newly opened ones.
    """

    def __init__(self, reader: Reader, reopen: Callable[[], Reader]) -> None:
        self._reader = reader
        self._reopen = reopen

    @property
    def turned(self) -> MoveSequence:
        """The moves since the start of the last look."""
        return self._reader.turned

    @property
    def moving(self) -> bool:
        """Whether the rig is moving for a look, or was interrupted while it moved."""
        return self._reader.moving

    def return_cube(self) -> None:
        """Undo the turns of the last look."""
        self._reader.return_cube()

    def glance(self) -> tuple[Frame, ...]:
        """Take pictures of the cube as it is; if a camera fails, the next look handles the failure.

        Raises:
            CameraError: A camera failed.
        """
        return self._reader.glance()

    def read_glance(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures of a glance."""
        return self._reader.read_glance(frames)

    @property
    def glimpses(self) -> bool:
        """Whether fixed cameras show enough of the cube at any time."""
        return self._reader.glimpses

    def ask_glimpse(self) -> Callable[[], tuple[Frame, ...]]:
        """Request a picture of each fixed camera."""
        return self._reader.ask_glimpse()

    def samples(self, frames: tuple[Frame, ...]) -> list[NDArray[np.float64]]:
        """Return what each fixed camera sees."""
        return self._reader.samples(frames)

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures.

        Raises:
            CameraError: A camera failed again, or cannot be opened; or a recording ended.
        """
        return self._twice(lambda reader: reader.look(), lambda reader: reader.look())

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube; if a camera fails during further looks, look again.

        Raises:
            CameraError: See `look`.
        """
        return self._twice(
            lambda reader: reader.read(frames), lambda reader: reader.read(reader.look())
        )

    def _twice(
        self, attempt: Callable[[Reader], Seen], once_more: Callable[[Reader], Seen]
    ) -> Seen:
        try:
            return attempt(self._reader)
        except EndOfVideoError:
            raise  # opened again, it would show old pictures
        except CameraError:
            self._reader.return_cube()
            self._reader = self._reopen()
            return once_more(self._reader)
