"""Locking of a webcam's light, with sensors that obey, refuse, and lie.

There is no webcam here: the sensor stands where OpenCV's capture does.
"""

import time

import cv2
import numpy as np
import pytest

from vision.cameras import opencv_camera
from vision.cameras.camera_source import SourceKind, back_ends
from vision.cameras.light_lock import Held, LightLock, lock_light
from vision.cameras.opencv_camera import OpenCVCamera
from vision.cameras.timeouts import call_within
from vision.errors import CameraError


class Sensor:
    """A webcam with automatics; `refuses` and `ignores` name settings that it does not let go."""

    def __init__(self, *, refuses=(), ignores=(), wander=0.0):
        self.settings = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 150.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_BACKEND: float(cv2.CAP_V4L2),
        }
        self.refuses, self.ignores, self.wander = refuses, ignores, wander
        self.level, self.pictures = 30.0, 0

    def get(self, prop):
        return self.settings.get(prop, 0.0)

    def set(self, prop, value):
        if prop in self.refuses:
            return False
        if prop not in self.ignores:
            self.settings[prop] = value
        return True

    def image(self):
        self.pictures += 1
        self.level += 0.5 * (120.0 - self.level)  # the automatic settles at 120
        swing = self.wander * self.level * (self.pictures % 2)
        return np.full((48, 64, 3), round(self.level + swing), dtype=np.uint8)


def test_a_good_camera_is_locked_once_its_automatic_has_settled():
    sensor = Sensor()
    lock = lock_light(sensor, cv2.CAP_V4L2, sensor.image)
    assert (lock.exposure, lock.white_balance) == (Held.LOCKED, Held.LOCKED)
    assert lock.steady
    assert sensor.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert sensor.settings[cv2.CAP_PROP_EXPOSURE] == 150.0
    assert sensor.level > 118.0
    assert "the pictures stand still" in lock.text


def test_a_driver_that_ignores_a_setting_is_found_out_by_reading_back():
    lock = lock_light(
        sensor := Sensor(ignores={cv2.CAP_PROP_AUTO_EXPOSURE}), cv2.CAP_V4L2, sensor.image
    )
    assert lock.exposure is Held.IGNORED
    assert "the driver ignores it" in lock.text


def test_a_driver_that_says_yes_but_drifts_is_found_out_on_the_pixels():
    lock = lock_light(sensor := Sensor(wander=0.12), cv2.CAP_V4L2, sensor.image)
    assert lock.exposure is Held.LOCKED
    assert not lock.steady
    assert "still change by 1" in lock.text
    assert "keep lamps and hands still" in lock.text


def test_back_ends_without_the_setting_are_not_trusted():
    sensor = Sensor(refuses={cv2.CAP_PROP_AUTO_WB})
    lock = lock_light(sensor, cv2.CAP_AVFOUNDATION, sensor.image)
    assert lock == LightLock(Held.REFUSED, Held.REFUSED, lock.drift)


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


class Webcam(Sensor):
    """What `cv2.VideoCapture` opens; it hangs or ends after some pictures."""

    hangs_after = ends_after = 10**6
    opens_with: tuple[int, ...] = (cv2.CAP_V4L2, cv2.CAP_MSMF)

    def __init__(self, source, back_end, parameters):
        super().__init__()
        self.source, self.parameters = source, parameters
        self.back_end, self.grabs, self.released = back_end, 0, False

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return self.back_end in self.opens_with and not self.released

    def release(self):
        self.released = True

    def grab(self):
        self.grabs += 1
        if self.grabs > self.hangs_after:
            time.sleep(30.0)
        time.sleep(0.005)
        return self.grabs <= self.ends_after

    def read(self):
        return (True, self.image()) if self.grab() else (False, None)


def opened(monkeypatch, **changes):
    kind = type("Changed", (Webcam,), changes)
    monkeypatch.setattr(cv2, "VideoCapture", kind)
    monkeypatch.setattr(opencv_camera, "READ_TIMEOUT_S", 0.3)
    return OpenCVCamera(0)


def test_a_webcam_is_locked_when_it_opens(monkeypatch):
    with opened(monkeypatch) as camera:
        assert camera.light is not None
        assert camera.light.exposure is Held.LOCKED
        assert camera.read().size == (64, 48)


def test_a_webcam_that_hangs_is_given_up_with_advice(monkeypatch):
    camera = opened(monkeypatch, hangs_after=60)
    with pytest.raises(CameraError, match=r"sent no picture for 0.3 s; unplug it"):
        list(camera)
    with pytest.raises(CameraError, match="is closed"):
        camera.read()
    camera.close()


def test_a_webcam_that_vanishes_says_so(monkeypatch):
    camera = opened(monkeypatch, ends_after=60)
    with pytest.raises(CameraError, match="stopped sending pictures; check its cable"):
        list(camera)


def test_media_foundation_is_tried_after_directshow(monkeypatch):
    monkeypatch.setattr(
        "vision.cameras.camera_source.back_ends", lambda _kind: back_ends(_kind, "win32")
    )
    with opened(monkeypatch) as camera:
        assert camera.read().size == (64, 48)


def test_a_call_is_waited_for_only_so_long_and_its_errors_come_through():
    assert call_within(1.0, lambda: 7) == 7
    with pytest.raises(TimeoutError, match=r"within 0.05 s"):
        call_within(0.05, lambda: time.sleep(0.5))
    with pytest.raises(ZeroDivisionError):
        call_within(1.0, lambda: 1 / 0)
