"""Nine stickers are found in a picture, whatever is done to it, and only where a cube is."""

import cv2
import numpy as np
import pytest

from cube.facelets import Facelets
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.faces.copies import COPIES
from vision.faces.finder import LIVE_LIMIT_S, PHOTO_LIMIT_S, find_face, search_copies
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.geometry.scene import STICKERED, STICKERLESS
from vision.reading import FaceReading
from vision.virtual.background import Background, paint_background
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


def picture(face: str = "F", *, seed: int = 1, style=STICKERED, optics=WEBCAM, **pose):
    """A rendered hand-held face: the picture and the colours it shows."""
    facelets = random_state(np.random.default_rng(seed)).to_facelets()
    renderer = Renderer(
        hand_held_viewpoint(face, **pose), EVEN_LIGHT, optics, style=style, seed=seed
    )
    return renderer.render(facelets, np.random.default_rng(seed)), colours(facelets, face)


def colours(facelets: Facelets, face: str) -> tuple[str, ...]:
    return tuple(WESTERN_SCHEME[letter] for letter in facelets.face(face))


def found_in(image: np.ndarray) -> FaceReading:
    found = find_face(image)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def usual() -> tuple[np.ndarray, FaceReading]:
    image = picture()[0]
    return image, found_in(image)


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
def test_a_face_is_found_and_its_colours_read(style) -> None:
    for pose in (
        {"roll_deg": 20.0},
        {"roll_deg": -40.0},
        {"tilt_deg": 30.0},
        {"pan_deg": -30.0, "roll_deg": 10.0},
        {"distance_mm": 110.0},
        {"distance_mm": 500.0, "shift_mm": (60.0, 40.0)},
    ):
        image, expected = picture(style=style, **pose)
        found = found_in(image)
        assert found.colours == expected, pose
        assert found.score > 0.5
    assert 0.12 < found.side_px / image.shape[0] < 0.16  # a seventh of the picture


def test_dim_blurred_large_and_grey_pictures() -> None:
    image, expected = picture(distance_mm=130.0)
    plain = found_in(image)
    assert found_in(cv2.GaussianBlur(image, (0, 0), 2.0)).colours == expected
    for grey in ((image * 0.12).astype(np.uint8), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)):
        assert np.abs(np.array(found_in(grey).corners) - np.array(plain.corners)).max() < 8
    huge = cv2.resize(image, (7680, 5760), interpolation=cv2.INTER_CUBIC)
    found = found_in(huge)
    assert found.colours == expected
    apart = np.abs(12.0 * np.array(plain.corners) - np.array(found.corners)).max()
    assert apart < 0.06 * found.side_px


def test_as_many_copies_are_searched_as_are_needed_and_there_is_time_for(usual) -> None:
    for limit_s in (0.0, LIVE_LIMIT_S, PHOTO_LIMIT_S):
        assert search_copies(usual[0], limit_s, range(len(COPIES)))[1:] == (0, 1)
    grey = np.full((480, 640, 3), 127, np.uint8)
    assert search_copies(grey, 0.0, range(len(COPIES))) == (None, -1, 1)
    assert search_copies(grey, 60.0, range(len(COPIES))) == (None, -1, len(COPIES))
    assert search_copies(grey, 60.0, (3, 1)) == (None, -1, 2)


def dark_and_noisy(image: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(4).normal(0, 3, image.shape)
    return np.clip(np.rint(image * 0.1 + noise), 0, 255).astype(np.uint8)


def in_half_shade(image: np.ndarray) -> np.ndarray:
    light = 1.0 / (1.0 + np.exp((np.arange(image.shape[1]) - image.shape[1] / 2) / 20.0))
    return (image * (0.15 + 0.85 * light[:, None])).astype(np.uint8)


def cut_at_the_left(image: np.ndarray) -> np.ndarray:
    plain = found_in(image)
    left = min(x for x, _ in plain.corners)
    return image[:, round(left + 0.2 * plain.side_px) :]


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
def test_what_the_first_copy_does_not_show_another_one_does(style) -> None:
    image, _ = picture(style=style, distance_mm=260.0)
    plain = found_in(image)
    for spoil in (dark_and_noisy, in_half_shade, cut_at_the_left):
        spoilt = spoil(image)
        assert find_face(spoilt, 0.0) is None
        found = found_in(spoilt)
        assert found.side_px == pytest.approx(plain.side_px, rel=0.08)
        lost = np.array([image.shape[1] - spoilt.shape[1], 0.0])
        away = np.array(found.centre) + lost - plain.centre
        assert np.abs(away).max() < 0.08 * plain.side_px


CHECKERED = Facelets("UDUDUDUDURLRLRLRLRFBFBFBFBFDUDUDUDUDLRLRLRLRLBFBFBFBFB")


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
@pytest.mark.parametrize("background", list(Background))
def test_a_checkered_face_is_no_chessboard(style, background: Background) -> None:
    for face in "UFR":
        viewpoint = hand_held_viewpoint(
            face, distance_mm=130.0, roll_deg=15.0, background=background
        )
        renderer = Renderer(viewpoint, EVEN_LIGHT, WEBCAM, style=style)
        image = renderer.render(CHECKERED, np.random.default_rng(1))
        found = found_in(image)
        assert found.colours == colours(CHECKERED, face)
        cut = found_in(cut_at_the_left(image))
        assert cut.side_px == pytest.approx(found.side_px, rel=0.08)


def chessboard_close_up() -> np.ndarray:
    """Squares so large that the picture shows little beyond nine of them."""
    row, column = np.mgrid[0:480, 0:440] // 140
    shades = np.array([(190, 190, 100), (30, 130, 80)], dtype=np.uint8)
    return np.asarray(cv2.GaussianBlur(shades[(column + row) % 2], (0, 0), 2.0), dtype=np.uint8)


def books_cut_by_the_border() -> np.ndarray:
    """Three of one size among others, with a label as wide as a book on the middle one."""
    rng = np.random.default_rng(3)
    image = np.full((480, 420, 3), (100, 60, 140), np.uint8)
    books = [(20, 30), (54, 60), (118, 44), (164, 44), (210, 44), (256, 20), (280, 70), (352, 50)]
    for top, thick in books:
        wide = 90 if thick == 44 else int(90 + rng.uniform(-10, 15))
        image[top : top + thick, :wide] = rng.uniform(30, 150, 3)
    image[166:206, 46:90] = rng.uniform(30, 200, 3)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 2.4), dtype=np.uint8)


def without_the_cube(image: np.ndarray, found: FaceReading) -> np.ndarray:
    margin = int(0.15 * found.side_px)
    left, top = np.maximum(0, np.min(found.corners, axis=0).astype(int) - margin)
    right, bottom = np.max(found.corners, axis=0).astype(int) + margin
    hole = image.copy()
    hole[top:bottom, left:right] = 128
    return hole


def test_no_face_where_there_is_no_cube(usual) -> None:
    """Drawn patterns and rooms are searched in the tests of the benchmark, too."""
    rng = np.random.default_rng(0)
    wave = (np.sin(np.arange(640) / 7.0) * 80 + 120).astype(np.uint8)
    pictures = {
        "chessboard close up": chessboard_close_up(),
        "books": books_cut_by_the_border(),
        "stripes": np.repeat(np.tile(wave, (480, 1))[:, :, None], 3, axis=2),
        "noise": rng.integers(0, 255, (480, 640, 3), dtype=np.uint8),
        "surroundings": without_the_cube(*usual),
    }
    for shape in ((1, 1, 3), (2, 900, 3), (900, 2, 3), (9, 9, 3), (30, 40)):
        pictures[f"tiny {shape}"] = rng.integers(0, 255, shape, dtype=np.uint8)
    for background in Background:
        pictures[background] = paint_background(background, (640, 480), rng)
    assert [name for name, image in pictures.items() if find_face(image) is not None] == []
