"""Photos of faces, and pictures of fixed cameras, become a cube."""

from functools import cache

import cv2
import numpy as np
import pytest

from benchmarks.vision.hand_held import hand_held_viewpoint
from cube.facelets import Facelets
from cube.moves import FACES
from cube.random_states import random_state
from vision.errors import NoFaceError, PhotoError, VisionError
from vision.frame import Frame
from vision.geometry.light import WEBCAM, Light
from vision.geometry.scene import STICKERED, STICKERLESS, CubeStyle
from vision.read_photos import read_cube_faces, read_faces, read_views
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import corner_viewpoint, default_views

WALL = np.full((480, 640, 3), 180, np.uint8)


def state(seed: int) -> Facelets:
    return random_state(np.random.default_rng(seed)).to_facelets()


@cache
def rendered(seed: int, style: CubeStyle = STICKERED) -> dict[str, Frame]:
    rng = np.random.default_rng(seed)
    frames = {}
    for face in FACES:
        roll, tilt, pan = rng.uniform(-15, 15, 3)
        viewpoint = hand_held_viewpoint(face, roll_deg=roll, tilt_deg=tilt, pan_deg=pan)
        renderer = Renderer(viewpoint, Light(), WEBCAM, style=style, seed=seed)
        frames[face] = Frame(renderer.render(state(seed), rng), f"{face}.jpg")
    return frames


def test_six_photos_give_the_cube() -> None:
    for seed, style in ((6, STICKERED), (2, STICKERLESS)):
        reading = read_cube_faces(read_faces(list(rendered(seed, style).items())))
        assert reading.facelets == state(seed)
        for place, sticker in enumerate(reading.stickers):
            assert (sticker.facelet, sticker.camera) == (place, place // 9)
            assert len(sticker.polygons) == 1


def test_photos_without_a_face_are_named() -> None:
    frames = dict(rendered(6))
    frames["R"], frames["D"] = Frame(WALL, "wall.jpg"), Frame(WALL, "floor.jpg")
    with pytest.raises(PhotoError, match=r"wall\.jpg \(\w+ R\), floor\.jpg \(\w+ D\)"):
        read_faces(list(frames.items()))
    with pytest.raises(PhotoError, match=r"wall\.jpg, floor\.jpg;"):
        read_faces(list(frames.items()), named=False)
    del frames["B"]
    with pytest.raises(PhotoError, match=r"\bB\b"):
        read_faces(list(frames.items()))


def test_grey_pictures_show_too_few_colours() -> None:
    frames = {}
    for face, frame in rendered(6).items():
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        frames[face] = Frame(np.repeat(grey[..., None], 3, axis=2), frame.source)
    with pytest.raises(NoFaceError):
        read_faces(list(frames.items()))


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
def test_the_corner_cameras_give_the_cube(style: CubeStyle) -> None:
    views, frames = default_views(), []
    for which in "AB":
        renderer = Renderer(corner_viewpoint(which), Light(), WEBCAM, style=style, seed=8)
        frames.append(Frame(renderer.render(state(8), np.random.default_rng(8)), which))
    reading = read_views(frames, views)
    assert reading.facelets == state(8)
    assert {s.camera for s in reading.stickers if s.polygons} == {0, 1}
    assert all(s.polygons for s in reading.stickers if s.seen)
    with pytest.raises(VisionError):
        read_views(frames[:1], views)
