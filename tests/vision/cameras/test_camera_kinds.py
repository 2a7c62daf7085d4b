"""Sources are opened by the first kind of camera whose pattern they match."""

from collections.abc import Callable

import pytest

from vision.cameras import camera_kinds
from vision.cameras.camera_kinds import open_camera
from vision.errors import CameraError


@pytest.mark.parametrize("source", ["nowhere.mp4", "/dev/video77", "line\nbreak"])
def test_a_source_that_is_not_there_is_said(source: str) -> None:
    with pytest.raises(CameraError, match="does not exist"):
        open_camera(source)


def test_a_new_kind_is_one_line_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def kind(name: str) -> Callable[[int | str], object]:
        return lambda source: (name, source)

    table = {r"picamera:\d": kind("ribbon"), r"\d+": kind("webcam"), r".*": kind("file")}
    monkeypatch.setattr(camera_kinds, "CAMERA_KINDS", table)
    assert open_camera("picamera:1") == ("ribbon", "picamera:1")
    assert open_camera(2) == ("webcam", 2)
    assert open_camera("cube.avi") == ("file", "cube.avi")
