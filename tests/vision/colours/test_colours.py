"""Colours: as spaces, densities, profiles and schemes, how they are proposed and shared out."""

import math

import msgspec
import numpy as np
import pytest
from even_light import COLOURS, seen
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.assignment import cheapest_assignment, nearest_medians
from vision.colours.colour_model import log_densities
from vision.colours.colour_spaces import srgb_to_lab
from vision.colours.first_guesses import Proposer, cluster_colours
from vision.colours.profile import ColourProfile, rounded_shade
from vision.colours.scheme import JAPANESE_SCHEME, centre_order, looks_mirrored, scheme_rotations
from vision.colours.sticker_colours import StickerColours
from vision.errors import VisionError

SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12), st.sampled_from([1, 4, 8]))


@settings(max_examples=40)
@given(SHAPES, st.integers(0, 10**6), st.sampled_from([1.0, 100.0, 1e4]))
def test_nothing_cheaper_exists(shape: tuple[int, int, int], seed: int, scale: float) -> None:
    rows, columns, times = shape
    rows = min(rows * times, columns * times)
    costs = np.round(np.random.default_rng(seed).random((rows, columns)), 1) * scale
    chosen = cheapest_assignment(costs, times)
    each, places = linear_sum_assignment(np.repeat(costs, times, axis=1))
    least = np.repeat(costs, times, axis=1)[each, places].sum()
    assert np.bincount(chosen, minlength=columns).max() <= times
    assert costs[np.arange(rows), chosen].sum() == pytest.approx(least, rel=1e-6, abs=1e-5 * scale)


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


LAB = (50.0, 10.0, 10.0)


def profile(**changes: object) -> ColourProfile:
    values = {
        "name": "hall",
        "created": "2026-01-01",
        "scheme": WESTERN_SCHEME,
        "colours": dict.fromkeys(FACES, LAB),
    }
    return msgspec.convert(values | changes, ColourProfile)


def test_a_profile_survives_its_document_with_the_widest_shade() -> None:
    value = profile(spread={"U": 1.5})
    assert msgspec.convert(msgspec.to_builtins(value), ColourProfile) == value
    widest = rounded_shade(np.array([1e3, -1e3, 1e3]))
    assert profile(colours=dict.fromkeys(FACES, widest)).colours["U"] == (200.0, -200.0, 200.0)


def test_an_impossible_profile_is_refused() -> None:
    for changes, named in (
        ({"scheme": {"U": "white"}}, "scheme"),
        ({"colours": {"U": LAB}}, "colours"),
        ({"colours": dict.fromkeys(FACES, (math.nan, 0.0, 0.0))}, r"colours\.U"),
        ({"spread": {"U": -1.0}}, r"\.U"),
        ({"spread": {"X": 1.0}}, r"\.X"),
        ({"colour_of_the_wall": [1, 2, 3]}, "colour_of_the_wall"),
    ):
        with pytest.raises((VisionError, msgspec.ValidationError), match=named):
            profile(**changes)


SWAPPED = {**WESTERN_SCHEME, "L": "red", "R": "orange"}


def test_only_a_mirror_image_of_the_cube_nets_mirrored_and_centres_come_as_it_is_held() -> None:
    western, swapped = tuple(WESTERN_SCHEME.values()), tuple(SWAPPED.values())
    assert not looks_mirrored(western)
    assert not looks_mirrored(tuple(JAPANESE_SCHEME.values()))
    assert all(looks_mirrored(held) for held in scheme_rotations(swapped))
    assert not any(looks_mirrored(held, SWAPPED) for held in scheme_rotations(swapped))
    assert looks_mirrored(western, SWAPPED)
    odd = {**WESTERN_SCHEME, "U": "red", "R": "white"}
    assert not looks_mirrored(tuple(odd.values()))
    assert centre_order()[:2] == ("white", "green")
    assert centre_order(JAPANESE_SCHEME)[-1] == "blue"


def test_stickers_are_hidden_in_both_forms_and_other_shapes_refused() -> None:
    colours = StickerColours.of_lab(np.full((4, 3), (50.0, 10.0, -10.0)))
    hidden = colours.without([2])
    assert np.isnan(hidden.srgb[2]).all()
    assert np.isnan(hidden.lab[2]).all()
    assert np.isfinite(hidden.srgb[[0, 1, 3]]).all()
    assert np.isfinite(colours.lab).all()
    for make in (StickerColours.of_srgb, StickerColours.of_lab):
        for shape in ((3,), (54,), (54, 4), (2, 3, 3)):
            with pytest.raises(VisionError):
                make(np.zeros(shape))


@pytest.mark.parametrize("propose", [cluster_colours, nearest_medians])
def test_the_colours_are_proposed_though_a_sticker_is_not_seen(propose: Proposer) -> None:
    rng = np.random.default_rng(11)
    labs = seen(random_state(rng).to_facelets(), rng, 4.0)
    labs[3] = np.nan
    colours, seeds = StickerColours.of_lab(labs), StickerColours.of_lab(labs[4::9])
    proposed = propose(colours.srgb, seeds.srgb)
    assert np.abs(proposed - StickerColours.of_lab(COLOURS).srgb).max() < 0.1


def test_the_proposed_clusters_are_those_of_scikit_learn() -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        labs = seen(random_state(rng).to_facelets(), rng, 12.0)
        colours, seeds = StickerColours.of_lab(labs), StickerColours.of_lab(labs[4::9])
        found = KMeans(6, init=seeds.srgb, n_init=1).fit(colours.srgb).cluster_centers_
        assert np.allclose(cluster_colours(colours.srgb, seeds.srgb), found, atol=1e-5)
