"""A second look that does not end at the first camera that fails."""

from collections.abc import Callable
from typing import TypeVar

from thistlebot.session.session import Reader
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame
from vision.reading import CubeReading

Seen = TypeVar("Seen")


class ReopeningReader:
    """Looks through cameras, and opens them anew, once, when one fails.

    Args:
        reader: Looks and reads.
        reopen: Closes the cameras and returns a reader that looks through them, opened again.
    """

    def __init__(self, reader: Reader, reopen: Callable[[], Reader]) -> None:
        self._reader = reader
        self._reopen = reopen

    def look(self) -> tuple[Frame, ...]:
        """Take the pictures.

        Raises:
            CameraError: A camera failed again, or does not open; or a recording ended.
        """
        return self._twice(lambda reader: reader.look())

    def read(self, frames: tuple[Frame, ...]) -> CubeReading:
        """Read the cube; for more looks, if they are needed, cameras are opened again, too.

        Raises:
            CameraError: As of `look`.
        """
        return self._twice(lambda reader: reader.read(frames))

    def _twice(self, attempt: Callable[[Reader], Seen]) -> Seen:
        try:
            return attempt(self._reader)
        except EndOfVideoError:
            raise  # opened again, it would show what was long ago
        except CameraError:
            self._reader = self._reopen()
            return attempt(self._reader)
