"""What a webcam sees of a person who holds up the faces of a cube: pictures, photos and films."""

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
from pocket_pictures import as_pocket

from benchmarks.vision.face_benchmark import middles
from benchmarks.vision.face_conditions import Labelled
from benchmarks.vision.hand_held import hand_held_viewpoint
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from vision.faces.finder import find_face
from vision.frame import Frame
from vision.live.still_face import STILL_FRAMES
from vision.virtual.virtual_camera import VirtualCamera

# Yellow up, blue in front: a western cube, held otherwise.
OTHER = dict(zip("URFDLB", ("yellow", "red", "blue", "white", "orange", "green"), strict=True))

_WIDTH, _HEIGHT = 640, 480
DESK = Frame(np.full((_HEIGHT, _WIDTH, 3), 140, np.uint8), "desk")
"""A picture without a face."""
_STILL, _AWAY = STILL_FRAMES + 2, 2


def held_up(
    state: CubeState,
    face: str,
    roll_deg: float = 0.0,
    seed: int = 0,
    scheme: Mapping[str, str] = WESTERN_SCHEME,
) -> Frame:
    """Take a picture of a face."""
    viewpoint = hand_held_viewpoint(face, roll_deg=roll_deg)
    with VirtualCamera(lambda: state, viewpoint, seed=seed, scheme=scheme) as camera:
        return camera.read()


def record(
    file: Path,
    state: CubeState,
    faces: str,
    scheme: Mapping[str, str] = WESTERN_SCHEME,
    *,
    pocket: bool = False,
) -> None:
    """Film the faces one after the other, each still for a moment, the desk between them.

    `pocket` cuts the middle out, which leaves a 2×2×2 cube.
    """
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 15, (_WIDTH, _HEIGHT))
    assert writer.isOpened()
    for number, face in enumerate(faces):
        viewpoint = hand_held_viewpoint(face, roll_deg=4.0 * (number % 3 - 1))
        with VirtualCamera(lambda: state, viewpoint, seed=number, scheme=scheme) as camera:
            looks = [camera.read().image for _ in range(2)]  # which differ by their noise
        if pocket:
            looks = [_without_middle(image) for image in looks]
        for frame in range(_STILL):
            writer.write(looks[frame % 2])
        for _ in range(_AWAY):
            writer.write(DESK.image)
    writer.release()


def photograph(
    folder: Path,
    state: CubeState,
    faces: str = "URFDLB",
    scheme: Mapping[str, str] = WESTERN_SCHEME,
    *,
    any_order: bool = False,
    pocket: bool = False,
) -> Path:
    """Take a photo of each face; in any order each is turned otherwise, and has a number."""
    folder.mkdir(exist_ok=True)
    for number, face in enumerate(faces):
        turned_deg, name = (90.0 * (number % 4), number) if any_order else (0.0, face)
        image = held_up(state, face, turned_deg, number, scheme).image
        cv2.imwrite(str(folder / f"{name}.png"), _without_middle(image) if pocket else image)
    return folder


def _without_middle(image: np.ndarray) -> np.ndarray:
    found = find_face(image)
    cut = as_pocket(Labelled("face", image, middles(found))).image[:_HEIGHT, :_WIDTH]
    whole = DESK.image.copy()
    whole[: cut.shape[0], : cut.shape[1]] = cut
    return whole
