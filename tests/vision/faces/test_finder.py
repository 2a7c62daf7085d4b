"""Nine stickers are found in copies of a picture, whatever is done to it, where a cube is."""

from dataclasses import replace
from itertools import islice

import cv2
import numpy as np
import pytest

from benchmarks.vision.hand_held import desk, hand_held_viewpoint
from benchmarks.vision.pictures_without_cube import drawn
from cube.facelets import Facelets
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.faces.agreement import CopyFace, likeliest
from vision.faces.candidates import find_candidates
from vision.faces.continuation import CELL, SIDE, START, continues_beyond
from vision.faces.copies import COPIES, PIXELS_OF, PictureCopy, framed_small, small
from vision.faces.face_score import SURE_SCORE, face_scores, gather_evidence
from vision.faces.finder import LIVE_LIMIT_S, PHOTO_LIMIT_S, find_face, search_copies
from vision.faces.lattice import Lattice, vote
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.geometry.scene import STICKERED, STICKERLESS
from vision.reading import FaceReading
from vision.virtual.background import Painter, plain_wall, rig_clutter
from vision.virtual.render import Renderer


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


STYLES = [STICKERED, pytest.param(STICKERLESS, marks=pytest.mark.exhaustive)]


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


@pytest.mark.parametrize("style", STYLES)
def test_a_face_is_found_whatever_margin_is_left_around_it(style) -> None:
    for seed in (1, 2):
        image, expected = picture(seed=seed, style=style, distance_mm=130.0)
        plain = found_in(image)
        low, high = np.min(plain.corners, axis=0), np.max(plain.corners, axis=0)
        for margin in (-0.05, 0.0, 0.03, 0.06, 0.09, 0.12):
            left, top = np.maximum(0, low - margin * plain.side_px).astype(int)
            right, bottom = np.ceil(high + margin * plain.side_px).astype(int)
            assert found_in(image[top:bottom, left:right]).colours == expected, margin


def test_a_face_that_is_cut_much_fills_the_picture_with_nothing_beyond_it(usual) -> None:
    candidates = find_candidates(usual[0])
    lattices = list(islice(vote(candidates), 1))
    lab = np.asarray(cv2.cvtColor(usual[0], cv2.COLOR_BGR2Lab), dtype=np.uint8)
    evidence = gather_evidence(lab, candidates.edges, lattices)
    for fills, sides, possible in ((False, 0.0, False), (True, 0.0, True), (True, 1.0, False)):
        cut = replace(
            evidence, inside=np.full(1, 0.82), fills=np.full(1, fills), sides=np.full(1, sides)
        )
        assert np.isfinite(face_scores(lattices, cut)).tolist() == [possible]


def test_a_lattice_across_an_edge_of_the_cube_is_not_a_face() -> None:
    for seed, tilt_deg in ((15, 15.0), (24, 0.0), (40, 20.0), (48, 0.0)):
        facelets = random_state(np.random.default_rng(seed)).to_facelets()
        image, _ = picture(seed=seed, pan_deg=45.0, tilt_deg=tilt_deg, distance_mm=200.0)
        found = find_face(image)
        faces = {colours(facelets, face) for face in "URFDLB"}
        assert found is None or found.colours in faces, seed


def test_two_rows_at_the_border_are_not_a_face_with_a_row_of_the_background() -> None:
    for seed in (4, 8, 17):
        image, _ = picture(seed=seed, distance_mm=130.0, background=desk)
        plain = found_in(image)
        top, bottom = np.min(plain.corners, axis=0)[1], np.max(plain.corners, axis=0)[1]
        cut = image[: int(bottom - 0.28 * (bottom - top))]
        found = find_face(cut)
        assert found is None or np.max(found.corners, axis=0)[1] > cut.shape[0], seed


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


@pytest.mark.parametrize("style", STYLES)
def test_what_the_first_copy_does_not_show_another_one_does(style) -> None:
    image, _ = picture(style=style, distance_mm=260.0)
    plain = found_in(image)
    for spoil in (dark_and_noisy, in_half_shade, cut_at_the_left):
        spoilt = spoil(image)
        assert find_face(spoilt, 0.0) is None
        found = found_in(spoilt)
        assert found.side_px == pytest.approx(plain.side_px, rel=0.08)
        lost = np.array([image.shape[1] - spoilt.shape[1], 0.0])
        away = np.mean(found.corners, axis=0) + lost - np.mean(plain.corners, axis=0)
        assert np.abs(away).max() < 0.08 * plain.side_px


CHECKERED = Facelets("UDUDUDUDURLRLRLRLRFBFBFBFBFDUDUDUDUDLRLRLRLRLBFBFBFBFB")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("background", [plain_wall, rig_clutter, desk])
def test_a_checkered_face_is_no_chessboard(style, background: Painter) -> None:
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


def floor_cut_by_the_border() -> np.ndarray:
    """Nine tiles of about one colour that fill the picture; its border cuts them a little."""
    rng = np.random.default_rng(0)
    row, column = np.mgrid[103:400, 103:400]
    image = rng.normal((120, 150, 170), 6, (4, 4, 3))[row // 100, column // 100]
    image[(row % 100 < 3) | (column % 100 < 3)] = 90
    image += rng.normal(0, 3, image.shape)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0)).astype(np.uint8)


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
    rng = np.random.default_rng(0)
    wave = (np.sin(np.arange(640) / 7.0) * 80 + 120).astype(np.uint8)
    pictures = {
        "chessboard close up": chessboard_close_up(),
        "floor": floor_cut_by_the_border(),
        "books": books_cut_by_the_border(),
        "stripes": np.repeat(np.tile(wave, (480, 1))[:, :, None], 3, axis=2),
        "noise": rng.integers(0, 255, (480, 640, 3), dtype=np.uint8),
        "surroundings": without_the_cube(*usual),
    }
    for shape in ((1, 1, 3), (2, 900, 3), (900, 2, 3), (9, 9, 3), (30, 40)):
        pictures[f"tiny {shape}"] = rng.integers(0, 255, shape, dtype=np.uint8)
    for paint in (plain_wall, rig_clutter, desk):
        pictures[paint.__name__] = paint((640, 480), rng)
    pictures |= {picture.name: picture.image for picture in drawn(rng, 1)}
    assert [name for name, image in pictures.items() if find_face(image) is not None] == []


@pytest.mark.parametrize("make", COPIES)
def test_a_copy_knows_where_its_pixels_lie_in_the_picture(make) -> None:
    for size in ((480, 640), (640, 480), (1080, 1920), (90, 120), (1, 1), (3, 900)):
        copy = make(np.zeros((*size, 3), np.uint8))
        if copy is None:
            assert max(size) <= 320
            continue
        assert copy.image.dtype == np.uint8
        margin = copy.margin_px
        height, width = (n - 2 * margin for n in copy.image.shape[:2])
        corners = np.array([(-0.5, -0.5), (width - 0.5, height - 0.5)]) + margin
        there = copy.to_picture(corners)
        assert np.abs(there[0] + 0.5).max() < 1e-9
        assert np.abs(there[1] + 0.5 - size[::-1]).max() <= 0.6 / copy.scale


GRID = np.array([(column, row) for row in range(3) for column in range(3)], dtype=np.float64)
BLANK = PictureCopy(np.zeros((8, 8, 3), np.uint8), 1.0, plain=True)
LATTICE = Lattice(
    np.eye(3),
    np.ones((3, 3)),
    around=0,
    beyond=np.zeros(4),
    strays=0,
    bends=np.zeros(2),
    miss=0.0,
    unlike=0.0,
)
SMALL, FRAMED_SMALL = COPIES.index(small), COPIES.index(framed_small)
OTHERS = [number for number in set(PIXELS_OF) if number != SMALL]


def found(score: float, number: int = SMALL, at: tuple[float, float] = (0.0, 0.0)) -> CopyFace:
    return CopyFace(score, LATTICE, BLANK, number, 30.0 * GRID + at)


def test_what_several_copies_show_is_likelier_than_what_one_shows() -> None:
    assert likeliest([]) is None
    assert likeliest([found(-np.inf), found(-5.0)]) is None
    alone = found(1.5, at=(200.0, 0.0))
    agreed = [found(1.0, OTHERS[0]), found(0.5, OTHERS[1], at=(3.0, -3.0)), found(0.2, OTHERS[2])]
    best, score = likeliest([alone, *agreed]) or pytest.fail("nothing is found")
    assert best is agreed[0]
    assert 1.5 < score < 3.0


def test_two_rows_need_another_copy_and_three_books_in_a_row_are_no_face() -> None:
    high = found(SURE_SCORE + 2.0)
    assert high.sure
    assert not found(SURE_SCORE - 0.1).sure
    two_rows = np.repeat([[1.0], [1.0], [0.0]], 3, axis=1)
    unclear = replace(high, lattice=replace(LATTICE, voters=two_rows))
    assert not unclear.sure
    for shown_by, is_face in (((SMALL, FRAMED_SMALL), False), ((SMALL, OTHERS[0]), True)):
        _, score = likeliest([replace(unclear, number=number) for number in shown_by]) or (
            pytest.fail("nothing is found")
        )
        assert np.isfinite(score) == is_face
    for whole, is_face in ((0, False), (2, False), (3, True)):
        voters = np.full(9, 0.5)
        voters[:whole] = 1.0
        parts = replace(LATTICE, voters=voters.reshape(3, 3))
        books = [replace(found(2.0, number), lattice=parts) for number in (SMALL, *OTHERS)]
        _, score = likeliest(books) or pytest.fail("nothing is found")
        assert np.isfinite(score) == is_face


def straightened(*, grout: float, beyond: slice | None) -> np.ndarray:
    """Nine light squares with dark lines between them; the lines go on into a part of the strip."""
    picture = np.full((1, SIDE, SIDE, 3), 128.0)
    picture[..., 0] = 70.0
    pattern = picture.copy()
    for line in range(START, SIDE, CELL):
        pattern[:, :, line - 1 : line + 1, 0] = grout
        pattern[:, line - 1 : line + 1, :, 0] = grout
    inner = slice(START, START + 3 * CELL)
    picture[:, inner, inner] = pattern[:, inner, inner]
    if beyond is not None:
        picture[:, :, beyond] = pattern[:, :, beyond]
    return picture


def test_a_floor_continues_and_a_face_does_not() -> None:
    """Lines at one side are another face's; with one side in sight nothing is said."""
    for grout, beyond, sides, on in (
        (20.0, slice(None), (0, 1, 2, 3), True),
        (20.0, None, (0, 1, 2, 3), False),
        (55.0, slice(0, START - 3), (0, 1, 2, 3), False),
        (20.0, slice(None), (0, 1), True),
        (20.0, slice(None), (1,), False),
        (20.0, slice(None), (), False),
    ):
        seen = np.isin(np.arange(4), sides)[None]
        assert continues_beyond(straightened(grout=grout, beyond=beyond), seen).tolist() == [on]
