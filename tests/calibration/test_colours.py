"""Colours calibrated on pictures of a solved cube."""

import re
from functools import cache

import msgspec
import numpy as np
import pytest
from even_light import COLOURS, decode_lab, seen

from calibration.colours import (
    DRIFT_THRESHOLD,
    describe_colours,
    learn_reading,
    light_drift,
    measure_colours,
    measured_profile,
)
from calibration.errors import CalibrationError
from calibration.pair_scores import LEAST_SCORE, advice, failed_pairs, pair_scores
from cube.facelets import FACES, SOLVED_FACELETS, facelet_index
from cube.moves import MoveSequence
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED
from documents.typed_toml import load_document, save_document
from vision.colours.colour_spaces import srgb_to_lab
from vision.colours.palette import STICKER_SRGB
from vision.colours.profile import ColourProfile
from vision.colours.scheme import labels_of
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.geometry.light import EVEN_LIGHT, WEBCAM, Light, Optics
from vision.geometry.sampling import sample_view
from vision.virtual.viewpoints import corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera

DIM_AND_WARM = Optics(exposure=0.3, white_balance=(1.25, 1.0, 0.6), noise_levels=3.0)


@cache
def cameras(optics, light):
    shown = [SOLVED]
    return shown, [
        VirtualCamera(lambda: shown[0], corner_viewpoint(camera), optics=optics, light=light)
        for camera in "AB"
    ]


def look(state, optics=WEBCAM, light=None):
    shown, pair = cameras(optics, light)
    shown[0] = state
    return sample_view([camera.read() for camera in pair], default_views())


@cache
def solved_labs():
    return look(SOLVED)


def measured(labs, scheme=WESTERN_SCHEME):
    return measure_colours(labs, scheme, "hall", "2026-11-20")


def test_even_light_gives_the_colours_of_the_stickers_and_they_go_through_a_file(tmp_path):
    profile = measured(look(SOLVED, Optics(), EVEN_LIGHT))
    for face, lab in profile.colours.items():
        true = srgb_to_lab(STICKER_SRGB[WESTERN_SCHEME[face]])
        assert np.linalg.norm(true - lab) < 1.5
        assert profile.spread[face] < 1.0
    profile = measured(solved_labs())
    save_document(tmp_path / "hall.toml", profile)
    assert load_document(tmp_path / "hall.toml", ColourProfile) == profile
    assert "[colours]\nU = [" in (tmp_path / "hall.toml").read_text()


def test_a_profile_reads_scrambled_cubes_in_light_that_is_far_from_white():
    profile = measured(look(SOLVED, DIM_AND_WARM))
    rng = np.random.default_rng(4)
    for _ in range(3):
        state = random_state(rng)
        reading = decode(StickerColours.of_lab(look(state, DIM_AND_WARM)), profile, profile.scheme)
        assert reading.accepted
        assert reading.facelets == state.to_facelets()


@pytest.mark.parametrize("moves", ["R", "U2", "F B'"])
def test_a_cube_that_is_almost_solved_is_refused_with_a_face_that_is_mixed(moves):
    shown = SOLVED.apply(MoveSequence.parse(moves)).to_facelets()
    with pytest.raises(CalibrationError) as caught:
        measured(look(shown))
    odd = re.search(r" ([URFDLB]) \(\w+\) .*?: ([URFDLB]\d) ", str(caught.value))
    assert odd is not None
    face, facelet = odd.groups()
    mixed = {each for each in FACES if len(set(shown.face(each))) > 1}
    assert face in mixed
    assert mixed == set(re.findall(r"\b[URFDLB]\b", str(caught.value)))
    assert facelet[0] == face
    assert shown.text[facelet_index(facelet)] != face


def test_a_face_that_is_hardly_seen_is_named():
    labs = solved_labs().copy()
    labs[18:25] = np.nan
    with pytest.raises(CalibrationError, match=r" 2 .* F \(green\)"):
        measured(labs)


def test_glare_on_a_few_stickers_does_not_stop_a_calibration_and_a_window_is_named():
    profile = measured(look(SOLVED, light=Light(gloss=0.25, gradient=0.2)))
    for face, lab in measured(solved_labs()).colours.items():
        assert np.linalg.norm(np.subtract(profile.colours[face], lab)) < 16.0
    with pytest.raises(CalibrationError, match=r" B[1-9]$"):
        measured(look(SOLVED, light=Light(gloss=0.5)))


def test_other_schemes_and_wrong_ones():
    scheme = {**WESTERN_SCHEME, "D": "blue", "B": "yellow"}  # Japanese
    assert measured(solved_labs(), scheme).scheme == scheme
    with pytest.raises(CalibrationError, match="U R F D L B"):
        measured(solved_labs(), {**WESTERN_SCHEME, "D": "white"})
    with pytest.raises(CalibrationError, match=r"54 .*\(9, 3\)"):
        measured(np.zeros((9, 3)))


def test_a_profile_whose_pairs_fail_is_refused() -> None:
    labs = COLOURS[labels_of(SOLVED_FACELETS)] + np.random.default_rng(1).normal(0, 3.0, (54, 3))
    good = measured_profile(decode_lab(labs), WESTERN_SCHEME, "hall")
    assert failed_pairs(pair_scores(good)) == ()
    black = describe_colours(np.zeros((54, 3)), WESTERN_SCHEME, "hall", "2026-11-20")
    assert len(failed_pairs(pair_scores(black))) == 15
    labs[36:45] = np.add(labs[9:18], (0.0, 7.0, 5.0))  # nearly red
    describe_colours(labs, WESTERN_SCHEME, "hall", "2026-11-20")
    with pytest.raises(CalibrationError):
        measured_profile(decode_lab(labs), WESTERN_SCHEME, "hall")


def known_look(rng: np.random.Generator, light: float) -> np.ndarray:
    """Look at a random cube in other light."""
    black = np.array((-16.0, 0.0, 0.0))
    colours = COLOURS[labels_of(random_state(rng).to_facelets())] - black
    return colours * light + black + rng.normal(0, 1.0, (54, 3))


def test_a_profile_follows_the_light_of_verified_cubes() -> None:
    rng = np.random.default_rng(2)
    profile = described(1.0)
    dim = decode_lab(known_look(rng, 0.75), profile)
    before = light_drift(profile, dim)
    assert before > DRIFT_THRESHOLD
    for _ in range(8):
        profile = learn_reading(profile, decode_lab(known_look(rng, 0.75)), "2026-01-02")
    assert light_drift(profile, dim) < before / 3
    assert profile.created == "2026-01-02"


def described(noise: float, moved: dict[str, tuple[float, float, float]] | None = None):
    labs = seen(SOLVED_FACELETS, np.random.default_rng(1), noise)
    for face, colour in (moved or {}).items():
        first = 9 * "URFDLB".index(face)
        labs[first : first + 9] += np.subtract(colour, labs[first : first + 9].mean(axis=0))
    return describe_colours(labs, WESTERN_SCHEME, "hall", "2026-11-20")


def test_fifteen_pairs_pass_in_good_light_in_the_order_of_the_faces():
    scores = pair_scores(described(3.0))
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
    failed = failed_pairs(pair_scores(described(3.0, {"L": (46.0, 52.0, 38.0)})))
    assert [each.faces for each in failed] == [("R", "L")]
    assert failed[0].apart == pytest.approx(9.0, abs=1.5)
    assert {"red", "orange"} <= set(advice(failed).split())
    failed = failed_pairs(pair_scores(described(16.0)))
    assert [each.score for each in failed] == sorted(each.score for each in failed)
    assert len(failed) >= 2
