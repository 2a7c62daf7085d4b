import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.place_colours import KnownLook, learn_places, learn_reading
from cube.facelets import SOLVED_FACELETS
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.drift import DRIFT_THRESHOLD, light_drift
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode

COLOURS = np.array([NAMED_COLOURS[WESTERN_SCHEME[face]] for face in FACES])


def look(rng: np.random.Generator, places: np.ndarray, light: float = 1.0) -> KnownLook:
    """A random cube where every place has a colour cast of its own."""
    facelets = random_state(rng).to_facelets()
    labels = [FACES.index(letter) for letter in facelets.text]
    labs = (COLOURS[labels] + (16.0, 0.0, 0.0)) * light - (16.0, 0.0, 0.0) + places
    return KnownLook(labs + rng.normal(0, 1.0, (54, 3)), facelets)


def test_places_with_casts_of_their_own_are_learnt() -> None:
    rng = np.random.default_rng(1)
    places = rng.normal(0, 14.0, (54, 3)) * (0.5, 1.0, 1.0)
    profile = learn_places(
        [look(rng, places) for _ in range(8)], WESTERN_SCHEME, "hall", "2026-01-01"
    )
    surer = []
    for _ in range(4):
        shown = look(rng, places)
        reading = decode(StickerColours.of_lab(shown.labs), profile)
        assert reading.facelets == shown.facelets
        surer.append(reading.margin - decode(StickerColours.of_lab(shown.labs)).margin)
        assert light_drift(profile, reading) < DRIFT_THRESHOLD
    assert np.mean(surer) > 2.0


@pytest.mark.parametrize(("looks", "share"), [(1, 1 / 2), (3, 3 / 4)])
def test_looks_are_weighed_against_one_that_saw_no_cast(looks: int, share: float) -> None:
    labs = np.repeat(COLOURS, 9, axis=0)
    labs[0] += (12.0, -8.0, 4.0)
    profile = learn_places(
        [KnownLook(labs, SOLVED_FACELETS)] * looks, WESTERN_SCHEME, "hall", "2026-01-01"
    )
    assert profile.offsets["U1"] == pytest.approx((12 * share, -8 * share, 4 * share), abs=0.01)
    assert profile.offsets["U2"] == (0.0, 0.0, 0.0)


def test_a_profile_follows_the_light_of_verified_cubes() -> None:
    rng = np.random.default_rng(2)
    even = np.zeros((54, 3))
    profile = learn_places([look(rng, even)], WESTERN_SCHEME, "hall", "2026-01-01")
    dim = look(rng, even, 0.75)
    before = light_drift(profile, decode(StickerColours.of_lab(dim.labs), profile))
    assert before > DRIFT_THRESHOLD
    for _ in range(8):
        profile = learn_reading(profile, look(rng, even, 0.75), "2026-01-02")
    assert light_drift(profile, decode(StickerColours.of_lab(dim.labs), profile)) < before / 3
    assert profile.created == "2026-01-02"


def test_too_little_is_refused() -> None:
    with pytest.raises(CalibrationError, match="no picture"):
        learn_places([], WESTERN_SCHEME, "hall", "2026-01-01")
    unseen = KnownLook(
        np.full((54, 3), np.nan), random_state(np.random.default_rng(3)).to_facelets()
    )
    with pytest.raises(CalibrationError, match="0 times"):
        learn_places([unseen], WESTERN_SCHEME, "hall", "2026-01-01")
