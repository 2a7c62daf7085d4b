"""The ways in which benchmarks frame and spoil the picture of a face."""

import numpy as np
import pytest

from benchmarks.vision.face_conditions import CONDITIONS, Labelled, shrunk
from benchmarks.vision.face_stresses import STRESSES

STEP = 60
MOVED = ("tilt", "roll", "cut", "face", "whole")


def drawn_face(stickers: int = 3) -> Labelled:
    """A square of stickers of different colours in a grey picture with a pattern around."""
    rng = np.random.default_rng(1)
    image = np.kron(rng.integers(90, 130, (24, 32, 1)), np.ones((20, 20, 3))).astype(np.uint8)
    rows, columns = np.mgrid[0:stickers, 0:stickers]
    middles = np.column_stack([columns.ravel(), rows.ravel()]) * STEP + (260.0, 180.0)
    for x, y in middles.astype(int):
        image[y - 25 : y + 25, x - 25 : x + 25] = rng.integers(40, 220, 3)
    return Labelled("drawn", image, middles)


@pytest.mark.parametrize("stickers", [2, 3])
def test_a_stress_spoils_the_picture_and_knows_where_the_face_went(stickers: int) -> None:
    face = drawn_face(stickers)
    ways = STRESSES | (CONDITIONS if stickers == 3 else {})
    for name, stress in ways.items():
        spoilt = stress(face, np.random.default_rng(5))
        again = stress(face, np.random.default_rng(5))
        np.testing.assert_array_equal(spoilt.image, again.image)
        assert spoilt.image.dtype == np.uint8
        assert spoilt.middles.shape == (stickers**2, 2)
        assert max(shrunk(spoilt).image.shape[:2]) == 640
        if not name.startswith(MOVED):
            np.testing.assert_array_equal(spoilt.middles, face.middles)
            assert spoilt.image.shape == face.image.shape
            assert np.abs(spoilt.image.astype(int) - face.image).max() > 5, name
            continue
        height, width = spoilt.image.shape[:2]
        for before, after in zip(face.middles, spoilt.middles, strict=True):
            x, y = np.rint(after).astype(int)
            if 2 <= x < width - 2 and 2 <= y < height - 2:
                old = face.image[tuple(np.rint(before).astype(int)[::-1])].astype(int)
                assert np.abs(spoilt.image[y, x].astype(int) - old).max() < 30, name
