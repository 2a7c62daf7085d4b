"""What a sensor makes of light: noise of its own, and always the same of the same chances."""

import numpy as np
import pytest

from vision.geometry.light import Optics
from vision.geometry.pinhole import Pinhole
from vision.virtual.sensor import Lighting, Sensor

SIZE = (321, 243)  # neither whole bands of rows nor a multiple of four values


def photo(optics, seed, level=120):
    width, height = SIZE
    planes = (np.full((height, width), value, dtype=np.float32) for value in (1.0, 0.0))
    picture = np.full((height, width, 3), level, dtype=np.uint8)
    pinhole = Pinhole((0.0, 0.0, 200.0), size=SIZE)
    return Sensor(pinhole, optics).expose(picture, Lighting(*planes), np.random.default_rng(seed))


@pytest.mark.parametrize("levels", [1.5, 4.0])
def test_noise_is_normal_and_each_pixels_and_channels_own(levels):
    noise = photo(Optics(noise_levels=levels), 2).astype(np.float64) - 120.0
    rounded = np.hypot(levels, np.sqrt(1.0 / 12.0))  # levels are whole numbers
    assert noise.mean() == pytest.approx(0.0, abs=0.05)
    assert noise.std() == pytest.approx(rounded, rel=0.02)
    assert ((noise / rounded) ** 4).mean() == pytest.approx(3.0, abs=0.15)
    assert (np.abs(noise) > 3.0 * rounded + 1.0).mean() > 0.0
    aside = noise[:, :-1] * noise[:, 1:]
    below = noise[:-1] * noise[1:]
    channels = noise[..., 0] * noise[..., 1]
    for product in (aside, below, channels):
        assert product.mean() / levels**2 == pytest.approx(0.0, abs=0.02)


def test_the_same_generator_gives_the_same_picture_and_the_next_another():
    plain = photo(Optics(), 1)
    assert (np.ptp(plain), plain[0, 0, 0]) == (0, pytest.approx(120, abs=1))  # without noise
    optics = Optics(noise_levels=2.0, drift=0.02)
    assert (photo(optics, 3) == photo(optics, 3)).all()
    assert (photo(optics, 3) != photo(optics, 4)).mean() > 0.5
