"""What a source turns out to be, what opens it, and pictures that are too large or late."""

import os
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.vision.hand_held import hand_held_viewpoint
from cube.random_states import random_state
from documents.plugins import Plugins
from run_thistlebot import finished
from vision.cameras import camera_kinds
from vision.cameras.camera_kinds import CameraInfo, list_cameras, open_camera
from vision.cameras.camera_source import SourceKind, back_ends, parse_source, shown_source
from vision.cameras.driver_calls import call_within
from vision.cameras.picture_size import MOST_PIXELS
from vision.errors import CameraError
from vision.virtual.virtual_camera import VirtualCamera


def test_sources_are_opened_by_the_kind_that_they_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ("nowhere.mp4", "/dev/video77", "line\nbreak", "nothing:1"):
        with pytest.raises(CameraError):
            open_camera(source)
    table = Plugins("cameras", {"picamera": lambda address: ("ribbon", address)})
    monkeypatch.setattr(camera_kinds, "CAMERA_KINDS", table)
    assert open_camera("picamera:1") == ("ribbon", "1")
    with pytest.raises(CameraError):
        open_camera("picamera://1")  # a stream


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
        ("video0", "0", "unicam-image"),  # a Raspberry Pi's: no webcams
        ("video11", "0", "bcm2835-codec-encode"),
        ("video20", "0", "pispbe-input"),
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


@pytest.mark.parametrize(("suffix", "code"), [(".jpg", 0), (".png", 5)])
def test_a_picture_with_too_many_pixels_is_reduced_or_refused(
    suffix: str, code: int, tmp_path: Path
) -> None:
    """OpenCV reads the limit when it is loaded; it lies between picture and half its size here."""
    state = random_state(np.random.default_rng(1))
    with VirtualCamera(lambda: state, hand_held_viewpoint("F", size=(1280, 960))) as camera:
        image = camera.read().image
    cv2.imwrite(str(tmp_path / f"F{suffix}"), image)
    environment = os.environ | {"OPENCV_IO_MAX_IMAGE_PIXELS": str(640 * 480)}
    result = finished("scan", "--face", tmp_path / f"F{suffix}", "--json", env=environment)
    assert result.returncode == code, result.stderr
    assert ('"found":true' in result.stdout) == (code == 0)
    assert ("PhotoError" in result.stdout) == (code == 5)
    assert code == 0 or f" {MOST_PIXELS // 1_000_000} " in result.stdout


def test_of_an_address_only_the_host_is_shown() -> None:
    for source, shown in (
        ("rtsp://al:pw@10.0.0.3:554/live?user=al&pwd=x#y", "rtsp://10.0.0.3:554"),
        ("rtsp://al:p/w@d@10.0.0.3:554/live", "rtsp://…"),
        ("http://10.0.0.3/KEY/video.mjpg", "http://10.0.0.3"),
        ("http://10.0.0.3/KEY@video.mjpg", "http://…"),
        ("https://[fe80::1]:8443?key=x\ny", "https://[fe80::1]:8443"),
        ("mine:http://al:pw@cam.lan/KEY", "mine:http://cam.lan"),
        ("a?b.avi", "a?b.avi"),
        (0, "0"),
    ):
        assert shown_source(source) == shown


def test_a_call_is_waited_for_only_so_long_and_its_errors_come_through():
    assert call_within(5.0, lambda: 7) == 7
    done = threading.Event()
    with pytest.raises(TimeoutError, match=r"0\.05 s"):
        call_within(0.05, lambda: done.wait(30.0))
    done.set()
    with pytest.raises(ZeroDivisionError):
        call_within(5.0, lambda: 1 / 0)
