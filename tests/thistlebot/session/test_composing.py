"""Sessions as the verbs put them together, on a virtual machine that makes a mistake."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from world import cube, opened

from cube.state import SOLVED
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.reading.reader import Look
from thistlebot.session.choices import Choices
from thistlebot.session.composing import Recorder, solve_session
from thistlebot.session.machine import open_machine
from thistlebot.solving.solver import Solve
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.screen import Screen
from vision.errors import CameraError


def test_a_mistake_is_told_recorded_and_leaves_the_centres_in_doubt(
    solve: Solve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = {"loose_at_move": 4}
    with opened(Folders.of_platform(), state=cube(43), faults=faults) as machine:
        looks: list[Look] = []
        recorder = Recorder(tmp_path, looks)
        with ProgressListener(Screen()) as listener:
            solve_session(machine, solve, (listener, recorder), looks=looks).run()
        assert machine.world.rig.state == SOLVED
        with pytest.raises(UsageError):
            _ = machine.centres.centres
    assert recorder.verified
    (text,) = recorder.went_wrong
    assert text in " ".join(capsys.readouterr().out.split("\n"))
    names = [file.name for file in recorder.files]
    assert names == [f"{name}-{n}.png" for name in ("scan", "verify", "verify2") for n in (1, 2)]
    first, second = (cv2.imread(str(tmp_path / f"{name}-1.png")) for name in ("verify", "verify2"))
    assert not np.array_equal(first, second)


def test_reopened_cameras_are_new_and_the_old_ones_closed(tmp_path: Path) -> None:
    """A video stands for a webcam: both are opened by OpenCV."""
    video = tmp_path / "cube.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (640, 480))
    for _ in range(3):
        writer.write(np.zeros((480, 640, 3), np.uint8))
    writer.release()
    with open_machine(Choices(cameras=(str(video),) * 2), Folders.of_platform()) as machine:
        before = machine.view_reader()
        assert machine.view_reader() is before
        after = machine.reopened_view_reader()
        assert len(after.look()) == 2
        with pytest.raises(CameraError):
            before.look()
        assert machine.view_reader() is after
