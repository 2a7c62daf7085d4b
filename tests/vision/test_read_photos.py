from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.facelets import Facelets
from cube.moves import FACES
from cube.random_states import random_state
from vision.cameras.photo_camera import PhotoFolder
from vision.errors import PhotoError, VisionError
from vision.frame import Frame
from vision.geometry.light import WEBCAM, Light
from vision.geometry.scene import STICKERED, STICKERLESS, CubeStyle
from vision.read_photos import read_face, read_photos, read_views
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import corner_viewpoint, default_views, hand_held_viewpoint


def state(seed: int) -> Facelets:
    return random_state(np.random.default_rng(seed)).to_facelets()


def photos(seed: int, style: CubeStyle = STICKERED) -> dict[str, Frame]:
    rng = np.random.default_rng(seed)
    frames = {}
    for face in FACES:
        roll, tilt, pan = rng.uniform(-15, 15, 3)
        viewpoint = hand_held_viewpoint(face, roll_deg=roll, tilt_deg=tilt, pan_deg=pan)
        renderer = Renderer(viewpoint, Light(), WEBCAM, style=style, seed=seed)
        frames[face] = Frame(renderer.render(state(seed), rng), f"{face}.jpg")
    return frames


@pytest.mark.parametrize(("seed", "style"), [(1, STICKERED), (2, STICKERLESS)])
def test_six_photos_give_the_cube(seed: int, style: CubeStyle) -> None:
    reading = read_photos(photos(seed, style))
    assert reading.facelets == state(seed)
    for place, sticker in enumerate(reading.stickers):
        assert sticker.facelet == place
        assert sticker.camera == place // 9
        assert len(sticker.polygons) == 1


def test_six_files_give_the_cube(tmp_path: Path) -> None:
    for face, frame in photos(3).items():
        cv2.imwrite(str(tmp_path / f"{face}.jpg"), frame.image)
    folder = PhotoFolder(tmp_path)
    reading = read_photos({face: folder.read_face(face) for face in FACES})
    assert reading.facelets == state(3)


def test_more_photos_of_a_face_count() -> None:
    wall = Frame(np.full((480, 640, 3), 180, np.uint8), "wall.jpg")
    first, second = photos(8), photos(8)
    once = read_photos(first)
    shown = [*first.items(), *second.items()]
    assert read_photos(shown).facelets == state(8)
    assert read_photos(shown).margin > once.margin
    shown[0] = ("U", wall)
    reading = read_photos(shown)
    assert reading.facelets == state(8)
    assert [reading.stickers[i].camera for i in (0, 9)] == [6, 1]


def test_photos_without_a_face_are_named() -> None:
    frames = photos(4)
    wall = np.full((480, 640, 3), 180, np.uint8)
    frames["R"], frames["D"] = Frame(wall, "wall.jpg"), Frame(wall, "floor.jpg")
    with pytest.raises(PhotoError, match=r"wall.jpg \(face R\), floor.jpg \(face D\)"):
        read_photos(frames)
    with pytest.raises(PhotoError, match=r"wall.jpg"):
        read_face(frames["R"])
    del frames["B"]
    with pytest.raises(PhotoError, match="no photo of face B"):
        read_photos(frames)


def test_one_face_is_read_alone() -> None:
    face = read_face(photos(5)["F"])
    assert len(face.colours) == 9


def test_two_photos_exchanged_are_not_accepted() -> None:
    frames = photos(6)
    frames["R"], frames["L"] = frames["L"], frames["R"]
    reading = read_photos(frames)
    assert not reading.accepted
    assert reading.problems


def test_a_photo_turned_by_a_quarter_is_not_accepted() -> None:
    frames = photos(7)
    frames["F"] = Frame(np.rot90(frames["F"].image).copy(), "turned")
    reading = read_photos(frames)
    assert not reading.accepted
    assert reading.problems


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
def test_the_corner_cameras_give_the_cube(style: CubeStyle) -> None:
    views = default_views()
    frames = [
        Frame(
            Renderer(corner_viewpoint(which), Light(), WEBCAM, style=style, seed=8).render(
                state(8), np.random.default_rng(8)
            ),
            which,
        )
        for which in ("A", "B")
    ]
    reading = read_views(frames, views)
    assert reading.facelets == state(8)
    assert {s.camera for s in reading.stickers if s.polygons} == {0, 1}
    assert all(s.polygons for s in reading.stickers if s.seen)
    with pytest.raises(VisionError):
        read_views(frames[:1], views)
