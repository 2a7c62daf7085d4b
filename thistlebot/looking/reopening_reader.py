"""A second look that does not end at the first camera that fails."""

from collections.abc import Callable
from typing import TypeVar

from cube.moves import MoveSequence
from thistlebot.looking.reader import Reader
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame
from vision.reading import CubeReading

Seen = TypeVar("Seen")


class ReopeningReader(Reader):
    """Looks through cameras, and opens them anew, once, when one fails.

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
        """Whether the rig moves for a look, or was cut off while it did."""
        return self._reader.moving

    def put_back(self) -> None:
        """Turn back what the last look turned."""
        self._reader.put_back()

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
        """Read the cube; where a camera fails in a look of its own, look anew.

        Raises:
            CameraError: As of `look`.
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
            self._reader.put_back()
            self._reader = self._reopen()
            return once_more(self._reader)
