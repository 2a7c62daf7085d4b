"""OpenCV's cameras, with real video files and a real network stream."""

import http.server
import threading
import time

import cv2
import numpy as np
import pytest

from vision.cameras.camera import Camera
from vision.cameras.camera_source import SourceKind
from vision.cameras.opencv_camera import OpenCVCamera
from vision.cameras.quiet_opencv import quiet_opencv
from vision.errors import CameraError, EndOfVideoError

LEVELS = (20, 70, 120, 170, 220)
RATE_HZ = 10.0


@pytest.fixture
def video(tmp_path):
    path = tmp_path / "five.avi"
    with quiet_opencv():
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), RATE_HZ, (64, 48))
        for level in LEVELS:
            writer.write(np.full((48, 64, 3), level, dtype=np.uint8))
        writer.release()
    return path


def test_a_video_file_delivers_every_picture_once_and_then_ends(video):
    with OpenCVCamera(str(video)) as camera:
        assert isinstance(camera, Camera)
        frames = list(camera)
        with pytest.raises(EndOfVideoError, match=r"five.avi ended after 5 pictures"):
            camera.read()
    assert [round(float(frame.image.mean()), -1) for frame in frames] == list(LEVELS)
    assert [frame.time_s for frame in frames] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert {frame.size for frame in frames} == {(64, 48)}
    assert frames[0].source == str(video)


def test_a_closed_camera_says_so(video):
    camera = OpenCVCamera(str(video))
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="is closed"):
        camera.read()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("gone.mp4", r"gone.mp4 does not exist; check the path"),
        ("/dev/video97", r"/dev/video97 does not exist; plug the camera in"),
        (97, r"camera 97 does not open; (plug it in|allow the terminal)"),
        ("http://127.0.0.1:9/stream", r"127.0.0.1:9/stream does not open; check the address"),
    ],
)
def test_sources_that_do_not_open_say_what_to_do_and_opencv_stays_silent(source, text, capfd):
    with pytest.raises(CameraError, match=text):
        OpenCVCamera(source)
    assert capfd.readouterr() == ("", "")


def test_files_that_are_no_videos_are_named(tmp_path, capfd):
    (tmp_path / "noise.mp4").write_bytes(np.random.default_rng(1).bytes(4000))
    (tmp_path / "empty.avi").write_bytes(b"")
    for name in ("noise.mp4", "empty.avi"):
        with pytest.raises(CameraError, match=f"{name} does not open; it may be damaged"):
            OpenCVCamera(str(tmp_path / name))
    with pytest.raises(CameraError, match="is a folder, not a video; read photos with --photos"):
        OpenCVCamera(str(tmp_path))
    assert capfd.readouterr() == ("", "")


def test_a_cut_video_ends_early_without_a_crash(video, capfd):
    content = video.read_bytes()
    last_picture = content.rindex(b"\xff\xd8\xff")
    video.write_bytes(content[: last_picture + 20])
    camera = OpenCVCamera(str(video))
    assert len(LEVELS) - 2 <= len(list(camera)) < len(LEVELS)
    assert capfd.readouterr() == ("", "")


class Sender(http.server.BaseHTTPRequestHandler):
    """Sends some JPEG pictures as a multipart stream, as network cameras do, then hangs up."""

    pictures = 40
    pause_s = 0.01
    sent = 0

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for number in range(self.pictures):
            image = np.full((48, 64, 3), 40 + number, dtype=np.uint8)
            data = cv2.imencode(".jpg", image)[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            try:
                self.wfile.write(head.encode() + data + b"\r\n")
            except OSError:
                return
            type(self).sent = number + 1
            time.sleep(self.pause_s)

    def log_message(self, *_):
        pass


def test_a_network_stream_is_read_and_its_end_is_a_vanished_camera():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sender) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url = f"http://127.0.0.1:{server.server_address[1]}/video.mjpg"
            with OpenCVCamera(url, clock=lambda: 12.5) as camera:
                assert camera.kind is SourceKind.STREAM
                frame = camera.read()
                assert frame.size == (64, 48)
                assert frame.time_s == 12.5
                with pytest.raises(CameraError, match="stopped sending pictures") as caught:
                    list(camera)
                assert not isinstance(caught.value, EndOfVideoError)
        finally:
            server.shutdown()
            thread.join()


class LongSender(Sender):
    """Goes on for seconds; a picture's brightness tells its number."""

    pictures = 200
    pause_s = 0.02


def test_a_stream_that_nobody_read_shows_no_old_picture():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), LongSender) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with OpenCVCamera(f"http://127.0.0.1:{server.server_address[1]}/v.mjpg") as camera:
                first = camera.read().image.mean() - 40
                deadline = time.monotonic() + 60.0
                while LongSender.sent < first + 60 and time.monotonic() < deadline:
                    time.sleep(0.02)
                sent = LongSender.sent
                second = camera.read().image.mean() - 40
                assert sent >= first + 60
                assert second > (first + sent) / 2  # not one that waited since the first
        finally:
            server.shutdown()
            thread.join()
