"""What the terminal says about a reading."""

import msgspec
import pytest
from journals import READING

from cube.net import WESTERN_SCHEME
from thistlebot.terminal.screen import Screen


def test_colours_in_mirrored_order_are_worth_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    mirrored = WESTERN_SCHEME | {"R": WESTERN_SCHEME["L"], "L": WESTERN_SCHEME["R"]}
    for scheme, asks in ((WESTERN_SCHEME, False), (mirrored, True), ({}, False)):
        Screen().reading(msgspec.structs.replace(READING, scheme=scheme))
        assert bool(capsys.readouterr().err) == asks
