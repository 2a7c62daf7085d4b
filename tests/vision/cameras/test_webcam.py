"""Webcams that open, hang and vanish; a class of ours stands where OpenCV's capture does."""

import threading
import time

import cv2
import numpy as np
import pytest

from vision.cameras import opencv_camera
from vision.cameras.light_lock import Held
from vision.cameras.opencv_camera import OpenCVCamera
from vision.errors import CameraError

HANGING = threading.Event()


class Webcam:
    """What `cv2.VideoCapture` opens; it hangs or ends after some pictures."""

    hangs_after = ends_after = 10**6
    opens_with: tuple[int, ...] = (cv2.CAP_V4L2, cv2.CAP_MSMF)

    def __init__(self, source, back_end, parameters):
        self.source, self.parameters = source, parameters
        self.back_end, self.grabs, self.released = back_end, 0, False
        self.settings = {cv2.CAP_PROP_BACKEND: float(cv2.CAP_V4L2)}

    def get(self, prop):
        return self.settings.get(prop, 0.0)

    def set(self, prop, value):
        self.settings[prop] = value
        return True

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return self.back_end in self.opens_with and not self.released

    def release(self):
        self.released = True

    def grab(self):
        self.grabs += 1
        if self.grabs > self.hangs_after:
            HANGING.wait(30.0)
        time.sleep(0.005)
        return self.grabs <= self.ends_after

    def read(self):
        image = np.full((48, 64, 3), 120, dtype=np.uint8)
        return (True, image) if self.grab() else (False, None)


def opened(monkeypatch, **changes):
    kind = type("Changed", (Webcam,), changes)
    monkeypatch.setattr(cv2, "VideoCapture", kind)
    monkeypatch.setattr(opencv_camera, "READ_TIMEOUT_S", 20.0)
    return OpenCVCamera(0)


def test_a_webcam_that_hangs_or_vanishes_is_given_up(monkeypatch, request):
    camera = opened(monkeypatch, hangs_after=60)
    monkeypatch.setattr(opencv_camera, "READ_TIMEOUT_S", 1.0)
    request.addfinalizer(HANGING.set)  # no thread is left behind
    with pytest.raises(CameraError, match=r" 1 s\b"):
        list(camera)
    with pytest.raises(CameraError):
        camera.read()
    camera.close()
    with pytest.raises(CameraError):
        list(opened(monkeypatch, ends_after=60))


def test_a_webcam_is_locked_when_it_opens_and_its_exposure_can_be_changed(monkeypatch):
    with opened(monkeypatch) as camera:
        assert camera.light.exposure is Held.LOCKED
        assert camera.read().size == (64, 48)
        camera._capture.settings[cv2.CAP_PROP_EXPOSURE] = 0.0
        assert camera.expose(0.5)
        assert camera._capture.settings[cv2.CAP_PROP_EXPOSURE] == -1.0
        assert camera.expose(1.0)
        assert camera._capture.settings[cv2.CAP_PROP_EXPOSURE] == 0.0


def test_a_picture_that_was_asked_for_is_there_before_the_webcam_closes(monkeypatch):
    reading, released_meanwhile = threading.Event(), threading.Event()

    class Slow(Webcam):
        def read(self):
            reading.set()
            answer = super().read()
            if self.released:
                released_meanwhile.set()
            return answer

    camera = opened(monkeypatch)
    camera._capture.__class__ = Slow
    picture = camera.ask()
    assert reading.wait(30.0)
    camera.close()
    assert picture().size == (64, 48)
    assert not released_meanwhile.is_set()
    with pytest.raises(CameraError):
        camera.ask()()
