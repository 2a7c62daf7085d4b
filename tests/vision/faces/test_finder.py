from contextlib import suppress

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cube.facelets import Facelets
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.errors import VisionError
from vision.faces.copies import COPIES
from vision.faces.finder import LIVE_LIMIT_S, PHOTO_LIMIT_S, find_face, search_copies
from vision.geometry.light import EVEN_LIGHT, PERFECT_OPTICS, WEBCAM
from vision.geometry.scene import STICKERED, STICKERLESS
from vision.reading import FaceReading
from vision.virtual.background import Background, paint_background
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint


def picture(face: str = "F", *, seed: int = 1, style=STICKERED, optics=WEBCAM, **pose):
    """A rendered hand-held face: the picture and the facelets it shows."""
    facelets = random_state(np.random.default_rng(seed)).to_facelets()
    viewpoint = hand_held_viewpoint(face, **pose)
    renderer = Renderer(viewpoint, EVEN_LIGHT, optics, style=style, seed=seed)
    return renderer.render(facelets, np.random.default_rng(seed)), facelets


def names(facelets: Facelets, face: str) -> tuple[str, ...]:
    return tuple(WESTERN_SCHEME[letter] for letter in facelets.face(face))


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
@pytest.mark.parametrize(
    "pose",
    [
        {},
        {"roll_deg": 20.0},
        {"roll_deg": -40.0},
        {"tilt_deg": 30.0},
        {"pan_deg": -30.0, "roll_deg": 10.0},
        {"distance_mm": 110.0},
        {"distance_mm": 420.0, "shift_mm": (40.0, 30.0)},
    ],
)
def test_a_face_is_found_and_its_colours_read(pose: dict, style) -> None:
    image, facelets = picture(style=style, **pose)
    found = find_face(image)
    assert found is not None
    assert found.colours == names(facelets, "F")
    assert found.score > 0.5


def test_corners_run_clockwise_from_top_left() -> None:
    found = find_face(picture(optics=PERFECT_OPTICS)[0])
    assert found is not None
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = found.corners
    assert ax < bx
    assert dx < cx
    assert ay < dy
    assert by < cy
    for sticker in found.stickers:
        inside = cv2.pointPolygonTest(
            np.array(found.corners, np.float32),
            tuple(np.mean(sticker.polygons[0], axis=0)),
            measureDist=False,
        )
        assert inside > 0


def agree(one: FaceReading, other: FaceReading, scale: float = 1.0) -> bool:
    shift = np.abs(np.array(one.corners) * scale - np.array(other.corners)).max()
    return bool(one.colours == other.colours and shift < 0.06 * other.side_px)


def test_dim_blurred_large_grey_and_transparent_pictures() -> None:
    image, facelets = picture(distance_mm=130.0)
    plain = find_face(image)
    assert plain is not None
    dim = find_face((image * 0.12).astype(np.uint8))
    assert dim is not None
    assert np.abs(np.array(dim.corners) - np.array(plain.corners)).max() < 8
    blurred = find_face(cv2.GaussianBlur(image, (0, 0), 2.0))
    assert blurred is not None
    assert blurred.colours == names(facelets, "F")
    large = find_face(cv2.resize(image, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC))
    assert large is not None
    assert agree(plain, large, scale=3.0)
    transparent = find_face(np.dstack([image, np.zeros(image.shape[:2], np.uint8)]))
    assert transparent is not None
    assert agree(plain, transparent)
    deep = find_face(image.astype(np.uint16) * 257)
    assert deep is not None
    assert agree(plain, deep)
    grey = find_face(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    assert grey is not None
    assert np.abs(np.array(grey.corners) - np.array(plain.corners)).max() < 8


@pytest.mark.parametrize("seed", [3, 5, 6])
def test_a_blurred_face_without_black_between_its_stickers_is_found(seed: int) -> None:
    image, facelets = picture(style=STICKERLESS, seed=seed, distance_mm=320.0)
    blurred = cv2.GaussianBlur(image, (0, 0), 4.0)
    found = find_face(blurred)
    assert found is not None
    assert found.colours == names(facelets, "F")


@pytest.mark.parametrize("limit_s", [0.0, LIVE_LIMIT_S, PHOTO_LIMIT_S])
def test_a_plain_face_needs_one_copy_whatever_the_limit(limit_s: float) -> None:
    image, facelets = picture()
    found = find_face(image, limit_s)
    assert found is not None
    assert found.colours == names(facelets, "F")
    assert search_copies(image, limit_s, range(len(COPIES)))[1:] == (0, 1)


def test_without_time_only_the_first_copy_is_searched() -> None:
    grey = np.full((480, 640, 3), 127, np.uint8)
    assert search_copies(grey, 0.0, range(len(COPIES))) == (None, -1, 1)
    assert search_copies(grey, 10.0, range(len(COPIES))) == (None, -1, len(COPIES))
    assert search_copies(grey, 10.0, (3, 1)) == (None, -1, 2)


def dark_and_noisy(image: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(4).normal(0, 3, image.shape)
    return np.clip(np.rint(image * 0.1 + noise), 0, 255).astype(np.uint8)


def in_half_shade(image: np.ndarray) -> np.ndarray:
    light = 1.0 / (1.0 + np.exp((np.arange(image.shape[1]) - image.shape[1] / 2) / 20.0))
    return (image * (0.15 + 0.85 * light[:, None])).astype(np.uint8)


def cut_at_the_left(image: np.ndarray) -> np.ndarray:
    plain = find_face(image)
    assert plain is not None
    left = min(x for x, _ in plain.corners)
    return image[:, round(left + 0.2 * plain.side_px) :]


@pytest.mark.parametrize("spoil", [dark_and_noisy, in_half_shade, cut_at_the_left])
@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
def test_what_the_first_copy_does_not_show_another_one_does(spoil, style) -> None:
    image, _ = picture(style=style, distance_mm=260.0)
    plain = find_face(image)
    assert plain is not None
    spoilt = spoil(image)
    assert find_face(spoilt, 0.0) is None
    found = find_face(spoilt)
    assert found is not None
    assert found.side_px == pytest.approx(plain.side_px, rel=0.08)
    shift = np.array([image.shape[1] - spoilt.shape[1], 0.0])
    away = np.array(found.centre) + shift - plain.centre
    assert np.abs(away).max() < 0.08 * plain.side_px


CHECKERED = Facelets("UDUDUDUDURLRLRLRLRFBFBFBFBFDUDUDUDUDLRLRLRLRLBFBFBFBFB")


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
@pytest.mark.parametrize("face", ["U", "F", "R"])
@pytest.mark.parametrize("background", list(Background))
def test_a_checkered_face_is_no_chessboard(style, face: str, background: Background) -> None:
    viewpoint = hand_held_viewpoint(face, distance_mm=130.0, roll_deg=15.0, background=background)
    renderer = Renderer(viewpoint, EVEN_LIGHT, WEBCAM, style=style)
    image = renderer.render(CHECKERED, np.random.default_rng(1))
    found = find_face(image)
    assert found is not None
    assert found.colours == names(CHECKERED, face)
    cut = find_face(cut_at_the_left(image))
    assert cut is not None
    assert cut.side_px == pytest.approx(found.side_px, rel=0.08)


def test_two_covered_stickers_do_no_harm() -> None:
    image, _ = picture()
    plain = find_face(image)
    assert plain is not None
    for number in (0, 5):
        x, y = np.mean(plain.stickers[number].polygons[0], axis=0)
        radius = int(0.18 * plain.side_px)
        cv2.circle(image, (int(x), int(y)), radius, (130, 160, 215), -1)
    found = find_face(image)
    assert found is not None
    assert np.abs(np.array(found.corners) - np.array(plain.corners)).max() < 0.08 * plain.side_px


def chessboard() -> np.ndarray:
    board = np.kron((np.indices((8, 10)).sum(axis=0) % 2) * 200 + 30, np.ones((60, 60)))
    return np.repeat(board[:, :, None], 3, axis=2).astype(np.uint8)


def chessboard_close_up() -> np.ndarray:
    """Squares so large that the picture shows little beyond nine of them."""
    row, column = np.mgrid[0:480, 0:440] // 140
    shades = np.array([(190, 190, 100), (30, 130, 80)], dtype=np.uint8)
    board = shades[(column + row) % 2]
    return np.asarray(cv2.GaussianBlur(board, (0, 0), 2.0), dtype=np.uint8)


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


def tiled_floor() -> np.ndarray:
    rng = np.random.default_rng(0)
    image = np.full((480, 640, 3), 90, np.uint8)
    for y in range(0, 480, 48):
        for x in range(0, 640, 48):
            shade = int(rng.integers(140, 190))
            image[y + 3 : y + 45, x + 3 : x + 45] = shade
    return image


def keyboard() -> np.ndarray:
    image = np.full((480, 640, 3), 200, np.uint8)
    for row in range(4):
        for column in range(11):
            x, y = 30 + 52 * column + 14 * row, 120 + 52 * row
            cv2.rectangle(image, (x, y), (x + 46, y + 46), (40, 40, 40), -1)
            letter = chr(65 + (7 * row + column) % 26)
            cv2.putText(image, letter, (x + 12, y + 32), 0, 0.8, (230, 230, 230), 2)
    return image


def stripes() -> np.ndarray:
    wave = (np.sin(np.arange(640) / 7.0) * 80 + 120).astype(np.uint8)
    return np.repeat(np.tile(wave, (480, 1))[:, :, None], 3, axis=2)


def noise() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 255, (480, 640, 3), dtype=np.uint8)


def window() -> np.ndarray:
    image = np.full((480, 640, 3), 60, np.uint8)
    for x in (160, 330):
        for y in (60, 240):
            image[y : y + 160, x : x + 150] = (235, 220, 200)
    return image


@pytest.mark.parametrize(
    "draw",
    [
        chessboard,
        chessboard_close_up,
        books_cut_by_the_border,
        tiled_floor,
        keyboard,
        stripes,
        noise,
        window,
    ],
)
def test_no_face_where_there_is_no_cube(draw) -> None:
    assert find_face(draw()) is None


def test_no_face_in_the_background_of_the_renderer() -> None:
    image, _ = picture()
    found = find_face(image)
    assert found is not None
    xs, ys = np.array(found.corners).T
    hole = image.copy()
    margin = int(0.15 * found.side_px)
    hole[
        max(0, int(ys.min()) - margin) : int(ys.max()) + margin,
        max(0, int(xs.min()) - margin) : int(xs.max()) + margin,
    ] = 128
    assert find_face(hole) is None


@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 900, 3), (900, 2, 3), (9, 9, 3), (30, 40)])
def test_tiny_and_narrow_pictures_have_no_face(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    assert find_face(rng.integers(0, 255, shape, dtype=np.uint8)) is None


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(VisionError):
        find_face(np.zeros((10, 10, 3), np.float64))
    with pytest.raises(VisionError):
        find_face(np.zeros((0, 10, 3), np.uint8))


ANY_PICTURE = st.one_of(
    arrays(
        st.sampled_from([np.uint8, np.uint16, np.float32]),
        st.one_of(
            st.tuples(st.integers(0, 40), st.integers(0, 40)),
            st.tuples(st.integers(0, 40), st.integers(0, 40), st.sampled_from([1, 2, 3, 4])),
        ),
        fill=st.just(0),
    ),
)


@settings(max_examples=60)
@given(ANY_PICTURE, st.integers(1, 9))
def test_any_array_gives_a_face_none_or_a_plain_refusal(image, zoom: int) -> None:
    image = image.repeat(zoom, axis=0).repeat(zoom, axis=1)
    with suppress(VisionError):
        found = find_face(image)
        assert found is None or (found.score > 0.5 and np.isfinite(found.corners).all())


def test_a_huge_picture_is_shrunk_first() -> None:
    image, facelets = picture(distance_mm=130.0)
    found = find_face(cv2.resize(image, (7680, 5760)))
    assert found is not None
    assert found.colours == names(facelets, "F")
    assert found.side_px > 1500.0


def test_a_logo_on_the_centre_does_not_matter() -> None:
    image, facelets = picture(distance_mm=200.0)
    plain = find_face(image)
    assert plain is not None
    x, y = (round(value) for value in plain.centre)
    cv2.putText(image, "GO", (x - 14, y + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (30, 20, 90), 3)
    found = find_face(image)
    assert found is not None
    assert agree(replace_centre(found, plain), plain)
    assert names(facelets, "F")[:4] == found.colours[:4]


def replace_centre(found: FaceReading, other: FaceReading) -> FaceReading:
    stickers = (*found.stickers[:4], other.stickers[4], *found.stickers[5:])
    return FaceReading(found.corners, stickers, found.score)


@pytest.mark.parametrize("style", [STICKERED, STICKERLESS])
def test_a_face_of_a_seventh_of_the_picture_is_found(style) -> None:
    image, facelets = picture(style=style, distance_mm=500.0, shift_mm=(60.0, 40.0))
    found = find_face(image)
    assert found is not None
    assert 0.12 < found.side_px / image.shape[0] < 0.16
    assert found.colours == names(facelets, "F")


@pytest.mark.parametrize("background", list(Background))
def test_surroundings_without_a_cube_show_no_face(background) -> None:
    for seed in range(4):
        image = paint_background(background, (640, 480), np.random.default_rng(seed))
        assert find_face(image) is None
