"""OpenCV's cameras: real video files, a real network stream, and webcams that hang or vanish."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import cv2
import numpy as np
import pytest
from network_camera import streaming

from run_thistlebot import scripted
from vision.cameras import opencv_camera
from vision.cameras.camera import Camera
from vision.cameras.light_lock import Held, LightLock, change_exposure, lock_light
from vision.cameras.opencv_camera import OpenCVCamera
from vision.errors import CameraError, EndOfVideoError
from vision.frame import Frame

LEVELS = (20, 70, 120, 170, 220)
RATE_HZ = 10.0


@pytest.fixture
def video(tmp_path):
    path = tmp_path / "five.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), RATE_HZ, (64, 48))
    for level in LEVELS:
        writer.write(np.full((48, 64, 3), level, dtype=np.uint8))
    writer.release()
    return path


def pictures(camera: OpenCVCamera) -> Iterator[Frame]:
    with suppress(EndOfVideoError):
        while True:
            yield camera.read()


def test_a_video_file_delivers_every_picture_once_and_then_ends(video):
    with OpenCVCamera(str(video)) as camera:
        assert isinstance(camera, Camera)
        frames = list(pictures(camera))
        with pytest.raises(EndOfVideoError, match=r"five\.avi .*\b5\b"):
            camera.read()
    assert [round(float(frame.image.mean()), -1) for frame in frames] == list(LEVELS)
    assert [frame.time_s for frame in frames] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert {frame.size for frame in frames} == {(64, 48)}
    assert frames[0].source == str(video)
    camera.close()
    with pytest.raises(CameraError):
        camera.read()


def test_sources_that_do_not_open_are_named(tmp_path):
    (tmp_path / "noise.mp4").write_bytes(np.random.default_rng(1).bytes(4000))
    (tmp_path / "empty.avi").write_bytes(b"")
    for source, named in (
        ("gone.mp4", "gone.mp4"),
        ("/dev/video97", "/dev/video97"),
        (97, "97"),
        ("http://127.0.0.1:9/stream", "127.0.0.1:9"),
        (str(tmp_path / "noise.mp4"), "noise.mp4"),
        (str(tmp_path / "empty.avi"), "empty.avi"),
        (str(tmp_path), "--photos"),
    ):
        with pytest.raises(CameraError, match=re.escape(named)):
            OpenCVCamera(source)


def test_a_cut_video_ends_early_without_a_crash_and_opencv_stays_silent(video):
    """Of a process of its own: FFmpeg is told once, when OpenCV first needs it, to be silent."""
    content = video.read_bytes()
    last_picture = content.rindex(b"\xff\xd8\xff")
    video.write_bytes(content[: last_picture + 20])
    camera = OpenCVCamera(str(video))
    assert len(LEVELS) - 2 <= len(list(pictures(camera))) < len(LEVELS)
    read = (
        "import contextlib\n"
        "from vision.cameras.opencv_camera import OpenCVCamera\n"
        "from vision.errors import CameraError\n"
        "camera = OpenCVCamera(video)\n"
        "with contextlib.suppress(CameraError):\n"
        "    while camera.read():\n"
        "        pass\n"
        "with contextlib.suppress(CameraError):\n"
        "    OpenCVCamera('http://127.0.0.1:9/stream')\n"
    )
    done = scripted(f"video = {str(video)!r}\n{read}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def numbered(pictures: int, pause_s: float, sent: list[int]) -> Callable[[], Iterator[bytes]]:
    """Pictures whose brightness tells their number; those that were sent are noted."""

    def live() -> Iterator[bytes]:
        for number in range(pictures):
            image = np.full((48, 64, 3), 40 + number, dtype=np.uint8)
            yield cv2.imencode(".jpg", image)[1].tobytes()
            sent.append(number)
            time.sleep(pause_s)

    return live


def test_a_network_stream_is_read_and_its_end_is_a_vanished_camera():
    with streaming(numbered(40, 0.01, [])) as url, OpenCVCamera(url, clock=lambda: 12.5) as camera:
        frame = camera.read()
        assert (frame.size, frame.time_s) == ((64, 48), 12.5)
        with pytest.raises(CameraError) as caught:
            list(pictures(camera))
        assert not isinstance(caught.value, EndOfVideoError)


def test_a_stream_that_nobody_read_shows_no_old_picture():
    sent: list[int] = []
    with streaming(numbered(200, 0.02, sent)) as url, OpenCVCamera(url) as camera:
        first = camera.read().image.mean() - 40
        while len(sent) < first + 60:  # or the test's time is over
            time.sleep(0.02)
        meanwhile = len(sent)
        second = camera.read().image.mean() - 40
        assert second > (first + meanwhile) / 2  # not one that waited since the first


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
        image = np.full((48, 64, 3), round(self.level + swing), dtype=np.uint8)
        image[: self.pictures % 5] = 255  # a reflection that moves, and does not count
        return image


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


HANGING = threading.Event()


class Webcam(Sensor):
    """What `cv2.VideoCapture` opens; it hangs or ends after some pictures."""

    hangs_after = ends_after = 10**6
    opens_with: tuple[int, ...] = (cv2.CAP_V4L2, cv2.CAP_MSMF)

    def __init__(self, _source, back_end, _parameters):
        super().__init__()
        self.back_end, self.grabs, self.released = back_end, 0, False

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
        list(pictures(camera))
    with pytest.raises(CameraError):
        camera.read()
    camera.close()
    with pytest.raises(CameraError):
        list(pictures(opened(monkeypatch, ends_after=60)))


def test_a_webcam_is_locked_when_it_opens_and_its_exposure_can_be_changed(monkeypatch):
    with opened(monkeypatch) as camera:
        assert camera.light.exposure is Held.LOCKED
        assert camera.read().size == (64, 48)
        for share, exposure in ((0.5, 75.0), (1.0, 150.0)):
            assert camera.expose(share)
            assert camera._capture.settings[cv2.CAP_PROP_EXPOSURE] == exposure


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
