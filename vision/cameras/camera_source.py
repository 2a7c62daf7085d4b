"""Sources of cameras: their kinds, and OpenCV's way to open them."""

import os
import re
import sys
from enum import Enum
from functools import partial
from pathlib import Path

import cv2

from vision.cameras.driver_calls import call_within, silence_opencv
from vision.errors import CameraError

STREAM_TIMEOUT_MS = 5000
"""Time limit for a network stream to open or to send its next picture."""

OPEN_TIMEOUT_S = 30.0
"""Time limit for a webcam to open: Media Foundation needs many seconds; drivers have no limit."""


class SourceKind(Enum):
    """The kinds of sources."""

    WEBCAM = "webcam"
    STREAM = "stream"
    FILE = "video file"


def parse_source(source: int | str) -> tuple[SourceKind, int | str]:
    """Distinguish a webcam ("0", "/dev/video0"), a stream ("rtsp://…") and a video file."""
    if isinstance(source, int):
        return SourceKind.WEBCAM, source
    if source.strip().isdecimal():
        return SourceKind.WEBCAM, int(source)
    if source.startswith("/dev/") and not Path(source).is_file():
        return SourceKind.WEBCAM, source
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]+://", source):
        return SourceKind.STREAM, source
    return SourceKind.FILE, source


def shown_source(source: int | str) -> str:
    """Return a source for display: of an address only its host, because the rest may be secret."""
    before, mark, address = str(source).partition("://")
    if not mark:
        return before
    host = re.fullmatch(r"(?:[^@/?#]*@)?([\w.-]+|\[[\w:.]+\])(:\d+)?(?:[/?#][^@]*)?", address, re.S)
    return f"{before}://" + ("…" if host is None else host[1] + (host[2] or ""))


def is_local_camera(source: int | str) -> bool:
    """Return whether a source names a webcam or a ribbon camera of this computer, and no file."""
    return bool(re.fullmatch(r"\d{1,3}|/dev/video\d{1,3}|csi(:\d{1,2})?", str(source), re.ASCII))


def open_capture(kind: SourceKind, source: int | str, name: str) -> cv2.VideoCapture:
    """Open the source with a suitable back end.

    Args:
        kind: The kind of source.
        source: The result of `parse_source`.
        name: Its name in messages.

    Raises:
        CameraError: It cannot be opened; the message says what to try.
    """
    _check_path(kind, source)
    silence_opencv()
    parameters: list[int] = []
    if kind is SourceKind.STREAM:
        parameters = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            STREAM_TIMEOUT_MS,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            STREAM_TIMEOUT_MS,
        ]
    for back_end in back_ends(kind):
        try:
            capture = call_within(
                OPEN_TIMEOUT_S, partial(cv2.VideoCapture, source, back_end, parameters)
            )
        except TimeoutError:
            raise CameraError(
                f"{name} does not open within {OPEN_TIMEOUT_S:g} s; unplug it and plug it in again"
            ) from None
        if capture.isOpened():
            return capture
        capture.release()
    raise CameraError(f"{name} does not open; {_advice(kind)}")


def _check_path(kind: SourceKind, source: int | str) -> None:
    if isinstance(source, int) or kind is SourceKind.STREAM:
        return
    path = Path(source)
    if not path.exists():
        advice = (
            "plug the camera in, or choose one listed by `thistlebot devices`"
            if kind is SourceKind.WEBCAM
            else "check the path, or pass a webcam's number"
        )
        raise CameraError(f"{source} does not exist; {advice}")
    if path.is_dir():
        raise CameraError(f"{source} is a folder, not a video; read photos with --photos {source}")
    if not os.access(path, os.R_OK):
        advice = (
            "add yourself to the group `video`, then log in again"
            if kind is SourceKind.WEBCAM
            else "change its permissions"
        )
        raise CameraError(f"this user may not read {source}; {advice}")


def back_ends(kind: SourceKind, platform: str = sys.platform) -> tuple[int, ...]:
    """Return OpenCV's back ends to try for a source, the best first.

    On Windows DirectShow opens at once where Media Foundation takes many seconds, but does not
    know every camera.
    """
    if kind is not SourceKind.WEBCAM:
        # The other back ends hardly open more sources, and write to stderr.
        has_ffmpeg = cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()
        return (cv2.CAP_FFMPEG,) if has_ffmpeg else (cv2.CAP_ANY,)
    if platform.startswith("linux"):
        return (cv2.CAP_V4L2,)
    if platform == "darwin":
        return (cv2.CAP_AVFOUNDATION,)
    if platform == "win32":
        return cv2.CAP_DSHOW, cv2.CAP_MSMF
    return (cv2.CAP_ANY,)


def _advice(kind: SourceKind) -> str:
    if kind is SourceKind.STREAM:
        return "check the address, and that its sender is running"
    if kind is SourceKind.FILE:
        return "it may be damaged or not a video: convert it to MP4 (H.264) or to AVI with MJPEG"
    if sys.platform == "darwin":
        return "allow the terminal to use the camera in System Settings › Privacy & Security"
    return (
        "plug it in, close other programs that use it, or choose one listed by `thistlebot devices`"
    )
