"""Pictures for people on the disk, in the order of the cameras."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from world import World

from documents.errors import UnwritableError
from thistlebot.reading.pictures import save_reading, write_png
from thistlebot.reading.reader import RecordedCamera
from vision.errors import CameraError
from vision.frame import Frame
from vision.virtual.virtual_camera import FRAME_TIME_S


def test_a_picture_is_written_as_it_is(tmp_path: Path) -> None:
    image = np.random.default_rng(1).integers(0, 256, (9, 12, 3), dtype=np.uint8)
    file = tmp_path / "new" / "one.png"
    write_png(file, image)
    assert np.array_equal(cv2.imread(str(file)), image)
    with pytest.raises(UnwritableError):
        write_png(file / "one.png", image)  # which is no folder


def test_each_camera_has_a_picture_of_its_own(tmp_path: Path) -> None:
    reader = World().reader
    frames = reader.look()
    files = save_reading(tmp_path, "scan", frames, reader.read(frames))
    assert [file.name for file in files] == ["scan-1.png", "scan-2.png"]
    for file, frame in zip(files, frames, strict=True):
        drawn = cv2.imread(str(file))
        assert drawn is not None
        assert drawn.shape == frame.image.shape
        assert not np.array_equal(drawn, frame.image)  # the reading is drawn over it


class Bench(World):
    """The six-motor rig, whose reader looks through recorded cameras."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[tuple[int, Frame | str]] = []
        cameras = [
            RecordedCamera(camera, lambda frame, number=number: self.taken.append((number, frame)))
            for number, camera in enumerate(self.cameras)
        ]
        self.reader = self.seen_by(cameras)


def test_pictures_are_taken_together_and_written_down_in_order() -> None:
    bench = Bench()
    began_s = bench.clock.now_s()
    frames = bench.reader.glance()
    assert bench.clock.now_s() - began_s <= 2 * FRAME_TIME_S  # as long as one camera takes at most
    assert bench.taken == list(enumerate(frames))
    assert bench.reader.read_glance(frames).facelets == bench.rig.state.to_facelets()


def test_nothing_is_written_down_behind_a_camera_that_failed() -> None:
    bench = Bench()
    bench.cameras[0].close()
    with pytest.raises(CameraError) as failed:
        bench.reader.pictures()
    assert bench.taken == [(0, str(failed.value))]
