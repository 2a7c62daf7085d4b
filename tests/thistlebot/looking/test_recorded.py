"""Pictures are written down in the order of the cameras, and none behind one that failed."""

import pytest
from world import World

from thistlebot.looking.recorded import RecordedCamera
from vision.errors import CameraError
from vision.frame import Frame
from vision.virtual.virtual_camera import FRAME_TIME_S


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
