"""A person holds up six faces: a recorded video, read by OpenCV as a camera."""

import os
import re
import select
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hand_video import record
from rich.console import Console
from rich.text import Text

from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from run_thistlebot import thistlebot
from thistlebot.terminal.hand_scan import ScanView, net_text, scan_by_hand
from thistlebot.terminal.screen import Screen
from vision.errors import EndOfVideoError
from vision.frame import Frame
from vision.live.capture import CAPTURE_ORDER
from vision.live.face_watch import FaceWatch
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera


@pytest.fixture(scope="module")
def state() -> CubeState:
    return random_state(np.random.default_rng(21))


def test_six_faces_are_captured_and_guidance_names_the_one_to_show(
    tmp_path: Path, state: CubeState
) -> None:
    record(tmp_path / "faces.avi", state, CAPTURE_ORDER)
    done = thistlebot("scan", "--camera", tmp_path / "faces.avi")
    assert done.exit_code == 0, done.stderr
    assert state.to_facelets().text in done.stdout
    said = " ".join(done.stderr.split())
    assert re.search(r"front \S+ \(green \S+\) \S+ white", said)
    assert said.index("front") < said.index("right")


def test_calibrate_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "solved.avi"
    record(file, SOLVED, CAPTURE_ORDER)
    args = ["calibrate", "colours", "--profile", "desk", "--camera", str(file), "--json"]
    result = thistlebot(*args)
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "config" / "profiles" / "desk.toml").is_file()


def test_the_space_bar_takes_a_face_at_once_and_a_cube_in_doubt_is_looked_at_again(
    state: CubeState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each face is seen for one picture only; without colours six of them do not suffice."""
    monkeypatch.setattr(FaceWatch.__init__, "__defaults__", (60.0,))  # no second picture to find it
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    master, slave = pty.openpty()

    class Pressed:
        """First the desk, then the faces one by one; the space bar is pressed at each picture."""

        name = "hand"

        def __init__(self, colour: float) -> None:
            desk = Frame(np.full((480, 640, 3), 140, np.uint8), self.name)
            self.pictures = iter([desk, *(self.picture(face, colour) for face in CAPTURE_ORDER)])

        def picture(self, face: str, colour: float) -> Frame:
            with VirtualCamera(lambda: state, hand_held_viewpoint(face)) as camera:
                image = camera.read().image
            grey = (1.0 - colour) * image.mean(axis=2, keepdims=True)
            return Frame((colour * image + grey).astype(np.uint8), self.name)

        def read(self) -> Frame:
            os.write(master, b" ")
            select.select([slave], [], [], 10)  # the kernel hands a key over in its own time
            for picture in self.pictures:
                return picture
            raise EndOfVideoError("that was all")

    with os.fdopen(slave) as keyboard:
        monkeypatch.setattr(sys, "stdin", keyboard)
        reading, frames = scan_by_hand(Pressed(1.0), None, Screen())
        with pytest.raises(EndOfVideoError):
            scan_by_hand(Pressed(0.01), None, Screen())
        _, pale = scan_by_hand(Pressed(0.01), None, Screen(), until_sure=False)
    os.close(master)
    assert reading.facelets == state.to_facelets()
    assert len(frames) == len(pale) == 6


def test_no_word_is_truncated_on_a_narrow_terminal() -> None:
    screen, shown = Screen(), StringIO()
    screen.live = Console(file=shown, force_terminal=True, width=40, soft_wrap=True)
    guidance = "hold the face with the white centre before the camera, green above"
    with ScanView(screen) as view:
        view.show({}, guidance)
    text = " ".join(Text.from_ansi(shown.getvalue()).plain.split())
    assert guidance in text
    assert "U R F D L B" in text


def test_colours_are_told_apart_without_colour() -> None:
    drawn = net_text({"F": ["white", "red", "green", "blue"]}, side=2).plain.splitlines()
    assert [line.split() for line in drawn[2:4]] == [
        ["·", "·", "w", "r", "·", "·", "·", "·"],
        ["·", "·", "g", "b", "·", "·", "·", "·"],
    ]
