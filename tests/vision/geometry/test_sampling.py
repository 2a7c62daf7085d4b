import numpy as np
import pytest

from cube.facelets import facelet_index
from vision.colours.colour_space import srgb_to_lab
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.sampling import as_bgr8, fuse_patches, sample_polygon, sample_view
from vision.geometry.view import FaceletPatches, View

RED = (40, 30, 200)
SQUARE = ((10, 10), (49, 10), (49, 49), (10, 49))


def picture(colour: tuple[int, int, int] = RED) -> np.ndarray:
    image = np.zeros((60, 60, 3), np.uint8)
    image[10:50, 10:50] = colour
    return image


def lab_of(bgr: tuple[int, int, int]) -> np.ndarray:
    return srgb_to_lab(bgr[::-1])


def test_an_even_patch_gives_its_colour() -> None:
    sample = sample_polygon(picture(), SQUARE)
    assert sample.lab == pytest.approx(lab_of(RED))
    assert sample.spread == pytest.approx(0.0, abs=1e-9)


def test_glare_and_scratches_do_not_count() -> None:
    image = picture()
    image[18:28, 18:34] = 255  # a reflection
    image[38:40, 12:48] = 0  # a scratch
    assert np.linalg.norm(sample_polygon(image, SQUARE).lab - lab_of(RED)) < 3.0


def test_an_outline_that_is_off_by_a_fifth_does_no_harm() -> None:
    shifted = np.array(SQUARE) + 6
    assert np.linalg.norm(sample_polygon(picture(), shifted).lab - lab_of(RED)) < 3.0


def test_overexposed_stickers_take_their_hue_from_the_rim() -> None:
    white, yellow = picture((255, 255, 250)), picture((250, 255, 255))
    white[10:50, 10:13], yellow[10:50, 10:13] = (190, 190, 188), (120, 200, 200)
    a, b = sample_polygon(white, SQUARE).lab, sample_polygon(yellow, SQUARE).lab
    assert np.linalg.norm(a - b) > 20.0


def test_patches_outside_the_picture_are_unseen() -> None:
    sample = sample_polygon(picture(), np.array(SQUARE) + 500)
    assert np.isnan(sample.lab).all()
    assert np.isnan(sample.spread)
    partly = sample_polygon(picture(), np.array(SQUARE) - 15)
    assert np.isfinite(partly.lab).all()


@pytest.mark.parametrize("polygon", [((0, 0), (1, 1)), ((0, 0), (1, 0), (1, np.nan), (0, 1))])
def test_other_polygons_are_refused(polygon: tuple) -> None:
    with pytest.raises(VisionError, match="four points"):
        sample_polygon(picture(), polygon)


def test_patches_of_one_sticker_are_fused_at_the_dark_end() -> None:
    labs = np.array([[40, 50, 30], [42, 50, 30], [90, 5, 3], [np.nan] * 3])
    assert fuse_patches(labs) == pytest.approx([41, 50, 30])
    assert np.isnan(fuse_patches(np.full((2, 3), np.nan))).all()


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        (np.full((4, 5), 7, np.uint8), 7),
        (np.full((4, 5, 1), 7, np.uint8), 7),
        (np.full((4, 5, 4), 7, np.uint8), 7),
        (np.full((4, 5, 3), 7 * 256 + 3, np.uint16), 7),
        (np.full((4, 5), 7 * 256 + 3, np.uint16), 7),
    ],
)
def test_grey_alpha_and_16_bits_become_bgr(image: np.ndarray, expected: int) -> None:
    bgr = as_bgr8(image)
    assert bgr.shape == (4, 5, 3)
    assert bgr.dtype == np.uint8
    assert (bgr == expected).all()


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 5, 2), np.uint8),
        np.zeros((4, 5, 3), np.float32),
        np.zeros(4, np.uint8),
        np.zeros((0, 5, 3), np.uint8),
        np.zeros((0, 5), np.uint8),
        np.array(3),
    ],
)
def test_what_is_no_picture_is_refused(image: np.ndarray) -> None:
    with pytest.raises(VisionError, match=r"picture|pixels"):
        as_bgr8(image)


def view(name: str = "U1", camera: int = 0) -> View:
    square = tuple((float(x), float(y)) for x, y in SQUARE)
    return View((60, 60), (FaceletPatches(name, (square,), camera),))


def test_views_say_which_facelets_are_seen() -> None:
    frames = [Frame(picture(), "one"), Frame(picture((200, 10, 10)), "two")]
    labs = sample_view(frames, [view("U1"), view("B9")])
    assert labs[facelet_index("U1")] == pytest.approx(lab_of(RED))
    assert labs[facelet_index("B9")] == pytest.approx(lab_of((200, 10, 10)))
    assert np.isnan(labs).any(axis=1).sum() == 52


def test_a_single_view_tells_its_cameras_apart() -> None:
    frames = [Frame(picture(), "one"), Frame(picture((200, 10, 10)), "two")]
    labs = sample_view(frames, [view("U1", camera=1)])
    assert labs[0] == pytest.approx(lab_of((200, 10, 10)))
    side_by_side = sample_view(frames[:1], [view("U1", camera=1)])
    assert side_by_side[0] == pytest.approx(lab_of(RED))


def test_a_frame_of_another_size_or_none_is_refused() -> None:
    with pytest.raises(VisionError, match=r"webcam is 10×20 pixels.*60×60"):
        sample_view([Frame(np.zeros((20, 10, 3), np.uint8), "webcam")], [view()])
    with pytest.raises(VisionError, match="picture of camera 1"):
        sample_view([Frame(picture(), "one")], [view(), view("B1")])
