"""Locking of a webcam's light, with sensors that obey, refuse, and lie.

There is no webcam here: the sensor stands where OpenCV's capture does.
"""

import re

import cv2
import numpy as np

from vision.cameras.light_lock import Held, LightLock, change_exposure, lock_light


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
    assert lock.text


def test_drivers_that_refuse_ignore_or_drift_are_found_out():
    """By reading back, and on the pixels."""
    sensor = Sensor(ignores={cv2.CAP_PROP_AUTO_EXPOSURE})
    ignored = lock_light(sensor, cv2.CAP_V4L2, sensor.image)
    assert ignored.exposure is Held.IGNORED
    sensor = Sensor(wander=0.12)
    drifting = lock_light(sensor, cv2.CAP_V4L2, sensor.image)
    assert (drifting.exposure, drifting.steady) == (Held.LOCKED, False)
    assert re.search(r"\b1\d(\.\d)? ?%", drifting.text)
    sensor = Sensor(refuses={cv2.CAP_PROP_AUTO_WB})
    refused = lock_light(sensor, cv2.CAP_AVFOUNDATION, sensor.image)
    assert refused == LightLock(Held.REFUSED, Held.REFUSED, refused.drift)
    assert len({ignored.text, drifting.text, refused.text}) == 3


def test_a_locked_exposure_is_changed_as_its_back_end_counts():
    for held, share, wanted in ((150.0, 0.5, 75.0), (-5.0, 0.5, -6.0), (-5.0, 1.0, -5.0)):
        sensor = Sensor()
        assert change_exposure(sensor, held, share)
        assert sensor.settings[cv2.CAP_PROP_EXPOSURE] == wanted
    for stubborn in ({"refuses": {cv2.CAP_PROP_EXPOSURE}}, {"ignores": {cv2.CAP_PROP_EXPOSURE}}):
        assert not change_exposure(Sensor(**stubborn), 150.0, 0.5)
