"""The copies of a picture in which faces are looked for."""

import numpy as np
import pytest

from vision.faces.copies import COPIES, calm, framed_large, framed_small, large, small


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


def test_copies_are_plain_when_shrunk_and_margins_repeat_the_border() -> None:
    image = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    plain = [make for make in COPIES if (copy := make(image)) is not None and copy.plain]
    assert plain == [small, large]
    assert COPIES[0] is small
    image = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    copy = framed_small(image)
    assert copy is not None
    assert framed_large(image) is None
    margin = copy.margin_px
    assert margin > 0.1 * 240
    np.testing.assert_array_equal(copy.image[margin:-margin, margin:-margin], image)
    np.testing.assert_array_equal(copy.image[:margin, margin], np.tile(image[0, 0], (margin, 1)))


def test_a_dim_noisy_picture_becomes_bright_and_calm() -> None:
    rng = np.random.default_rng(1)
    image = np.repeat(np.arange(480 // 8) % 2 * 12, 8)[:, None, None] * np.ones((1, 640, 3))
    noisy = np.clip(np.rint(image + 6 + rng.normal(0, 3, image.shape)), 0, 255).astype(np.uint8)
    copy = calm(noisy)
    assert copy is not None
    assert np.ptp(copy.image) > 120
    row = copy.image[len(copy.image) // 2].astype(float)
    assert row.std() < 16
