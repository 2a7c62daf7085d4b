"""The pictures that viewers see: of the machine's cameras, and of the last looks."""

import threading

from thistlebot.reading.reader import Look
from vision.cameras.camera import Camera


class Feeds:
    """Shares cameras with viewers; by default there are none."""

    def share(self, number: int, camera: Camera, *, between: bool = True) -> Camera:
        """Return the camera for the machine; its pictures also go to viewers.

        Args:
            number: Its number for viewers.
            camera: The camera.
            between: Also read it between the machine's own pictures; not for a recording.
        """
        del number, between
        return camera

    def forget(self) -> None:
        """Note that the cameras are closed."""


KEPT = 8


class LookBook:
    """Stores the last looks; for any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._looks: dict[tuple[int, int], Look] = {}

    def put(self, run: int, number: int, look: Look) -> None:
        """Store a look."""
        with self._lock:
            self._looks.pop((run, number), None)
            self._looks[run, number] = look
            while len(self._looks) > KEPT:
                del self._looks[next(iter(self._looks))]

    def get(self, run: int, number: int) -> Look | None:
        """Return a look; None if it is no longer stored."""
        with self._lock:
            return self._looks.get((run, number))
