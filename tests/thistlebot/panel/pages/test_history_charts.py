"""The charts of the page History."""

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from thistlebot.history.statistics import Solves
from thistlebot.panel.pages.history_charts import phases_chart, times_chart
from thistlebot.runs.events import Phase
from thistlebot.words.words import LANGUAGES, load_words


def solves_of(*times_s: float) -> Solves:
    count = len(times_s)
    some = np.ones(count)
    return Solves(
        np.arange(count, dtype=np.int64),
        np.arange(count) * 60.0,
        np.array(times_s, float),
        some,
        some,
        some,
    )


def counted(svg: str, kind: str) -> int:
    root = ET.fromstring(svg)
    return sum(kind in (each.get("class") or "").split() for each in root.iter())


def test_each_solve_is_a_mark() -> None:
    times = [*np.linspace(3.0, 5.0, 14).tolist(), math.inf, math.nan]
    for words in map(load_words, LANGUAGES):
        svg = times_chart(solves_of(*times), words)
        assert [counted(svg, kind) for kind in ("solve-dot", "dnf", "ao5", "ao12")] == [14, 1, 1, 1]
        assert ET.fromstring(svg).get("aria-label")


def test_the_parts_of_a_bar_are_as_high_as_the_times_are_long() -> None:
    times = ((Phase.IDLE, 1.0), (Phase.SCAN, 1.0), (Phase.EXECUTE, 2.0), (Phase.SCAN, 1.0))
    root = ET.fromstring(phases_chart([(7, times)], load_words("en")))
    heights = {
        each.get("class"): float(each.get("height", "0"))
        for each in root.iter()
        if (each.get("class") or "").startswith("phase-")
    }
    assert heights["phase-scan"] == pytest.approx(heights["phase-execute"], abs=0.2)
    assert heights["phase-plan"] == 0
