"""Colours of stickers are sampled from pictures, and their shading is evened out."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import facelet_index
from vision.colours.colour_spaces import srgb_to_lab
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.light import Light
from vision.geometry.sampling import (
    as_bgr8,
    fuse_patches,
    mean_colours,
    sample_polygons,
    sample_view,
)
from vision.geometry.scene import TurningFace, blocks
from vision.geometry.shading import box_of, light_on_side
from vision.geometry.view import FaceletPatches, View
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint

RED, BLUE = (40, 30, 200), (200, 10, 10)
SQUARE = ((10, 10), (49, 10), (49, 49), (10, 49))


def picture(colour: tuple[int, int, int] = RED) -> np.ndarray:
    image = np.zeros((60, 60, 3), np.uint8)
    image[10:50, 10:50] = colour
    return image


def lab_of(bgr: tuple[int, int, int]) -> np.ndarray:
    return srgb_to_lab(bgr[::-1])


def sampled(image: np.ndarray, polygon: object) -> np.ndarray:
    return sample_polygons(image, np.array([polygon], dtype=float))[0]


def test_a_patch_gives_its_colour_whatever_lies_on_it_or_beside_it() -> None:
    assert sampled(picture(), SQUARE) == pytest.approx(lab_of(RED))
    spoilt = picture()
    spoilt[18:28, 18:34] = 255  # a reflection
    spoilt[38:40, 12:48] = 0  # a scratch
    assert np.linalg.norm(sampled(spoilt, SQUARE) - lab_of(RED)) < 3.0
    shifted = np.array(SQUARE) + 6  # an outline that is off by a fifth
    assert np.linalg.norm(sampled(picture(), shifted) - lab_of(RED)) < 3.0


def test_the_hue_comes_from_the_rim_and_from_the_dark_end_of_several_patches() -> None:
    white, yellow = picture((255, 255, 250)), picture((250, 255, 255))
    white[10:50, 10:13], yellow[10:50, 10:13] = (190, 190, 188), (120, 200, 200)
    a, b = sampled(white, SQUARE), sampled(yellow, SQUARE)
    assert np.linalg.norm(a - b) > 20.0
    labs = np.array([[40, 50, 30], [42, 50, 30], [90, 5, 3], [np.nan] * 3])
    assert fuse_patches(labs) == pytest.approx([41, 50, 30])
    assert np.isnan(fuse_patches(np.full((2, 3), np.nan))).all()


def test_patches_outside_the_picture_are_unseen() -> None:
    assert np.isnan(sampled(picture(), np.array(SQUARE) + 500)).all()
    assert np.isfinite(sampled(picture(), np.array(SQUARE) - 15)).all()  # partly


def test_grey_alpha_and_16_bits_become_bgr_and_what_is_no_picture_is_refused() -> None:
    for shape in ((4, 5), (4, 5, 1), (4, 5, 4)):
        assert (as_bgr8(np.full(shape, 7, np.uint8)) == np.full((4, 5, 3), 7)).all()
    for shape in ((4, 5, 3), (4, 5)):
        bgr = as_bgr8(np.full(shape, 7 * 256 + 3, np.uint16))
        assert (bgr.shape, bgr.dtype) == ((4, 5, 3), np.uint8)
        assert (bgr == 7).all()
    for shape in ((4, 5, 2), (4,), (0, 5, 3), (0, 5), ()):
        with pytest.raises(VisionError):
            as_bgr8(np.zeros(shape, np.uint8))
    with pytest.raises(VisionError):
        as_bgr8(np.zeros((4, 5, 3), np.float32))


def view(name: str = "U1") -> View:
    square = tuple((float(x), float(y)) for x, y in SQUARE)
    return View((60, 60), (FaceletPatches(name, (square,)),))


def test_views_say_which_facelets_are_seen_by_which_camera() -> None:
    frames = [Frame(picture(), "one"), Frame(picture(BLUE), "two")]
    labs = sample_view(frames, [view("U1"), view("B9")])
    assert labs[facelet_index("U1")] == pytest.approx(lab_of(RED))
    assert labs[facelet_index("B9")] == pytest.approx(lab_of(BLUE))
    assert np.isnan(labs).any(axis=1).sum() == 52


def test_colours_to_compare_pictures_with_are_about_those_of_a_reading() -> None:
    colours = mean_colours(Frame(picture(), "one"), view("U1"))
    assert np.linalg.norm(colours[facelet_index("U1")] - lab_of(RED)) < 5
    assert np.isnan(colours).any(axis=1).sum() == 53


def test_a_frame_of_another_size_or_none_is_refused() -> None:
    with pytest.raises(VisionError, match=r"webcam .*10×20 .*60×60"):
        sample_view([Frame(np.zeros((20, 10, 3), np.uint8), "webcam")], [view()])
    with pytest.raises(VisionError, match=r"\b1\b"):
        sample_view([Frame(picture(), "one")], [view(), view("B1")])


@settings(max_examples=6, deadline=None)
@given(
    camera=st.sampled_from(sorted(CORNER_CAMERAS)),
    size=st.tuples(st.integers(60, 110), st.integers(60, 90)),
    face=st.sampled_from("URFDLB"),
    angle_deg=st.floats(-180.0, 180.0),
    coupled=st.booleans(),
)
def test_a_part_of_the_picture_is_lit_as_in_the_whole(camera, size, face, angle_deg, coupled):
    pinhole = replace(corner_viewpoint(camera).pinhole, size=size, focal_px=100.0)
    whole = slice(0, size[1]), slice(0, size[0])
    sides = [side for block in blocks(TurningFace(face, angle_deg)) for side in block.sides]
    for side in (each for each in sides if each.seen_from(pinhole.position_mm)):
        box = box_of(pinhole, side)
        for part, all_of_it in zip(
            light_on_side(pinhole, side, Light(), coupled, box),
            light_on_side(pinhole, side, Light(), coupled, whole),
            strict=True,
        ):
            assert part == pytest.approx(all_of_it[box], abs=1e-5)
