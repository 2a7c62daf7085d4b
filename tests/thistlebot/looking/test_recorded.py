"""Pictures are written down in the order of the cameras, and none behind one that failed."""

import numpy as np
import pytest

from cube.random_states import random_state
from robot.ports.clock import SimulatedClock
from robot.rigs.catalogue import named_rig
from thistlebot.looking.recorded import RecordedCamera
from thistlebot.looking.rig_reader import RigReader
from thistlebot.looking.rig_scan import RigScan
from thistlebot.session.virtual_world import VirtualWorld
from vision.errors import CameraError
from vision.frame import Frame
from vision.virtual.virtual_camera import FRAME_TIME_S


class Bench:
    """The six-motor rig, whose reader looks through recorded cameras."""

    def __init__(self) -> None:
        rig = named_rig("six")
        self.clock = SimulatedClock()
        self.world = VirtualWorld(rig, random_state(np.random.default_rng(3)), clock=self.clock)
        self.taken: list[tuple[int, Frame | str]] = []
        cameras = [
            RecordedCamera(camera, lambda frame, number=number: self.taken.append((number, frame)))
            for number, camera in enumerate(self.world.cameras)
        ]
        self.reader = RigReader(RigScan(rig, self.world.views), cameras)


def test_pictures_are_taken_together_and_written_down_in_order() -> None:
    bench = Bench()
    began_s = bench.clock.now_s()
    frames = bench.reader.glance()
    assert bench.clock.now_s() - began_s <= 2 * FRAME_TIME_S  # as long as one camera takes at most
    assert bench.taken == list(enumerate(frames))
    assert bench.reader.read_glance(frames).facelets == bench.world.rig.state.to_facelets()


def test_nothing_is_written_down_behind_a_camera_that_failed() -> None:
    bench = Bench()
    bench.world.cameras[0].close()
    with pytest.raises(CameraError) as failed:
        bench.reader.pictures()
    assert bench.taken == [(0, str(failed.value))]
