"""Colour profiles refuse what cannot be."""

import math

import msgspec
import numpy as np
import pytest

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.profile import ColourProfile, rounded_shade
from vision.errors import VisionError

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
    value = profile(spread={"U": 1.5}, offsets={"U1": (1.0, 0.0, -2.0)})
    assert msgspec.convert(msgspec.to_builtins(value), ColourProfile) == value
    widest = rounded_shade(np.array([1e3, -1e3, 1e3]))
    assert profile(offsets={"U1": widest}).offsets["U1"] == (200.0, -200.0, 200.0)


def test_an_impossible_profile_is_refused() -> None:
    for changes, named in (
        ({"scheme": {"U": "white"}}, "scheme"),
        ({"colours": {"U": LAB}}, "colours"),
        ({"colours": dict.fromkeys(FACES, (math.nan, 0.0, 0.0))}, r"colours\.U"),
        ({"offsets": {"U1": (1e9, 0.0, 0.0)}}, r"offsets\.U1"),
        ({"places": {"U1": {"U": (math.inf, 0.0, 0.0)}}}, r"places\.U1"),
        ({"places": {"U0": {"U": LAB}}}, "U0"),
        ({"spread": {"U": -1.0}}, r"\.U"),
        ({"spread": {"X": 1.0}}, r"\.X"),
        ({"colour_of_the_wall": [1, 2, 3]}, "colour_of_the_wall"),
    ):
        with pytest.raises((VisionError, msgspec.ValidationError), match=named):
            profile(**changes)
