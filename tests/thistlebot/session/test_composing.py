"""Sessions as the verbs put them together, on a virtual machine that makes a mistake."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.random_states import random_state
from cube.state import SOLVED
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.config import Folders
from thistlebot.errors import UsageError
from thistlebot.looking.reader import Look
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.recorder import Recorder
from thistlebot.solving.approach import QUICK
from thistlebot.solving.solver import Solving
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.screen import Screen
from vision.errors import CameraError


@contextmanager
def machine_with(faults: Faults, cache: Path) -> Iterator[Machine]:
    folders = Folders(*(cache / name for name in ("config", ".", ".", "state", "data")))
    with open_machine(Choices(virtual=True), folders) as machine:
        state = random_state(np.random.default_rng(43))
        machine.world.rig = VirtualRig(machine.rig, state=state, faults=faults)
        yield machine


def test_a_mistake_is_told_recorded_and_leaves_the_centres_in_doubt(
    cache_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with machine_with(Faults(loose_at_move=4), cache_folder) as machine:
        solver = Solving(cache_folder, QUICK, machine.rig, lambda _: None, build=False)
        looks: list[Look] = []
        recorder = Recorder(tmp_path, looks)
        with ProgressListener(Screen()) as listener:
            solve_session(machine, solver, (listener, recorder), looks=looks).run()
        assert machine.world.rig.state == SOLVED
        with pytest.raises(UsageError, match="how the centres stand is not known"):
            _ = machine.centres.centres
    assert recorder.verified
    (text,) = recorder.went_wrong
    assert f"unsolved  {text}" in " ".join(capsys.readouterr().out.split("\n"))
    names = [file.name for file in recorder.files]
    assert names == [f"{name}-{n}.png" for name in ("scan", "verify", "verify2") for n in (1, 2)]
    first, second = (cv2.imread(str(tmp_path / f"{name}-1.png")) for name in ("verify", "verify2"))
    assert not np.array_equal(first, second)


def test_reopened_cameras_are_new_and_the_old_ones_closed(
    cache_folder: Path, tmp_path: Path
) -> None:
    """A video stands for a webcam: both are opened by OpenCV."""
    video = tmp_path / "cube.avi"
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (640, 480))
    for _ in range(3):
        writer.write(np.zeros((480, 640, 3), np.uint8))
    writer.release()
    folders = Folders(tmp_path, cache_folder, *[tmp_path] * 3)
    choices = Choices(cameras=(str(video), str(video)))
    with open_machine(choices, folders) as machine:
        before = machine.view_reader()
        assert machine.view_reader() is before
        after = machine.reopened_view_reader()
        assert len(after.look()) == 2
        with pytest.raises(CameraError, match="is closed"):
            before.look()
        assert machine.view_reader() is after
