"""The bar of a run's parts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thistlebot.runs.run_clock import RunTimes
from thistlebot.terminal.clock_bar import print_times, time_bar
from thistlebot.terminal.screen import Screen

times = st.builds(RunTimes, *[st.floats(0.0, 100.0)] * 8)


@given(times, st.integers(1, 100))
def test_the_bar_is_to_scale(times: RunTimes, width: int) -> None:
    bar = time_bar(times, width).plain
    assert len(bar) == (width if times.total_s else 0)
    for letter, time_s in (("T", times.turn_s), ("s", times.solve_s), ("w", times.rest_s)):
        if times.total_s:
            assert abs(bar.count(letter) - width * time_s / times.total_s) <= 1.0


def test_the_parts_are_told_without_colour(capsys: pytest.CaptureFixture[str]) -> None:
    print_times(
        Screen(), RunTimes(0.1, 0.05, 0.1, 1.0, look_again_s=0.1, read_again_s=0.05, between_s=0.1)
    )
    said, bar = capsys.readouterr().out.splitlines()
    times = re.findall(r"\d+\.\d+", said)
    assert times == ["1.50", "0.10", "0.05", "0.10", "1.00", "0.10", "0.05", "0.10"]
    assert bar.strip() == "llllrrssss" + 40 * "T" + "llllrr...."
