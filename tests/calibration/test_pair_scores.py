"""Scores of pairs of colours: what they are, and what they predict of readings."""

import msgspec
import numpy as np
import pytest
from even_light import seen

from calibration.colours import describe_colours
from calibration.pair_scores import LEAST_SCORE, advice, failed_pairs, pair_scores
from cube.facelets import SOLVED_FACELETS
from cube.net import WESTERN_SCHEME
from vision.colours.profile import ColourProfile


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
