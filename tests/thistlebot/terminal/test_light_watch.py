"""The command that is printed when the light no longer matches the profile."""

import shlex

import numpy as np
import pytest
from even_light import COLOURS, decode_lab, seen

from cube.facelets import SOLVED_FACELETS
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from thistlebot.terminal.light_watch import LightWatch
from thistlebot.terminal.screen import Screen
from vision.colours.profile import ColourProfile


def test_a_profile_with_spaces_in_its_name_can_be_pasted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    darker = {face: tuple(lab - (30, 0, 0)) for face, lab in zip(FACES, COLOURS, strict=True)}
    name = "office (virtual)"
    profile = ColourProfile(name=name, created="2026", scheme=WESTERN_SCHEME, colours=darker)
    reading = decode_lab(seen(SOLVED_FACELETS, np.random.default_rng(1)))
    LightWatch(profile, None, Screen(), (), learn=False).compare(reading)
    told = " ".join(capsys.readouterr().err.split())
    assert name in shlex.split(told.split("`")[1])
