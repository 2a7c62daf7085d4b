"""The light of each place is learnt from cubes that are known, and followed."""

import numpy as np
import pytest
from even_light import COLOURS, decode_lab

from calibration.errors import CalibrationError
from calibration.place_colours import KnownLook, learn_places, learn_reading
from cube.facelets import SOLVED_FACELETS
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.profile import DRIFT_THRESHOLD, ColourProfile, light_drift
from vision.colours.scheme import labels_of


def look(rng: np.random.Generator, places: np.ndarray, light: float = 1.0) -> KnownLook:
    """A random cube where every place has a colour cast of its own."""
    facelets = random_state(rng).to_facelets()
    labs = (COLOURS[labels_of(facelets)] + (16.0, 0.0, 0.0)) * light - (16.0, 0.0, 0.0) + places
    return KnownLook(labs + rng.normal(0, 1.0, (54, 3)), facelets)


def learnt(looks: list[KnownLook]) -> ColourProfile:
    return learn_places(looks, WESTERN_SCHEME, "hall", "2026-01-01")


def test_places_with_casts_of_their_own_are_learnt() -> None:
    rng = np.random.default_rng(1)
    places = rng.normal(0, 14.0, (54, 3)) * (0.5, 1.0, 1.0)
    profile = learnt([look(rng, places) for _ in range(8)])
    surer = []
    for _ in range(4):
        shown = look(rng, places)
        reading = decode_lab(shown.labs, profile)
        assert reading.facelets == shown.facelets
        surer.append(reading.margin - decode_lab(shown.labs).margin)
        assert light_drift(profile, reading) < DRIFT_THRESHOLD
    assert np.mean(surer) > 2.0


def test_a_profile_follows_the_light_of_verified_cubes() -> None:
    rng = np.random.default_rng(2)
    even = np.zeros((54, 3))
    profile = learnt([look(rng, even)])
    dim = look(rng, even, 0.75)
    before = light_drift(profile, decode_lab(dim.labs, profile))
    assert before > DRIFT_THRESHOLD
    for _ in range(8):
        profile = learn_reading(profile, look(rng, even, 0.75), "2026-01-02")
    assert light_drift(profile, decode_lab(dim.labs, profile)) < before / 3
    assert profile.created == "2026-01-02"


def test_too_little_is_refused() -> None:
    for looks in ([], [KnownLook(np.full((54, 3), np.nan), SOLVED_FACELETS)]):
        with pytest.raises(CalibrationError):
            learnt(looks)
