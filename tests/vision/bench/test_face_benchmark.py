"""The measure of face finding, on rendered photos with a manifest."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.facelets import facelet_index
from cube.random_states import random_state
from vision.bench.face_benchmark import (
    false_faces,
    in_place,
    labelled_faces,
    live_false_faces,
    live_times_ms,
    measure_condition,
    measure_stresses,
    middles,
    photo_set_faces,
)
from vision.bench.face_conditions import CONDITIONS, NO_FACE, Labelled, shrunk
from vision.bench.face_stresses import STRESSES
from vision.bench.pictures_without_cube import drawn, painted, varied
from vision.bench.pocket_pictures import as_pocket
from vision.bench.video_without_cube import panned
from vision.faces.finder import find_face
from vision.geometry.scene import facelet_centre, facelet_point
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


def test_photos_are_read_with_the_middles_of_their_stickers(data):
    """Every sticker must lie on a tile of its own."""
    (face,) = labelled_faces(data)
    middles = [facelet_centre(facelet_index(f"F{number}")) for number in range(1, 10)]
    pinhole = hand_held_viewpoint("F", distance_mm=260.0).pinhole
    assert np.allclose(face.middles, pinhole.project(np.array(middles)), atol=0.01)
    assert len(face.middles) == 9
    assert in_place(np.rot90(face.middles.reshape(3, 3, 2)).reshape(9, 2), face)
    assert not in_place(face.middles + np.array([face.step, 0.0]), face)
    assert not in_place(np.repeat(face.middles[:1], 9, axis=0), face)


def test_a_rendered_face_is_found(data):
    for condition in ("whole photo", "face 0.7", "roll 45", "tilt 40 x"):
        result = measure_condition(labelled_faces(data), condition, seed=1)
        assert (result.share, result.elsewhere) == (1.0, 0)
        assert result.median_ms > 0.0


def test_the_middles_move_with_the_picture(data):
    (face,) = labelled_faces(data)
    for condition, change in CONDITIONS.items():
        changed = shrunk(change(face, np.random.default_rng(1)))
        assert changed.image.dtype == np.uint8
        assert max(changed.image.shape[:2]) == 640
        if condition == "2 covered" or condition.startswith(("light", "noise", "blur")):
            np.testing.assert_array_equal(changed.middles, shrunk(face).middles)
            assert np.abs(changed.image.astype(int) - shrunk(face).image).max() > 10
            continue
        for middle, there in zip(face.middles, changed.middles, strict=True):
            before = face.image[tuple(np.rint(middle).astype(int)[::-1])].astype(int)
            after = changed.image[tuple(np.rint(there).astype(int)[::-1])].astype(int)
            assert np.abs(before - after).max() < 40, condition


def test_no_face_is_found_in_drawn_patterns_and_painted_surroundings():
    rooms = list(painted(np.random.default_rng(1), 2))
    assert [picture.name for picture in rooms] == ["desk 0", "rig 0", "desk 1", "rig 1"]
    for picture in rooms:
        assert (picture.image.shape, len(picture.middles)) == ((480, 640, 3), 0)
        assert picture.image.std() > 10.0
    number, false, times_ms = false_faces([*drawn(np.random.default_rng(1), 2), *rooms])
    assert (number, false) == (12, [])
    assert (times_ms > 0.0).all()


def test_a_camera_that_looks_about_moves_rests_and_stays_in_the_picture():
    rng = np.random.default_rng(2)
    picture = np.zeros((480, 640, 3), np.uint8)
    picture[:, :, 1] = np.linspace(60, 200, 640).astype(np.uint8)
    frames = list(panned(Labelled("ramp", picture, NO_FACE), rng, seconds=2.0, fps=8.0))
    assert {frame.size for frame in frames} == {(640, 480)}
    green = np.array([frame.image[:, :, 1].mean() for frame in frames])
    assert len(frames) == 16
    assert np.ptp(green[:8]) > 3.0 * np.ptp(green[8:])


def test_every_stress_is_measured_and_each_picture_has_chances_of_its_own(data):
    (face,) = labelled_faces(data)
    seen = []
    results = list(measure_stresses([face], seed=2, find=seen.append))
    assert [result.condition for result in results] == list(STRESSES)
    assert {(result.photos, result.found, result.elsewhere) for result in results} == {(1, 0, 0)}
    again = []
    list(measure_stresses([face], seed=2, find=again.append))
    for one, other in zip(seen, again, strict=True):
        np.testing.assert_array_equal(one, other)


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
    reading = find_face(face.image)
    assert reading is not None
    assert in_place(middles(reading), face)


def test_a_pocket_face_is_what_is_left_without_the_middle(data):
    """The corners of a 2×2×2 cube's face keep their colours and close ranks."""
    (whole,) = labelled_faces(data)
    pocket = as_pocket(whole)
    assert pocket.middles.shape == (4, 2)
    assert (np.array(pocket.image.shape[:2]) < whole.image.shape[:2]).all()
    steps = np.diff(pocket.middles[[0, 1, 3]], axis=0)
    assert np.abs(steps - whole.step * np.eye(2)).max() < 0.1 * whole.step
    for place, corner in zip(pocket.middles, whole.middles[[0, 2, 6, 8]], strict=True):
        there, here = (
            cv2.getRectSubPix(image, (7, 7), tuple(map(float, middle))).mean(axis=(0, 1))
            for image, middle in ((pocket.image, place), (whole.image, corner))
        )
        assert np.abs(there - here).max() < 12.0


def test_varied_pictures_without_a_cube_are_all_different(data):
    (face,) = labelled_faces(data)
    for faces in ([], [face]):
        pictures = list(varied(faces, np.random.default_rng(3), 6))
        assert len({picture.image.tobytes() for picture in pictures}) == 6
        for picture in pictures:
            assert max(picture.image.shape[:2]) == 640
            assert picture.image.dtype == np.uint8
            assert len(picture.middles) == 0


def test_live_frames_are_timed_and_no_drawn_pattern_is_taken_for_a_face(data: Path) -> None:
    live = live_false_faces([], seed=3, pictures=2, seconds=0.5, fps=8.0)
    assert (live.frames, live.seconds) == (8, 1.0)
    assert live.captured == 0
    nothing = Labelled("grey", np.full((480, 640, 3), 128, np.uint8), NO_FACE)
    seen, times_ms = live_times_ms([*labelled_faces(data), nothing], seed=1, seconds=0.4)
    assert times_ms.shape == (8,)
    assert (times_ms > 0.0).all()
    assert 1 <= seen <= 4
