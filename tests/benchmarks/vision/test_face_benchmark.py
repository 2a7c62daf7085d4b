"""The measure of face finding, on rendered photos with a manifest."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.vision.face_benchmark import (
    false_figures,
    found_row,
    in_place,
    labelled_faces,
    measure_condition,
    middles,
)
from benchmarks.vision.hand_held import hand_held_viewpoint
from benchmarks.vision.pictures_without_cube import drawn, painted
from cube.facelets import facelet_index
from cube.random_states import random_state
from vision.faces.finder import find_face
from vision.geometry.scene import facelet_point
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
    assert [picture.name for picture in rooms] == ["desk 0", "rig_clutter 0"]
    for picture in rooms:
        assert (picture.image.shape, len(picture.middles)) == ((480, 640, 3), 0)
        assert picture.image.std() > 10.0
    patterns = list(drawn(np.random.default_rng(1), 1))
    assert len(patterns) == 4
    false, time = false_figures([patterns[0], *rooms])
    assert (false.value, false.unit) == (0, "of 3")
    assert time.value > 0


def test_a_whole_face_is_found_in_its_place(data: Path) -> None:
    (face,) = faces = labelled_faces(data)
    (search,) = measure_condition(faces, "face 0.7", seed=1)
    picture, found, elapsed_ms = search
    assert found is not None
    for places, counts in ((found, (1.0, 0, 0)), (found + 99, (0.0, 1, 1)), (None, (0.0, 1, 0))):
        row = found_row("face 0.7", [(picture, places, elapsed_ms)])
        assert (row.found, row.missed, row.elsewhere) == counts
    reading = find_face(face.image)
    assert reading is not None
    assert in_place(middles(reading), face)
    assert not in_place(middles(reading) + np.array([face.step, 0.0]), face)
