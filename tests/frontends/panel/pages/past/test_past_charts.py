"""Charts of the page History, the trace of a search, and pages that nobody opens."""

import asyncio
import math
import re
import xml.etree.ElementTree as ET
from typing import Any, cast

import numpy as np
import pytest
from nicegui import Client, ui

from calibration.motors import SpeedTrial
from frontends.control.hub import Hub
from frontends.control.view_model.calibrate import MotorFound
from frontends.control.view_model.notices import Noted
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.calibrate.speed_trials import trace_svg
from frontends.panel.pages.page import ViewPump
from frontends.panel.pages.past.past_charts import phases_chart, times_chart
from frontends.panel.pages.site import MOST_UNOPENED, _drop_unopened
from thistlebot.journal.run_times import RunTimes
from thistlebot.journal.statistics import Solves
from thistlebot.words.words import languages, load_words


def counted(svg: str, kind: str) -> int:
    root = ET.fromstring(svg)
    return sum(kind in (each.get("class") or "").split() for each in root.iter())


def test_each_solve_is_a_mark() -> None:
    times_s = np.array([*np.linspace(3.0, 5.0, 14), math.inf, math.nan])
    numbers, some = np.arange(16, dtype=np.int64), np.ones(16)
    solves = Solves(numbers, numbers * 60.0, times_s, some, some, some)
    for words in map(load_words, languages()):
        svg = times_chart(solves, words)
        assert [counted(svg, kind) for kind in ("solve-dot", "dnf", "ao5", "ao12")] == [14, 1, 1, 1]
        assert ET.fromstring(svg).get("aria-label")


def test_the_parts_of_a_bar_are_as_high_as_the_times_are_long() -> None:
    times = RunTimes(look_s=2.0, turn_s=2.0, between_s=1.0)
    root = ET.fromstring(phases_chart([(7, times)], load_words("en")))
    heights = {
        each.get("class"): float(each.get("height", "0"))
        for each in root.iter()
        if (each.get("class") or "").startswith("phase-")
    }
    assert heights["phase-scan"] == pytest.approx(heights["phase-execute"], abs=0.2)
    assert heights["phase-plan"] == 0


@pytest.mark.parametrize(("first", "count"), [(1, 3), (94, 17), (9_950, 100)])
def test_numbers_of_runs_have_room_below_their_bars(first: int, count: int) -> None:
    runs = [(number, RunTimes(turn_s=1.0)) for number in range(first, first + count)]
    root = ET.fromstring(phases_chart(runs, load_words("en")))
    shown = [each for each in root.iter() if (each.text or "").isdigit()]
    places = [float(each.get("x", "")) for each in shown]
    assert np.diff(places).min() > 8 * len(str(first + count))
    assert shown[-1].text == str(first + count - 1)


TRIALS = (
    SpeedTrial("R", 1, 17000, 1000000, 40.0, True),
    SpeedTrial("R", 2, 18000, 1100000, 37.6, True),
    SpeedTrial("R", 3, 19000, 1200000, 35.3, False),
    SpeedTrial("F", 1, 17000, 1000000, 40.0, False),
)
FOUND = (MotorFound("R", 40.6),)


def of_class(svg: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in svg.iter() if each.get("class") == name]


def test_what_held_and_what_did_not_have_marks_of_their_own_and_are_told() -> None:
    for words in map(load_words, languages()):
        svg = ET.fromstring(trace_svg(TRIALS, FOUND, words))
        label = svg.get("aria-label", "")
        assert re.fullmatch(r"[^{}]*F[^{}]*40.6[^{}]*", label)
        nothing = ET.fromstring(trace_svg((), (), words))
        assert nothing.get("aria-label") == words("calibrate.no_trace")
    assert len(of_class(svg, "held")) == 2
    assert len(of_class(svg, "lost")) == 2
    assert [each.text for each in of_class(svg, "face")] == ["R", "F"]
    assert len(of_class(svg, "set")) == 1
    heights = [float(each.get("cy", "")) for each in of_class(svg, "held")]
    assert heights[0] < heights[1]  # faster is lower


def test_names_of_actions_are_shortened_and_escaped() -> None:
    name = "turn <the> lowest & layer"
    trials = tuple(SpeedTrial(name, n, 0, 0, 400.0 - n, True) for n in (1, 2))
    trials += tuple(SpeedTrial(f"{name} {n}", 1, 0, 0, 300.0, False) for n in range(8))
    found = (MotorFound(name, 450.0),)
    svg = ET.fromstring(trace_svg(trials, found, load_words("en")))
    for label in of_class(svg, "face"):
        assert len(label.text) <= 8
    assert name in str(svg.get("aria-label"))


class Browser:
    id = "one"

    def on_delete(self, _: Any) -> None:
        pass


def test_a_bug_in_one_page_does_not_end_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    hub = Hub(ViewModel("none"))
    pump, browser = ViewPump(hub), cast(Client, Browser())
    seen: list[str] = []
    pump.add(browser, lambda view: view.times["a bug"])
    pump.add(browser, lambda view: seen.extend(note.text for note in view.notes))

    async def two_views() -> None:
        running = asyncio.create_task(pump._run())
        for note in ("first", "second"):
            await asyncio.sleep(0)
            hub.tell(Noted(note))
            while note not in seen:
                await asyncio.sleep(0)
        running.cancel()

    asyncio.run(asyncio.wait_for(two_views(), 20))
    assert capsys.readouterr().err.count("KeyError") == 1


def test_pages_that_nobody_opens_are_not_kept() -> None:
    pages = [Client(ui.page("/"), request=None).id for _ in range(3 * MOST_UNOPENED)]
    _drop_unopened()
    assert [each for each in pages if each in Client.instances] == pages[-MOST_UNOPENED:]
