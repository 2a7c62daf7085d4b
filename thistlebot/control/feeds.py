"""The seam to those who look on through the machine's cameras."""

from typing import Protocol

from vision.cameras.camera import Camera


class Feeds(Protocol):
    """Shares cameras with those who look on."""

    def share(self, number: int, camera: Camera, *, between: bool = True) -> Camera:
        """Return the camera for the machine; its pictures are others' as well.

        Args:
            number: Its number for those who look on.
            camera: The camera.
            between: Read it also between the machine's own pictures; a recording would run away.
        """

    def forget(self) -> None:
        """Take note that the cameras are closed."""


class NoFeeds:
    """Nobody looks on."""

    def share(self, number: int, camera: Camera, *, between: bool = True) -> Camera:
        """Return the camera itself."""
        del number, between
        return camera

    def forget(self) -> None:
        """Nothing is shared."""
