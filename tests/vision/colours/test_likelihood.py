"""The density of a sticker's colour: a Gaussian, two ways out of it, and the rest."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.colours.likelihood import log_densities

SD = 0.02
WHITENING = np.broadcast_to(np.eye(3) / SD, (1, 3, 3))
RED = np.array([0.7, 0.1, 0.15])


def density(colour: np.ndarray, lit: np.ndarray = RED) -> tuple[float, float]:
    total, share = log_densities((colour - lit)[None], lit[None], WHITENING)
    return float(total[0]), float(share[0])


@settings(max_examples=20)
@given(st.floats(0.15, 0.85))
def test_on_the_way_to_white_or_black_is_likelier_than_beside_it(share: float) -> None:
    for end in (np.ones(3), np.zeros(3)):
        on_the_way = RED + share * (end - RED)
        beside = on_the_way + 0.15 * np.array([0.0, 1.0, -1.0])
        assert density(on_the_way)[0] > density(beside)[0] + 1.0


def test_the_weight_tells_who_belongs_to_the_colour() -> None:
    assert density(RED + 0.5 * SD)[1] > 0.9
    assert density(RED + 0.5 * (1.0 - RED))[1] < 0.01
    assert density(np.array([0.0, 1.0, 0.0]))[0] >= np.log(0.02) - 1e-9  # at least an outlier
    total, share = density(np.ones(3), np.ones(3))  # as white as the lamp
    assert np.isfinite(total)
    assert share > 0.9
