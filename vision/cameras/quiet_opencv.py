"""Keeps OpenCV from talking on stderr about what our own errors say better, and from waiting."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import cv2


@contextmanager
def quiet_opencv() -> Iterator[None]:
    """Silence OpenCV, and FFmpeg inside it, while something is tried that may fail."""
    # Read by OpenCV once, when FFmpeg is first needed; -8 is FFmpeg's AV_LOG_QUIET.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # Seconds that a silent webcam on Linux is waited for; OpenCV's own default is 10.
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "4")
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)
