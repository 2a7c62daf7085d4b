"""A camera that must prove that it is live, because the age of a single picture is unknown."""

import time
from collections.abc import Callable

import numpy as np

from vision.cameras.camera import Camera, WrappedCamera
from vision.cameras.camera_source import SourceKind, parse_source
from vision.cameras.light_lock import LightLock
from vision.cameras.opencv_camera import OpenCVCamera
from vision.errors import CameraError
from vision.frame import Frame

RECENT_S = 10.0
"""Maximum age of the earlier picture; an older one proves nothing."""
_PATIENCE_S = 2.0
_LEAST_ALIKE = 5
"""Time in which a live camera must change its picture: noise makes any two pictures differ.
Well-compressed streams may repeat one for a moment.
"""


class ProvenCamera(WrappedCamera):
    """Returns a picture only if another one, taken shortly before, differs from it.

    A sender or a driver that hangs may repeat its last picture forever, without an error; the
    program would then report a cube as solved because of an old picture.

    Args:
        camera: The camera that takes the pictures; a live one, not a recording.
        clock: Seconds.
    """

    def __init__(self, camera: Camera, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(camera)
        self._clock = clock
        self._last: Frame | None = None
        self._last_s = 0.0

    @property
    def light(self) -> LightLock | None:
        """The light of the camera."""
        return self._camera.light

    def read(self) -> Frame:
        """Return the next picture.

        Raises:
            CameraError: All pictures are the same; or as in `Camera.read`.
        """
        return self._proven(self._camera.read())

    def ask(self) -> Callable[[], Frame]:
        """See `Camera.ask`; the returned function has the errors of `read`."""
        asked = self._camera.ask()
        return lambda: self._proven(asked())

    def read_live(self) -> Frame:
        """Return the next picture for people, who can see themselves whether it moves."""
        return self._camera.read_live()

    def _proven(self, frame: Frame) -> Frame:
        began_s, alike = self._clock(), 0
        before = self._last if began_s - self._last_s <= RECENT_S else None
        while before is None or np.array_equal(before.image, frame.image):
            alike += before is not None
            if alike >= _LEAST_ALIKE and self._clock() - began_s > _PATIENCE_S:
                raise CameraError(
                    f"{self.name} keeps sending the same picture: the camera, its driver or "
                    "its sender hangs, or the lens is covered; uncover or reconnect it and "
                    "start again"
                )
            before, frame = frame, self._camera.read()
        self._last, self._last_s = frame, self._clock()
        return frame


def proven(camera: Camera, source: int | str) -> Camera:
    """Make a live camera prove that it is live; a recording cannot, and need not.

    Args:
        camera: The opened camera.
        source: Its source, as the user gave it.
    """
    recorded = parse_source(source)[0] is SourceKind.FILE and isinstance(camera, OpenCVCamera)
    return camera if recorded else ProvenCamera(camera)
