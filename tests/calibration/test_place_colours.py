"""The light of each place is learnt from cubes that are known, and followed."""

import msgspec
import numpy as np
import pytest
from even_light import COLOURS, decode_lab, seen

from calibration.colours import describe_colours
from calibration.errors import CalibrationError
from calibration.pair_scores import LEAST_SCORE, advice, failed_pairs, pair_scores
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


def measured(noise: float, moved: dict[str, tuple[float, float, float]] | None = None):
    labs = seen(SOLVED_FACELETS, np.random.default_rng(1), noise)
    for face, colour in (moved or {}).items():
        first = 9 * "URFDLB".index(face)
        labs[first : first + 9] += np.subtract(colour, labs[first : first + 9].mean(axis=0))
    return describe_colours(labs, WESTERN_SCHEME, "hall", "2026-11-20")


def test_fifteen_pairs_pass_in_good_light_in_the_order_of_the_faces():
    scores = pair_scores(measured(3.0))
    assert [each.faces for each in scores[:5]] == [("U", other) for other in "RFDLB"]
    assert scores[-1].faces == ("L", "B")
    assert scores[0].colours == ("white", "red")
    assert len({each.faces for each in scores}) == 15
    assert all(each.passed for each in scores)
    assert advice(failed_pairs(scores)) == ""
    record = msgspec.json.decode(msgspec.json.encode(scores[7].record()))
    assert record["colours"] == ["red", "orange"]
    assert record["passed"] is (record["score"] >= LEAST_SCORE)


def test_colours_that_lie_close_fail_and_are_named_the_worst_pair_first():
    failed = failed_pairs(pair_scores(measured(3.0, {"L": (46.0, 52.0, 38.0)})))
    assert [each.faces for each in failed] == [("R", "L")]
    assert failed[0].apart == pytest.approx(9.0, abs=1.5)
    assert {"red", "orange"} <= set(advice(failed).split())
    failed = failed_pairs(pair_scores(measured(16.0)))
    assert [each.score for each in failed] == sorted(each.score for each in failed)
    assert len(failed) >= 2


def test_a_score_is_the_distance_in_spreads_with_lightness_counted_half():
    profile = ColourProfile(
        name="x",
        created="x",
        scheme=dict(WESTERN_SCHEME),
        colours={face: (20.0 * number, 0.0, 0.0) for number, face in enumerate("URFDL")}
        | {"B": (0.0, 30.0, 0.0)},
        spread={"U": 4.0, "R": 2.0},
    )
    by_faces = {each.faces: each for each in pair_scores(profile)}
    assert by_faces["U", "R"].apart == pytest.approx(20.0)
    assert by_faces["U", "R"].score == pytest.approx(10.0 / np.sqrt(10.0 + 1.0))
    assert by_faces["F", "D"].score == pytest.approx(10.0)  # no spread is told
    assert by_faces["U", "B"].score == pytest.approx(30.0 / 3.0)
