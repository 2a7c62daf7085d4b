"""What a camera's source turns out to be, and what opens it."""

import cv2
import pytest

from vision.cameras.camera_source import SourceKind, back_ends, parse_source


@pytest.mark.parametrize(
    ("source", "kind", "value"),
    [
        (0, SourceKind.WEBCAM, 0),
        ("2", SourceKind.WEBCAM, 2),
        ("/dev/video3", SourceKind.WEBCAM, "/dev/video3"),
        ("rtsp://camera.local/1", SourceKind.STREAM, "rtsp://camera.local/1"),
        ("clips/cube.mp4", SourceKind.FILE, "clips/cube.mp4"),
        ("C:\\clips\\cube.mp4", SourceKind.FILE, "C:\\clips\\cube.mp4"),
    ],
)
def test_sources_are_told_apart(source, kind, value):
    assert parse_source(source) == (kind, value)


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", (cv2.CAP_V4L2,)),
        ("darwin", (cv2.CAP_AVFOUNDATION,)),
        ("win32", (cv2.CAP_DSHOW, cv2.CAP_MSMF)),
        ("freebsd14", (cv2.CAP_ANY,)),
    ],
)
def test_each_platform_has_its_back_ends(platform, expected):
    assert back_ends(SourceKind.WEBCAM, platform) == expected
