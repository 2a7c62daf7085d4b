"""The plugins do what the README says; Thistlebot's own tests find them by their names."""

import numpy as np

from cube.moves import MoveSequence
from robot.ports.port import MonotonicClock
from robot.rigs.catalogue import named_rig
from robot.running.driver import RigDriver
from thistlebot_example import camera
from thistlebot_example.board import practice_board
from thistlebot_example.classifier import read_in_shadow
from thistlebot_example.objective import price
from thistlebot_example.verb import undo
from vision.cameras.camera import Camera
from vision.colours.sticker_colours import StickerColours
from vision.frame import Frame

SHADES = dict(
    zip(
        "URFDLB",
        [(235, 235, 235), (180, 20, 30), (0, 150, 70), (250, 215, 0), (255, 100, 0), (0, 70, 170)],
        strict=True,
    )
)


class Still(Camera):
    name = "still"

    def read(self) -> Frame:
        return Frame(np.arange(12, dtype=np.uint8).reshape(2, 2, 3), "still")

    def close(self) -> None:
        pass


def test_the_picture_is_turned(monkeypatch) -> None:
    monkeypatch.setattr(camera, "open_camera", lambda _: Still())
    with camera.UpsideDownCamera("0") as turned:
        assert turned.read().image[0, 0].tolist() == [9, 10, 11]


def test_the_board_answers() -> None:
    with RigDriver(practice_board("", 0), named_rig("six"), MonotonicClock()) as driver:
        assert driver.connect().motors == 6


def test_a_cube_half_in_the_shadow_is_read() -> None:
    rgb = np.array([SHADES[face] for face in "URFDLB" for _ in range(9)], dtype=float)
    rgb[::2] *= 0.8
    assert read_in_shadow(StickerColours.of_srgb(rgb)).best.text == "".join(
        face * 9 for face in "URFDLB"
    )


def test_a_turn_of_the_back_face_costs_three() -> None:
    assert price(MoveSequence.parse("R U B2")) == 5


def test_moves_are_undone(capsys) -> None:
    undo("R U F2")
    assert capsys.readouterr().out == "F2 U' R'\n"
