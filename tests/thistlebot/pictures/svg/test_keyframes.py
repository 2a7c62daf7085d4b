"""Timelines: values that hold until the next one, shared where they are the same."""

import re

from hypothesis import given
from hypothesis import strategies as st

from thistlebot.pictures.svg.keyframes import Keyframes, timed

changes = st.lists(st.tuples(st.integers(1, 99), st.sampled_from("abc")), max_size=8).map(
    lambda found: [(0.0, "a"), *((float(t), v) for t, v in sorted(dict(found).items()))]
)


@given(told=changes)
def test_a_timeline_says_every_change_once(told: list[tuple[float, str]]) -> None:
    keyframes = Keyframes(100.0)
    name = keyframes.name("fill", told)
    kept = [b for a, b in zip([(0, ""), *told], told, strict=False) if a[1] != b[1]]
    assert bool(name) == (len(kept) > 1)
    steps = re.findall(r"([\d.%,]+)\{fill:(\w)\}", keyframes.css())
    found = [(float(t[:-1]), value) for times, value in steps for t in times.split(",")]
    assert sorted(found) == (kept if name else [])


def test_what_changes_alike_shares_a_timeline() -> None:
    keyframes = Keyframes(10.0)
    one = keyframes.name("fill", [(0, "red"), (5, "blue")])
    assert keyframes.name("fill", [(0, "red"), (2, "red"), (5, "blue")]) == one
    assert keyframes.name("stroke", [(0, "red"), (5, "blue")]) != one
    assert keyframes.css().count("@keyframes") == 2
    assert "50%{fill:blue}" in keyframes.css()


def test_only_what_moves_has_a_style() -> None:
    assert timed("", "") == ""
    assert timed("t0", "", "t3") == ' style="animation-name:t0,t3"'
