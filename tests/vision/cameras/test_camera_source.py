"""What a camera's source turns out to be."""

import pytest

from vision.cameras.camera_source import SourceKind, parse_source


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
