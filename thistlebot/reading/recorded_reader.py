"""Cameras and readers whose pictures go into the journal."""

from collections.abc import Callable
from functools import partial

from cube.moves import MoveSequence
from thistlebot.reading.reader import Reader
from vision.cameras.camera import Camera, WrappedCamera
from vision.errors import CameraError
from vision.frame import Frame
from vision.reading import CubeReading


class RecordedCamera(WrappedCamera):
    """A camera whose pictures are recorded.

    Args:
        camera: The camera.
        take: Called with each picture, or with the reason why there was none.
    """

    def __init__(self, camera: Camera, take: Callable[[Frame | str], None]) -> None:
        super().__init__(camera)
        self._take = take

    @property
    def unrecorded(self) -> Camera:
        """The camera itself."""
        return self._camera

    def read(self) -> Frame:
        """Return the next picture of the camera."""
        return self._taken(self._camera.read)

    def ask(self) -> Callable[[], Frame]:
        """See `Camera.ask`; the picture is recorded when it is awaited."""
        return partial(self._taken, self._camera.ask())

    def _taken(self, picture: Callable[[], Frame]) -> Frame:
        try:
            frame = picture()
        except CameraError as error:
            self._take(str(error))
            raise
        self._take(frame)
        return frame


class RecordedReader(Reader):
    """A reader of stored pictures that are recorded."""

    def __init__(self, reader: Reader, take: Callable[[Frame], None]) -> None:
        self._reader = reader
        self._take = take

    @property
    def turned(self) -> MoveSequence:
        """The moves of the reader."""
        return self._reader.turned

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures."""
        frames = self._reader.look()
        for frame in frames:
            self._take(frame)
        return frames

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube in the pictures."""
        return self._reader.read(frames)
