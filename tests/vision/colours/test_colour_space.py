"""sRGB becomes CIELAB as the CIE's formulas say."""

import numpy as np
import pytest

from vision.colours.colour_space import srgb_to_lab

# Values of the CIE formulas for D65, as published with many colour tools (two decimals).
PUBLISHED = {
    (255, 255, 255): (100.0, 0.0, 0.0),
    (0, 0, 0): (0.0, 0.0, 0.0),
    (255, 0, 0): (53.24, 80.09, 67.20),
    (0, 255, 0): (87.73, -86.18, 83.18),
    (0, 0, 255): (32.30, 79.19, -107.86),
    (119, 119, 119): (50.03, 0.0, 0.0),
    (255, 255, 0): (97.14, -21.55, 94.48),
}


def test_published_values_and_greys_without_a_hue() -> None:
    for rgb, lab in PUBLISHED.items():
        assert srgb_to_lab(rgb) == pytest.approx(lab, abs=0.02)
    grey = np.repeat(np.arange(256)[:, None], 3, axis=1)
    assert np.abs(srgb_to_lab(grey)[:, 1:]).max() < 1e-9


def test_shape_is_kept_nan_stays_and_values_outside_the_range_are_clipped() -> None:
    colours = np.full((2, 3, 3), 100.0)
    colours[1, 2] = np.nan
    lab = srgb_to_lab(colours)
    assert lab.shape == (2, 3, 3)
    assert np.isnan(lab[1, 2]).all()
    assert np.isfinite(lab[0]).all()
    assert srgb_to_lab([300, -5, 128]) == pytest.approx(srgb_to_lab([255, 0, 128]))
    for other in ([1, 2, 3, 4], 7):
        with pytest.raises(ValueError, match=r"\b3\b"):
            srgb_to_lab(other)
