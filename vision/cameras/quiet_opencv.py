"""Keeps OpenCV from talking on stderr about what our own errors say better, and from waiting."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import cv2


class _Silence:
    """How many threads want OpenCV silent now: its level is one for the whole process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted = 0
        self._level = 0

    def begin(self) -> None:
        with self._lock:
            if not self._wanted:
                self._level = cv2.utils.logging.getLogLevel()
                cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
            self._wanted += 1

    def end(self) -> None:
        with self._lock:
            self._wanted -= 1
            if not self._wanted:
                cv2.utils.logging.setLogLevel(self._level)


_SILENCE = _Silence()


@contextmanager
def quiet_opencv() -> Iterator[None]:
    """Silence OpenCV, and FFmpeg inside it, while something is tried that may fail."""
    # Read by OpenCV once, when FFmpeg is first needed; -8 is FFmpeg's AV_LOG_QUIET.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # Seconds that a silent webcam on Linux is waited for; OpenCV's own default is 10.
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "4")
    _SILENCE.begin()
    try:
        yield
    finally:
        _SILENCE.end()
