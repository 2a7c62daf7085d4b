"""The cube's colours come from its owner or from the profile, and never from both at odds."""

import pytest

from cube.net import WESTERN_SCHEME
from thistlebot.errors import UsageError
from thistlebot.looking.cube_colours import known_scheme
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.profile import ColourProfile
from vision.colours.scheme import JAPANESE_SCHEME

HALL = ColourProfile(
    name="hall",
    created="2026-01-01",
    scheme=JAPANESE_SCHEME,
    colours={face: NAMED_COLOURS[name] for face, name in JAPANESE_SCHEME.items()},
)


def test_the_owner_or_the_profile_knows() -> None:
    assert known_scheme(None, None) is None
    assert known_scheme(WESTERN_SCHEME, None) == WESTERN_SCHEME
    assert known_scheme(None, HALL) == JAPANESE_SCHEME
    assert known_scheme(JAPANESE_SCHEME, HALL) == JAPANESE_SCHEME


def test_a_contradiction_names_both_and_the_way_out() -> None:
    with pytest.raises(UsageError) as said:
        known_scheme(WESTERN_SCHEME, HALL)
    for part in (
        "--scheme white,red,green,yellow,orange,blue",
        "white,red,green,blue,orange,yellow",
        "'hall'",
        "thistlebot calibrate colours --profile NAME --scheme white,",
    ):
        assert part in str(said.value)
