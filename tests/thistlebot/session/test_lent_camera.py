"""A camera is lent to somebody who holds a cube before it; the rig's may be the same one."""

from pathlib import Path

import pytest
from hand_video import record
from world import cube, folders_in

from thistlebot.session.choices import Choices
from thistlebot.session.machine import open_machine
from vision.errors import CameraError


def test_the_rigs_cameras_are_closed_before_and_the_lent_one_afterwards(tmp_path: Path) -> None:
    video = tmp_path / "faces.avi"
    record(video, cube(1), "F")
    choices = Choices(cameras=(str(video),))
    with open_machine(choices, folders_in(tmp_path)) as machine:
        own = machine.open_camera(str(video))
        own.read()
        with machine.lend_camera(str(video)) as lent:
            assert lent.read().size == (640, 480)
            with pytest.raises(CameraError):
                own.read()
        with pytest.raises(CameraError):
            lent.read()
        assert machine.board is None
