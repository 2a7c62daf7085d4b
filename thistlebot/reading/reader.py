"""Who looks at a cube, and what a look is.

Cameras and readers whose pictures are shown to the journal, too.

A second look that does not end at the first camera that fails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from cube.moves import MoveSequence
from vision.cameras.camera import Camera
from vision.errors import CameraError, EndOfVideoError
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
        """Whether the rig moves for a look, or was interrupted while it did."""
        return False

    def return_cube(self) -> None:
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


class RecordedCamera(Camera):
    """A camera whose pictures are written down, too.

    Args:
        camera: The camera.
        take: Is shown each picture, or told why there was none.
    """

    def __init__(self, camera: Camera, take: Callable[[Frame | str], None]) -> None:
        self._camera = camera
        self._take = take

    @property
    def name(self) -> str:
        """As of the camera."""
        return self._camera.name

    def read(self) -> Frame:
        """Return the next picture of the camera."""
        return self._taken(self._camera.read)

    def ask(self) -> Callable[[], Frame]:
        """As of the camera; the picture is written down when it is waited for."""
        return partial(self._taken, self._camera.ask())

    def _taken(self, picture: Callable[[], Frame]) -> Frame:
        try:
            frame = picture()
        except CameraError as error:
            self._take(str(error))
            raise
        self._take(frame)
        return frame

    def expose(self, share: float) -> bool:
        """As of the camera."""
        return self._camera.expose(share)

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


class RecordedReader(Reader):
    """A reader of stored pictures that are written down, too.

    Args:
        reader: Who looks.
        take: Is shown each picture.
    """

    def __init__(self, reader: Reader, take: Callable[[Frame], None]) -> None:
        self._reader = reader
        self._take = take

    @property
    def turned(self) -> MoveSequence:
        """As of the reader."""
        return self._reader.turned

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures."""
        frames = self._reader.look()
        for frame in frames:
            self._take(frame)
        return frames

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube that they show."""
        return self._reader.read(frames)


Seen = TypeVar("Seen")


class ReopeningReader(Reader):
    """Looks through cameras, and opens them again, once, when one fails.

    Args:
        reader: Looks and reads.
        reopen: Closes the cameras and returns a reader that looks through them, opened again.
    """

    def __init__(self, reader: Reader, reopen: Callable[[], Reader]) -> None:
        self._reader = reader
        self._reopen = reopen

    @property
    def turned(self) -> MoveSequence:
        """What was turned since the last look began."""
        return self._reader.turned

    @property
    def moving(self) -> bool:
        """Whether the rig moves for a look, or was interrupted while it did."""
        return self._reader.moving

    def return_cube(self) -> None:
        """Turn back what the last look turned."""
        self._reader.return_cube()

    def glance(self) -> tuple[Frame, ...]:
        """Take pictures of the cube as it lies; a camera that fails is left to the next look.

        Raises:
            CameraError: A camera failed.
        """
        return self._reader.glance()

    def read_glance(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube from the pictures of a glance."""
        return self._reader.read_glance(frames)

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures.

        Raises:
            CameraError: A camera failed again, or does not open; or a recording ended.
        """
        return self._twice(lambda reader: reader.look(), lambda reader: reader.look())

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube; where a camera fails in a look of its own, look again.

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
            raise  # opened again, it would show what was long ago
        except CameraError:
            self._reader.return_cube()
            self._reader = self._reopen()
            return once_more(self._reader)
