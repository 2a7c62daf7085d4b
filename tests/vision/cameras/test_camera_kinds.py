"""What a camera's source turns out to be, what opens it, and which cameras there are."""

from collections.abc import Callable
from pathlib import Path

import cv2
import pytest

from vision.cameras import camera_kinds
from vision.cameras.camera_kinds import open_camera
from vision.cameras.camera_list import CameraInfo, list_cameras
from vision.cameras.camera_source import SourceKind, back_ends, parse_source
from vision.errors import CameraError


def test_sources_are_opened_by_the_first_kind_that_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ("nowhere.mp4", "/dev/video77", "line\nbreak"):
        with pytest.raises(CameraError):
            open_camera(source)

    def kind(name: str) -> Callable[[int | str], object]:
        return lambda source: (name, source)

    table = {r"picamera:\d": kind("ribbon"), r"\d+": kind("webcam"), r".*": kind("file")}
    monkeypatch.setattr(camera_kinds, "CAMERA_KINDS", table)
    assert open_camera("picamera:1") == ("ribbon", "picamera:1")
    assert open_camera(2) == ("webcam", 2)
    assert open_camera("cube.avi") == ("file", "cube.avi")


def test_sources_are_told_apart_and_each_platform_has_its_back_ends() -> None:
    for source, kind, value in (
        (0, SourceKind.WEBCAM, 0),
        ("2", SourceKind.WEBCAM, 2),
        ("/dev/video3", SourceKind.WEBCAM, "/dev/video3"),
        ("rtsp://camera.local/1", SourceKind.STREAM, "rtsp://camera.local/1"),
        ("clips/cube.mp4", SourceKind.FILE, "clips/cube.mp4"),
        ("C:\\clips\\cube.mp4", SourceKind.FILE, "C:\\clips\\cube.mp4"),
    ):
        assert parse_source(source) == (kind, value)
    for platform, expected in (
        ("linux", (cv2.CAP_V4L2,)),
        ("darwin", (cv2.CAP_AVFOUNDATION,)),
        ("win32", (cv2.CAP_DSHOW, cv2.CAP_MSMF)),
        ("freebsd14", (cv2.CAP_ANY,)),
    ):
        assert back_ends(SourceKind.WEBCAM, platform) == expected


def test_linux_lists_cameras_by_the_kernels_names(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for node, index, name in (
        ("video10", "0", "Second camera"),
        ("video2", "0", "HD Webcam C920: HD Webcam"),
        ("video3", "1", "HD Webcam C920: HD Webcam"),  # the same camera's metadata
        ("video4", "0", ""),
    ):
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(index + "\n")
        (tmp_path / node / "name").write_text(name + "\n")
    (tmp_path / "v4l-subdev0").mkdir()
    assert list_cameras(tmp_path) == (
        CameraInfo("/dev/video2", "HD Webcam C920: HD Webcam"),
        CameraInfo("/dev/video4", "camera 4"),
        CameraInfo("/dev/video10", "Second camera"),
    )
    assert list_cameras(Path("/nowhere/at/all")) == ()
