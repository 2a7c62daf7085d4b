"""Live frames: how good a look is, how they share the copies, and what a person is told."""

import cv2
import numpy as np
import pytest

from benchmarks.vision.hand_held import hand_held_viewpoint
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.faces.copies import COPIES
from vision.faces.finder import find_face, search_copies
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.live import face_watch
from vision.live.capture import LEAST_SHARPNESS
from vision.live.face_watch import FaceWatch
from vision.live.look_quality import sharpness, spoilt_stickers
from vision.live.step import Ask, ask_face
from vision.reading import FaceReading
from vision.virtual.render import Renderer

STATE = random_state(np.random.default_rng(1)).to_facelets()


@pytest.fixture(scope="module")
def image() -> np.ndarray:
    renderer = Renderer(hand_held_viewpoint("F"), EVEN_LIGHT, WEBCAM, seed=1)
    return renderer.render(STATE, np.random.default_rng(1))


@pytest.fixture(scope="module")
def face(image: np.ndarray) -> FaceReading:
    found = find_face(image)
    assert found is not None
    return found


def test_sharpness_tells_blur_and_motion_in_any_direction(
    image: np.ndarray, face: FaceReading
) -> None:
    least = LEAST_SHARPNESS
    assert sharpness(image, face) > least
    assert sharpness(cv2.GaussianBlur(image, (0, 0), 5.0), face) < least
    assert sharpness(np.full_like(image, 90), face) == 0.0
    line = np.zeros((13, 13), np.float32)
    cv2.line(line, (0, 6), (12, 6), 1.0)
    for angle_deg in (0, 45, 90, 135):
        path = cv2.warpAffine(line, cv2.getRotationMatrix2D((6, 6), angle_deg, 1.0), (13, 13))
        assert sharpness(cv2.filter2D(image, -1, path / path.sum()), face) < least


def test_a_finger_over_a_part_of_a_sticker_is_noticed(image: np.ndarray, face: FaceReading) -> None:
    assert spoilt_stickers(image, face) == ()
    corners = np.array(face.corners)
    middle = corners[0] + (corners.mean(axis=0) - corners[0]) / 3.0
    x, y = (int(v) for v in middle)
    touched = image.copy()
    cv2.circle(touched, (x - 20, y), int(face.side_px / 11), (50, 60, 70), -1)
    assert spoilt_stickers(touched, face) == (0,)
    lamp = image.copy()
    cv2.circle(lamp, (x, y), int(face.side_px / 20), (255, 255, 255), -1)
    assert spoilt_stickers(lamp, face) == (0,)


NOTHING = np.full((480, 640, 3), 127, np.uint8)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Which copies were searched, frame by frame."""
    frames: list[list[int]] = []

    def told(image, limit_s, order):
        frames.append([])

        def watched():
            for number in order:
                frames[-1].append(number)
                yield number

        found = search_copies(image, limit_s, watched())
        del frames[-1][found[2] :]  # one more is asked for before the time is seen to be over
        return found

    monkeypatch.setattr(face_watch, "search_copies", told)
    return frames


def test_a_slow_computer_searches_all_copies_in_turn_and_a_quick_one_all_in_one_frame(
    searches: list[list[int]],
) -> None:
    assert FaceWatch(limit_s=60.0).find(NOTHING) is None
    assert searches == [list(range(len(COPIES)))]
    searches.clear()
    watch = FaceWatch(limit_s=0.0)
    for _ in range(2 * len(COPIES) - 2):
        assert watch.find(NOTHING) is None
    assert searches[::2] == [[0]] * (len(COPIES) - 1)
    assert searches[1::2] == [[number] for number in range(1, len(COPIES))]


def test_a_face_is_asked_for_by_its_colour_where_that_is_known() -> None:
    asked = ask_face("U", WESTERN_SCHEME)
    assert (asked.ask, asked.face, asked.colour) == (Ask.FACE, "U", "white")
    assert (asked.top, asked.top_colour) == ("B", "blue")
    again = ask_face("L", WESTERN_SCHEME, ["R", "B"])
    assert (again.ask, again.others) == (Ask.FACE_AGAIN, ("R", "B"))
