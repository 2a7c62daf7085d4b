"""Cameras that OpenCV can open: webcams, device files, network streams and video files.

A picture from a network stream is never older than its request.
"""

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.camera import Camera
from vision.cameras.camera_source import SourceKind, open_capture, parse_source, shown_source
from vision.cameras.driver_calls import begun, call_within
from vision.cameras.light_lock import Held, LightLock, change_exposure, lock_light
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame


class LiveStream:
    """Receives every picture of a stream at once, and stores none.

    Pictures that nobody reads would wait in the sender, in the network and in FFmpeg, dozens of
    them; they would be read first, and would show the cube before the last turns.

    Args:
        capture: The opened stream; no other code reads from it.
    """

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture
        self._changed = threading.Condition()
        self._asked = 0
        self._image: NDArray[np.uint8] | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._take_pictures, daemon=True, name="stream")
        self._thread.start()

    def next_image(self, timeout_s: float) -> NDArray[np.uint8] | None:
        """Return a picture that arrived after the call; None if the stream has ended.

        Raises:
            TimeoutError: No picture came in time.
        """
        with self._changed:
            self._asked += 1
            self._image = None
            self._changed.wait_for(lambda: self._image is not None or self._ended, timeout_s)
            if self._image is None and not self._ended:
                raise TimeoutError(f"no picture within {timeout_s:g} s")
            return self._image

    def close(self, timeout_s: float) -> bool:
        """Stop receiving pictures.

        Returns:
            Whether the stream may be released: no thread waits inside the driver.
        """
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _take_pictures(self) -> None:
        answered = 0
        while not self._ended:
            asked = self._asked  # before the picture begins to arrive
            came, image = self._capture.grab(), None
            if came and asked > answered:
                came, image = self._capture.retrieve()
            with self._changed:
                self._ended = self._ended or not came
                if image is not None and asked == self._asked:
                    self._image = np.asarray(image, dtype=np.uint8)
                    answered = asked
                self._changed.notify_all()


Answer = TypeVar("Answer")

WARM_UP_FRAMES = 5
"""Pictures dropped after opening a webcam: its exposure control starts from black or white."""
EXPOSURE_FRAMES = 3
"""Pictures dropped after a change of the exposure: sensors apply it with the next but one."""

FRESH_WAIT_S = 0.004
"""A picture that arrives sooner than this after the request was in a buffer."""

MOST_BUFFERED = 8
"""Maximum number of pictures in a driver's buffer; if more arrive quickly, the camera is fast."""

READ_TIMEOUT_S = 8.0
"""Time limit for a webcam to send a picture; drivers have no limit of their own."""


class OpenCVCamera(Camera):
    """A webcam, stream or video file behind `vision.cameras.camera.Camera`.

    A webcam or stream always returns a picture taken after the request: buffered ones show the cube
    before the last turn. A video file delivers every picture once.

    Args:
        source: Webcam index, device path, URL or path of a video file.
        clock: Returns seconds, for the time of live frames.
        lock: Lock a webcam's exposure and white balance, see `light`.

    Raises:
        CameraError: The source cannot be opened or delivers no picture.
    """

    def __init__(
        self,
        source: int | str,
        clock: Callable[[], float] = time.monotonic,
        *,
        lock: bool = True,
    ) -> None:
        self._kind, self._source = parse_source(source)
        self._hung = False
        self._light: LightLock | None = None
        self._held_exposure = 0.0
        self._stream: LiveStream | None = None
        self._clock = clock
        self._frames_read = 0
        self._in_use = threading.Lock()
        self._capture = open_capture(self._kind, self._source, self.name)
        self._lock = lock
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The camera's name for people."""
        if isinstance(self._source, int):
            return f"camera {self._source}"
        return shown_source(self._source)

    @property
    def light(self) -> LightLock | None:
        """Whether exposure and white balance are locked; None for streams and files."""
        return self._light

    def read(self) -> Frame:
        """Return the next picture; from a live source one taken after the call.

        Raises:
            EndOfVideoError: The video file has no further picture.
            CameraError: The camera vanished or is closed.
        """
        with self._in_use:
            if self._hung or not self._capture.isOpened():
                raise CameraError(f"{self.name} is closed; open it again to read from it")
            image = self._next_image()
            self._frames_read += 1
            return Frame(image, self.name, self._time_s())

    def ask(self) -> Callable[[], Frame]:
        """See `Camera.ask`; the pictures of a file have no time of their own."""
        if self._kind is SourceKind.FILE:
            return self.read
        return partial(begun(self.read), None)  # which does not wait forever

    def expose(self, share: float) -> bool:
        """See `Camera.expose`: a webcam whose exposure could be locked can change it.

        Raises:
            CameraError: The camera vanished.
        """
        if self._light is None or self._light.exposure is not Held.LOCKED:
            return False
        with self._in_use:
            changed = change_exposure(self._capture, self._held_exposure, share)
            for _ in range(EXPOSURE_FRAMES):
                self._next_image()
            return changed

    def close(self) -> None:
        """Release the device; closing twice is allowed."""
        if self._stream is not None:
            self._hung = not self._stream.close(READ_TIMEOUT_S)
        if not self._in_use.acquire(timeout=READ_TIMEOUT_S):  # wait for a requested picture
            self._hung = True
            return
        try:
            if not self._hung:  # a driver that hangs in one call hangs in the next
                self._capture.release()
        finally:
            self._in_use.release()

    def _prepare(self) -> None:
        if self._kind is SourceKind.STREAM:
            self._stream = LiveStream(self._capture)
        if self._kind is not SourceKind.WEBCAM:
            return
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        # Stops at the first failure, because a driver waits many seconds before each.
        delivered = self._in_time(lambda: all(self._capture.grab() for _ in range(WARM_UP_FRAMES)))
        if delivered and self._lock:
            back_end = int(self._capture.get(cv2.CAP_PROP_BACKEND))
            self._light = lock_light(self._capture, back_end, self._next_image)
            self._held_exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        if not delivered:
            raise CameraError(
                f"{self.name} opens but sends no pictures; close other programs that use it, "
                "or unplug it and plug it in again"
            )

    def _next_image(self) -> NDArray[np.uint8]:
        image = self._take() if self._kind is SourceKind.FILE else self._in_time(self._take)
        if image is None:
            raise self._nothing_came()
        return image

    def _take(self) -> NDArray[np.uint8] | None:
        if self._stream is not None:
            return self._stream.next_image(READ_TIMEOUT_S)
        if self._kind is SourceKind.WEBCAM:
            self._drop_buffered()
        came, image = self._capture.read()
        return np.asarray(image, dtype=np.uint8) if came else None

    def _in_time(self, function: Callable[[], Answer]) -> Answer:
        """Call the driver, but do not wait forever."""
        try:
            return call_within(READ_TIMEOUT_S, function)
        except TimeoutError:
            self._hung = True
            raise CameraError(
                f"{self.name} has sent no picture for {READ_TIMEOUT_S:g} s; unplug it, plug "
                "it into another port without a hub, then start again"
            ) from None

    def _drop_buffered(self) -> None:
        """Drop pictures taken before now; the next one read is then a new one."""
        for _ in range(MOST_BUFFERED):
            asked_s = time.monotonic()
            if not self._capture.grab() or time.monotonic() - asked_s > FRESH_WAIT_S:
                return

    def _time_s(self) -> float:
        if self._kind is SourceKind.FILE:
            return self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        return self._clock()

    def _nothing_came(self) -> CameraError:
        if self._kind is SourceKind.FILE:
            if self._frames_read:
                return EndOfVideoError(f"{self.name} ended after {self._frames_read} pictures")
            return CameraError(
                f"{self.name} contains no readable picture; convert it to MP4 (H.264) or to "
                "AVI with MJPEG"
            )
        advice = (
            "check its cable, then start again"
            if self._kind is SourceKind.WEBCAM
            else "check that its sender is still running and that it can be reached over the "
            "network"
        )
        return CameraError(f"{self.name} stopped sending pictures; {advice}")
