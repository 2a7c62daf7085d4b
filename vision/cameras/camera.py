"""The interface for pictures: one small protocol, with real and virtual implementations."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from vision.frame import Frame

if TYPE_CHECKING:  # this imports OpenCV
    from vision.cameras.light_lock import LightLock


@runtime_checkable
class Camera(Protocol):
    """A source of frames, until it is closed.

    Implementations inherit the shared methods: `vision.cameras.opencv_camera.OpenCVCamera` (webcam,
    stream, video file), `vision.cameras.csi_camera.CsiCamera` (a Raspberry Pi's ribbon camera) and
    `vision.virtual.virtual_camera.VirtualCamera` (renders a virtual cube).
    """

    @property
    def name(self) -> str:
        """The camera's name in messages and as the frames' source."""

    @property
    def light(self) -> "LightLock | None":
        """Whether exposure and white balance are locked; None if they cannot be."""
        return None

    def read(self) -> Frame:
        """Return the next picture; wait for it if necessary.

        Raises:
            EndOfVideoError: The source is a recording and has no further picture.
            CameraError: No picture came; the message says what to do.
        """

    def ask(self) -> Callable[[], Frame]:
        """Request the next picture; the returned function waits for it, with the errors of `read`.

        All cameras are asked before the first result is awaited, so that they take their pictures
        at the same time. An implementation that takes the picture only when it is awaited is
        correct, but slower.
        """
        return self.read

    def read_live(self) -> Frame:
        """Return the next picture to show to people; its exposure may have begun already.

        Raises:
            CameraError: See `read`.
        """
        return self.read()

    @property
    def unrecorded(self) -> "Camera":
        """The same camera, for pictures that are only compared with one another."""
        return self

    def expose(self, share: float) -> bool:
        """Take the next pictures with this share of the usual exposure; 1 restores it.

        Returns:
            Whether the camera supports this; False if its exposure cannot be set.
        """
        del share
        return False

    def close(self) -> None:
        """Release the device; closing twice is allowed."""

    def __enter__(self) -> Self:
        """Return the camera itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the camera."""
        self.close()


class WrappedCamera(Camera):
    """A camera around another one; subclasses change or watch its pictures."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    @property
    def name(self) -> str:
        """The name of the camera."""
        return self._camera.name

    def expose(self, share: float) -> bool:
        """See `Camera.expose`."""
        return self._camera.expose(share)

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()
