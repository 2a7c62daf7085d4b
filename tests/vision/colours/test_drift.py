"""How far the light has moved away from a profile's."""

import numpy as np
import pytest
from even_light import COLOURS, decode_lab

from cube.facelets import SOLVED_FACELETS
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.drift import light_drift
from vision.colours.profile import ColourProfile

PROFILE = ColourProfile(
    name="hall",
    created="2026-01-01",
    scheme=dict(WESTERN_SCHEME),
    colours={face: tuple(map(float, lab)) for face, lab in zip(FACES, COLOURS, strict=True)},
)


@pytest.mark.parametrize("shift", [(0.0, 0.0, 0.0), (-2.0, 1.0, 2.0), (-4.0, 4.0, -7.0)])
def test_light_that_moves_all_stickers_has_drifted_as_far(shift: tuple[float, ...]) -> None:
    labs = np.repeat(COLOURS, 9, axis=0) + shift
    reading = decode_lab(labs, PROFILE)
    assert reading.facelets == SOLVED_FACELETS
    assert light_drift(PROFILE, reading) == pytest.approx(np.linalg.norm(shift), abs=0.05)
