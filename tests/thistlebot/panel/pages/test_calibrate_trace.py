"""The trace of a search as a picture that everybody can read."""

import re
from xml.etree import ElementTree as ET

from thistlebot.control.showing.calibrate_pane import Found, Trial
from thistlebot.panel.pages.calibrate.trace import trace_svg
from thistlebot.words.words import LANGUAGES, load_words

TRIALS = (
    Trial("R", 1, 17000, 1000000, 40.0, True),
    Trial("R", 2, 18000, 1100000, 37.6, True),
    Trial("R", 3, 19000, 1200000, 35.3, False),
    Trial("F", 1, 17000, 1000000, 40.0, False),
)
FOUND = (Found("R", 40.6, 37.6, 35.3),)


def drawn(trials=TRIALS, found=FOUND, language="en") -> ET.Element:
    return ET.fromstring(trace_svg(trials, found, load_words(language)))


def of_class(svg: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in svg.iter() if each.get("class") == name]


def test_what_held_and_what_did_not_have_marks_of_their_own() -> None:
    svg = drawn()
    assert len(of_class(svg, "held")) == 2
    assert len(of_class(svg, "lost")) == 2
    assert [each.text for each in of_class(svg, "face")] == ["R", "F"]
    assert len(of_class(svg, "set")) == 1
    heights = [float(each.get("cy", "")) for each in of_class(svg, "held")]
    assert heights[0] < heights[1]  # faster is lower


def test_it_is_told_to_those_who_hear_it() -> None:
    for language in LANGUAGES:
        label = drawn(language=language).get("aria-label", "")
        assert re.fullmatch(r"[^{}]*F[^{}]*40.6[^{}]*", label)
        nothing = drawn((), (), language).get("aria-label")
        assert nothing == load_words(language)("calibrate.no_trace")


def test_names_of_actions_are_shortened_and_escaped() -> None:
    name = "turn <the> lowest & layer"
    trials = tuple(Trial(name, n, 0, 0, 400.0 - n, True) for n in (1, 2))
    trials += tuple(Trial(f"{name} {n}", 1, 0, 0, 300.0, False) for n in range(8))
    svg = drawn(trials, (Found(name, 450.0, 398.0, None),))
    for label in of_class(svg, "face"):
        assert label.text is not None
        assert len(label.text) <= 8
    assert name in str(svg.get("aria-label"))
