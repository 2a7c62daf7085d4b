"""The edge where pictures enter: one small protocol, with real and virtual implementations."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from vision.frame import Frame

if TYPE_CHECKING:  # with it comes OpenCV
    from vision.cameras.light_lock import LightLock


@runtime_checkable
class Camera(Protocol):
    """Something that delivers frames until it is closed.

    Implementations inherit what they share: `vision.cameras.opencv_camera.OpenCVCamera` (webcam,
    stream, video file), `vision.cameras.photo_camera.PhotoFolder` (a folder of photos, read face by
    face) and `vision.virtual.virtual_camera.VirtualCamera` (renders a virtual cube).
    """

    @property
    def name(self) -> str:
        """What a person would call this camera; used in messages and as the frames' source."""

    @property
    def light(self) -> "LightLock | None":
        """Whether exposure and white balance stand still; None where nobody can hold them."""
        return None

    def read(self) -> Frame:
        """Return the next picture, waiting for it if need be.

        Raises:
            EndOfVideoError: The source is a recording and has no further picture.
            CameraError: No picture came; the message says what to do next.
        """

    def ask(self) -> Callable[[], Frame]:
        """Ask for the next picture; what is returned waits for it, and raises as `read` does.

        Of several cameras all are asked before the first is waited for: each takes its picture
        while the others do. One that takes it only when it is waited for is right, and slower.
        """
        return self.read

    def read_on(self) -> Frame:
        """Return the next picture that comes, as people look on: it may have begun already.

        Raises:
            CameraError: As of `read`.
        """
        return self.read()

    def expose(self, share: float) -> bool:
        """Take the next pictures with so much of the usual light; 1 goes back to it.

        Returns:
            Whether the camera does; False where nobody can set its exposure.
        """
        del share
        return False

    def close(self) -> None:
        """Release the device; closing twice does no harm."""

    def __enter__(self) -> Self:
        """Return the camera itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the camera."""
        self.close()
