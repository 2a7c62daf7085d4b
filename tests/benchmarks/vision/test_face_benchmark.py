"""The measure of face finding, on rendered photos with a manifest."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.vision.face_benchmark import (
    false_faces,
    in_place,
    labelled_faces,
    measure_condition,
    measure_stresses,
    middles,
    photo_set_faces,
)
from benchmarks.vision.face_conditions import STRESSES
from benchmarks.vision.pictures_without_cube import drawn, painted
from cube.facelets import facelet_index
from cube.random_states import random_state
from vision.faces.finder import find_face
from vision.geometry.scene import facelet_point
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

SCRAMBLED = random_state(np.random.default_rng(3))


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """A folder with one labelled photo and its manifest."""
    folder = tmp_path_factory.mktemp("data")
    viewpoint = hand_held_viewpoint("F", distance_mm=260.0)
    with VirtualCamera(lambda: SCRAMBLED, viewpoint, seed=4) as camera:
        cv2.imwrite(str(folder / "front.png"), camera.read().image)
    first = facelet_index("F1")
    tiles = []
    for facelet in range(first, first + 9):
        low, high = viewpoint.pinhole.project(
            np.array([facelet_point(facelet, -1, -1), facelet_point(facelet, 1, 1)])
        )
        tiles.append({"bbox": [*low.tolist(), *(high - low).tolist()], "colour": "any"})
    other = {"id": "other", "kind": "rgb_scan"}
    photo = {"id": "front", "kind": "single_face_photo", "file": "front.png", "tiles": tiles}
    (folder / "manifest.json").write_text(json.dumps([other, photo]))
    return folder


def test_no_face_is_found_in_drawn_patterns_and_painted_surroundings():
    rooms = list(painted(np.random.default_rng(1), 1))
    assert [picture.name for picture in rooms] == ["desk 0", "rig 0"]
    for picture in rooms:
        assert (picture.image.shape, len(picture.middles)) == ((480, 640, 3), 0)
        assert picture.image.std() > 10.0
    patterns = list(drawn(np.random.default_rng(1), 1))
    assert len(patterns) == 4
    number, false, times_ms = false_faces([patterns[0], *rooms])
    assert (number, false) == (3, [])
    assert (times_ms > 0.0).all()


def test_the_faces_of_a_set_of_photos_are_labelled_by_the_finder(data, tmp_path):
    (face,) = labelled_faces(data)
    for letter, image in (("F", face.image), ("U", np.full_like(face.image, 128))):
        cv2.imwrite(str(tmp_path / f"{letter}.png"), image)
    files = {"F": "F.png", "U": "U.png"}
    small = {"id": "small", "kind": "face_photos", "n": 2, "files": files}
    photos = {"id": "set", "kind": "face_photos", "n": 3, "files": files}
    (tmp_path / "manifest.json").write_text(json.dumps([small, photos]))
    (labelled,) = photo_set_faces(tmp_path)
    assert labelled.name == "set F"
    assert in_place(labelled.middles, face)
    assert not in_place(labelled.middles + np.array([face.step, 0.0]), face)
    reading = find_face(face.image)
    assert reading is not None
    assert in_place(middles(reading), face)


def test_every_stress_is_measured_and_a_whole_face_is_found(data: Path) -> None:
    faces = labelled_faces(data)
    missed = list(measure_stresses(faces, seed=2, find=lambda _: None))
    assert [result.condition for result in missed] == list(STRESSES)
    assert {(result.found, result.elsewhere) for result in missed} == {(0, 0)}
    assert measure_condition(faces, "face 0.7", seed=1).share == 1.0
